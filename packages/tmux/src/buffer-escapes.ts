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

/** Where the bytes are put together before they become text; it grows with the largest screen. */
let scratch = Buffer.alloc(0);

/**
 * Undoes `\ooo` (a byte in octal), `\n` and its like, and `\` before any other character. tmux doubles real backslashes, so
 * nothing is ambiguous. Byte by byte: a coloured screen has hundreds of escapes, and each replacement in a string leaves pieces behind.
 */
export function unescapedText(escaped: Uint8Array): string {
  if (scratch.length < escaped.length) scratch = Buffer.alloc(escaped.length * 2);
  let size = 0;
  for (let at = 0; at < escaped.length; size += 1) {
    const byte = escaped[at] ?? 0;
    if (byte !== BACKSLASH || at + 1 === escaped.length) {
      scratch[size] = byte;
      at += 1;
      continue;
    }
    const next = escaped[at + 1] ?? 0;
    const octal = octalAt(escaped, at + 1);
    scratch[size] = octal >= 0 ? octal : letter(next);
    at += octal >= 0 ? 4 : 2;
  }
  return scratch.toString('utf8', 0, size);
}

/** The byte written as three octal digits, or -1 if something else stands there. */
function octalAt(bytes: Uint8Array, at: number): number {
  const high = digit(bytes[at]);
  const middle = digit(bytes[at + 1]);
  const low = digit(bytes[at + 2]);
  return high <= 3 && middle <= 7 && low <= 7 ? high * 64 + middle * 8 + low : -1;
}

function digit(byte = 0): number {
  return byte >= 0x30 && byte <= 0x37 ? byte - 0x30 : 8;
}

function letter(byte: number): number {
  return LETTERS[String.fromCharCode(byte)] ?? byte;
}
