// Names the class of a text about a limit or an error.
import type { Profile } from '@drover/screen';

/** Returns the class that the profile gives to a text; null when none of its patterns knows it. */
export function errorClassOf({ errors }: Profile, text: string): string | null {
  return errors.find(({ matches }) => matches.test(text))?.error ?? null;
}
