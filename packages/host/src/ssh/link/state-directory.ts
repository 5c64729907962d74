/** Suggests what helps if Drover's directory on a machine cannot be made or written, by the system's words for that, in the C locale. */

const ELSEWHERE = 'or set XDG_STATE_HOME to a directory elsewhere, so that "ssh HOST env" shows it';

const HELP: readonly (readonly [RegExp, string])[] = [
  [/no space left|quota|i\/o error|write error/iu, 'Make room there'],
  [/read-only/iu, 'Mount that disk so that it can be written'],
  [/not a directory|file exists|no such file|is a directory|too many levels/iu, 'Move away what is in its place'],
];

/** @param words What the system said. */
export function helpForDirectory(words: string): string {
  const found = HELP.find(([pattern]) => pattern.test(words));
  return `${found?.[1] ?? 'Give the user the right to write there'}, ${ELSEWHERE}`;
}
