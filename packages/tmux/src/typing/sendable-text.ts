/** Makes a text safe to send to a program, and cuts it into pieces. */

/**
 * Makes a text safe to paste or type: line ends become line feeds; control characters other than tab
 * and line feed are dropped (an ESC could end the paste or drive the program); broken surrogates
 * become U+FFFD.
 */
export function sendable(text: string): string {
  return (
    text
      .replaceAll(/\r\n?/g, '\n')
      // oxlint-disable-next-line no-control-regex
      .replaceAll(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, '')
      .toWellFormed()
  );
}

/** Cuts a text into pieces of at most `size` characters, never within a character. */
export function pieces(text: string, size: number): readonly string[] {
  const characters = [...text];
  const result: string[] = [];
  for (let at = 0; at < characters.length; at += size) {
    result.push(characters.slice(at, at + size).join(''));
  }
  return result;
}
