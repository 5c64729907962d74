/** Quotes bytes so that a program on another machine gets them unchanged. Written for POSIX shells that run in the C locale. */

/** The shell's variable that holds a line feed: a command is one line, so none may stand in it. */
export const LINE_FEED = '_dn';

const QUOTE = 0x27;
const NEWLINE = 0x0a;

/** Bytes that stand for themselves in quotes, and outside. */
const PLAIN = /^[A-Za-z0-9_/.:,@%+=-]+$/u;

/**
 * Text or bytes as one word of a shell's line, exactly.
 *
 * @throws RangeError when it has a NUL, which no argument and no path can carry.
 */
export function quote(word: string | Uint8Array): Buffer {
  if (typeof word === 'string' && PLAIN.test(word)) return Buffer.from(word);
  const bytes = Buffer.from(word);
  if (bytes.includes(0)) throw new RangeError('A NUL cannot stand in an argument, a path or a variable');
  const parts: Buffer[] = [];
  let from = 0;
  for (let at = 0; at <= bytes.length; at += 1) {
    const byte = bytes[at];
    if (byte !== undefined && byte !== QUOTE && byte !== NEWLINE) continue;
    if (at > from) parts.push(Buffer.from("'"), bytes.subarray(from, at), Buffer.from("'"));
    if (byte === QUOTE) parts.push(Buffer.from(String.raw`\'`));
    if (byte === NEWLINE) parts.push(Buffer.from(`"$${LINE_FEED}"`));
    from = at + 1;
  }
  return parts.length === 0 ? Buffer.from("''") : Buffer.concat(parts);
}

/** Bytes that `printf` prints as they are when they stand in quotes in its format: no `'`, `%`, `\`, NUL and line feed. */
const PRINTS_ITSELF = Array.from(
  { length: 256 },
  (_, byte) => byte !== 0 && !`'%\\\n`.includes(String.fromCodePoint(byte)),
);

/** Quotes any bytes, NUL too, as the format with which the shell's own `printf` prints them. */
export function quoteFormat(content: string | Uint8Array): Buffer {
  const bytes = Buffer.from(content);
  const parts: Buffer[] = [Buffer.from("'")];
  let from = 0;
  bytes.forEach((byte, at) => {
    if (PRINTS_ITSELF[byte] === true) return;
    parts.push(bytes.subarray(from, at), Buffer.from(`\\${byte.toString(8).padStart(3, '0')}`));
    from = at + 1;
  });
  parts.push(bytes.subarray(from), Buffer.from("'"));
  return Buffer.concat(parts);
}

/** A line put together from text and {@link quote}d words; words that come from outside are always Buffers. */
export function line(texts: TemplateStringsArray, ...words: readonly (Buffer | number)[]): Buffer {
  return Buffer.concat(
    texts.flatMap((text, at) => {
      const word = words[at];
      return [
        Buffer.from(text),
        ...(word === undefined ? [] : [Buffer.from(typeof word === 'number' ? String(word) : word)]),
      ];
    }),
  );
}
