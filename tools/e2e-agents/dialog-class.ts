// Names who answers a dialog of a program.
import type { Profile } from '@drover/screen';

/** Returns `trust` and its kind, `rule` if the profile answers it, or `asked`: a person is asked with the dialog's own options. */
export function dialogClassOf({ trust, answers, screen }: Profile, title: string): string {
  const asked = trust.find(({ begins }) => `${title} `.search(begins) === 0);
  if (asked !== undefined) return `trust: ${asked.kind}`;
  const kind = screen.dialog.kinds.find(({ matches }) => matches.test(title))?.kind ?? 'other';
  const isAnswered = answers.some((one) => one.kind === kind && (one.matches?.test(title) ?? kind !== 'other'));
  return isAnswered ? 'rule' : 'asked';
}
