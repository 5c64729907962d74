/** Builds findings of the doctor. */
import type { Finding } from './facts.ts';

/** Text of a finding, and the command that helps; null: none does. */
interface Advice {
  readonly says: string;
  readonly help: string | null;
}

/** Builds a finding of the gravest kind. */
export function problem(check: string, about: string, { says, help }: Advice): Finding {
  return { check, about, level: 'problem', says, help };
}

/** Builds a finding that causes no failure today. */
export function warning(check: string, about: string, { says, help }: Advice): Finding {
  return { check, about, level: 'warning', says, help };
}

/** Returns the findings, or one line that says that there is none. */
export function orFine(
  check: string,
  about: string,
  { says, found }: { readonly says: string; readonly found: readonly Finding[] },
): readonly Finding[] {
  return found.length > 0 ? found : [{ check, about, level: 'ok', says, help: null }];
}
