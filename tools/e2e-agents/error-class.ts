// Names the class of a text about a limit or an error, and who answers a dialog.
import type { Profile } from '@drover/screen';

/** Returns the class that the profile gives to a text; null when none of its patterns knows it. */
export function errorClassOf({ errors }: Profile, text: string): string | null {
  return errors.find(({ matches }) => matches.test(text))?.error ?? null;
}

/** Returns `trust` and its kind, `rule` if the profile answers it, or `asked`: a person is asked with the dialog's own options. */
export function dialogClassOf({ trust, answers, screen }: Profile, title: string): string {
  const asked = trust.find(({ begins }) => `${title} `.search(begins) === 0);
  if (asked !== undefined) return `trust: ${asked.kind}`;
  const kind = screen.dialog.kinds.find(({ matches }) => matches.test(title))?.kind ?? 'other';
  const isAnswered = answers.some((one) => one.kind === kind && (one.matches?.test(title) ?? kind !== 'other'));
  return isAnswered ? 'rule' : 'asked';
}
