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
 * Undoes `\ooo` (a byte in octal), `\n` and its like, and `\` before any other character. tmux
 * doubles real backslashes, so nothing is ambiguous.
 */
export function unescapeBuffer(escaped: Uint8Array): Uint8Array {
  const source = Buffer.from(escaped);
  if (!source.includes(BACKSLASH)) return source;
  const result = Buffer.alloc(source.length);
  let size = 0;
  for (let at = 0; at < source.length; at += 1) {
    const byte = source[at] ?? 0;
    if (byte !== BACKSLASH || at + 1 >= source.length) {
      result[size++] = byte;
      continue;
    }
    const digits = source.toString('latin1', at + 1, at + 4);
    if (/^[0-3][0-7]{2}$/.test(digits)) {
      result[size++] = Number.parseInt(digits, 8);
      at += 3;
    } else {
      const next = source[at + 1] ?? 0;
      result[size++] = LETTERS[String.fromCharCode(next)] ?? next;
      at += 1;
    }
  }
  return result.subarray(0, size);
}
