/** Undoes the escapes that `show-buffer` of tmux 3.2 and 3.3 writes for a control client. */

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

/** Bytes checked one by one before a search for the next escape: colours come in clusters, with long words between them. */
const NEAR = 12;

/** Memory in which bytes are joined before they become text; it grows with the largest screen. */
let scratch = Buffer.alloc(0);

/**
 * Undoes `\ooo` (a byte in octal), `\n` and its like, and `\` before any other character. tmux doubles real backslashes, so
 * nothing is ambiguous. In bytes: a coloured screen has hundreds of escapes, and each replacement in a string leaves pieces behind.
 */
export function unescapedText(escaped: Uint8Array): string {
  if (scratch.length < escaped.length) scratch = Buffer.alloc(escaped.length * 2);
  const out = scratch;
  out.set(escaped); // moves everything between two escapes in one piece
  let size = 0;
  let at = 0;
  while (at < escaped.length) {
    const near = Math.min(escaped.length, at + NEAR);
    for (; at < near && escaped[at] !== BACKSLASH; at += 1, size += 1) out[size] = escaped[at] ?? 0;
    if (at === near) {
      const found = escaped.indexOf(BACKSLASH, at);
      const end = found < 0 ? escaped.length : found;
      out.copyWithin(size, at, end);
      size += end - at;
      at = end;
    }
    if (at + 1 >= escaped.length) break;
    const octal = octalAt(escaped, at + 1);
    out[size] = octal >= 0 ? octal : letter(escaped[at + 1] ?? 0);
    size += 1;
    at += octal >= 0 ? 4 : 2;
  }
  // A last backslash with nothing behind it stands for itself.
  if (at < escaped.length) out[size] = escaped[at] ?? 0;
  return out.toString('utf8', 0, size + (escaped.length - at));
}

/** Byte written as three octal digits, or -1 if there are none. */
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
