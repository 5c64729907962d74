/** Writes words of commands that a person copies into a shell. */

/** Quotes a text where a shell would change it, so that bash, zsh and fish read it back unchanged as one word. */
export function shellWord(text: string): string {
  return /^[\w./:@%+,=-]+$/u.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
