/** Quotes words of the commands that Drover prints or writes for a shell. */

const PLAIN = /^[\w./-]+$/;

/** Quotes a text as one word of `sh`, exactly. A plain word stays as it is, so that a person can read it. */
export function quoted(word: string): string {
  return PLAIN.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}
