/** Quotes words of the commands that Drover prints or writes for a shell. */

/** Words that no shell changes; `=` at the beginning is a path to zsh. */
const PLAIN = /^[\w./:@%+,-][\w./:@%+,=-]*$/;

/** Quotes a text where a shell would change it, so that bash, zsh and fish read it back unchanged as one word. */
export function shellWord(text: string): string {
  return PLAIN.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
