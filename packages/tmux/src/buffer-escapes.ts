/** What did tmux 3.2 and 3.3 mean when `show-buffer` escaped a text for a control client? */

const BACKSLASH = 0x5c;
const LETTERS: Readonly<Record<string, number>> = {
  a: 0x07,
  b: 0x08,
  t: 0x09,
  n: 0x0a,
  v: 0x0b,
  f: 0x0c,
  r: 0x0d,
  s: 0x20,
};

/**
 * The text of an escaped buffer. On most screens nothing is escaped but ESC, `$` before a letter, and backslashes, which native
 * replacements undo. Backslashes are doubled, so that the first two in a row are always one that was there.
 */
export function unescapedText(escaped: Uint8Array): string {
  const text = Buffer.from(escaped.buffer, escaped.byteOffset, escaped.byteLength).toString();
  const parts = text
    .split('\\\\')
    .map((part) => part.replaceAll('\\033', '\u001b'))
    .map((part) => part.replaceAll('\\$', '$'));
  const isPlain = parts.every((part) => !part.includes('\\'));
  return isPlain ? parts.join('\\') : Buffer.from(unescapeBuffer(escaped)).toString();
}

/**
 * Undoes `\ooo` (a byte in octal), `\n` and its like, and `\` before any other character. tmux
 * doubles real backslashes, so nothing is ambiguous.
 */
export function unescapeBuffer(escaped: Uint8Array): Uint8Array {
  const source = Buffer.from(escaped.buffer, escaped.byteOffset, escaped.byteLength);
  const result = Buffer.allocUnsafe(source.length);
  let size = 0;
  for (let at = 0; at < source.length;) {
    const escape = source.indexOf(BACKSLASH, at);
    const end = escape < 0 || escape + 1 >= source.length ? source.length : escape;
    size += source.copy(result, size, at, end); // what stands between two escapes, in one piece
    if (end === source.length) break;
    const byte = octalAt(source, end + 1);
    const next = source[end + 1] ?? 0;
    result[size++] = byte ?? LETTERS[String.fromCharCode(next)] ?? next;
    at = end + (byte === undefined ? 2 : 4);
  }
  return result.subarray(0, size);
}

/** The byte written as three octal digits, if that is what stands there. */
function octalAt(bytes: Buffer, at: number): number | undefined {
  const high = digit(bytes[at]);
  const middle = digit(bytes[at + 1]);
  const low = digit(bytes[at + 2]);
  return high <= 3 && middle <= 7 && low <= 7 ? high * 64 + middle * 8 + low : undefined;
}

function digit(byte = 0): number {
  return byte >= 0x30 && byte <= 0x37 ? byte - 0x30 : 8;
}
