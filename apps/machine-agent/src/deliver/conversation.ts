/** Tells whether a prompt stands in the conversation on the screen. For programs that keep no record that Drover can read. */

/** Characters of the first line that are looked for: enough to know a prompt, few enough to stand in one frame. */
const CHARS_MAX = 60;

/**
 * Looks for the beginning of a text on a screen whose box is empty.
 *
 * @param screen The rows without attributes. Frames, white space and the encoding of accents do not matter.
 */
export function standsInConversation(screen: string, text: string): boolean {
  const wanted = bare(text.trimStart().split('\n')[0] ?? '').slice(0, CHARS_MAX);
  return wanted !== '' && bare(screen).includes(wanted);
}

function bare(text: string): string {
  return text.replaceAll(/[\s│┃\u00a0\u200b-\u200d\ufeff]+/gu, '').normalize('NFC');
}
