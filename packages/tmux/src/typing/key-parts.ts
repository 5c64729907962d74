/** Splits the bytes from a terminal into keys with a name and bytes to pass on. */

/** Part of the input: a key by tmux's name, or bytes in hexadecimal. */
export type KeyPart =
  | { readonly kind: 'named'; readonly name: string }
  | { readonly kind: 'bytes'; readonly bytes: readonly string[] };

/** Keys that a terminal sends in one of two ways, as its program asks: by the last character. */
const NAMES: Readonly<Record<string, string>> = {
  A: 'Up',
  B: 'Down',
  C: 'Right',
  D: 'Left',
  F: 'End',
  H: 'Home',
};
// oxlint-disable-next-line no-control-regex
const NAMED = /\u001b[[O]([ABCDFH])/g;
/** Bytes for one command of tmux: spawned, it takes 1,000 arguments. */
const BYTES_MAX = 500;

/** Splits bytes into parts, in their order. */
export function keyParts(bytes: Uint8Array): readonly KeyPart[] {
  const all = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  // Latin-1 has one character for each byte, so places in the string are places in the bytes.
  const text = all.toString('latin1');
  const parts: KeyPart[] = [];
  const pass = (from: number, to: number): void => {
    for (let at = from; at < to; at += BYTES_MAX) {
      const piece = [...all.subarray(at, Math.min(to, at + BYTES_MAX))];
      parts.push({ kind: 'bytes', bytes: piece.map((byte) => byte.toString(16).padStart(2, '0')) });
    }
  };
  let at = 0;
  for (const match of text.matchAll(NAMED)) {
    pass(at, match.index);
    const name = NAMES[match[1] ?? ''];
    if (name !== undefined) parts.push({ kind: 'named', name });
    at = match.index + match[0].length;
  }
  pass(at, all.length);
  return parts;
}
