/** Names a thing that is reported again and again: the same name each time, so that people are asked about it once. */

/**
 * Makes a UUID (version 8, RFC 9562) of words: the same words, the same UUID. Not for secrets: four sums of 32 bits (FNV-1a) tell apart the
 * failures of one task, and other words with the same name can be made on purpose.
 */
export function idOfWords(words: string): string {
  const digits = [1, 2, 3, 4].map((salt) => sumOf(`${salt}|${words}`).toString(16).padStart(8, '0')).join('');
  const variant = ((Number.parseInt(digits.charAt(16), 16) & 0x3) | 0x8).toString(16);
  return [
    digits.slice(0, 8),
    digits.slice(8, 12),
    `8${digits.slice(13, 16)}`,
    `${variant}${digits.slice(17, 20)}`,
    digits.slice(20, 32),
  ].join('-');
}

/** Computes FNV-1a with 32 bits. */
export function sumOf(words: string): number {
  let sum = 0x811c9dc5;
  for (let at = 0; at < words.length; at += 1) sum = Math.imul(sum ^ words.charCodeAt(at), 0x01000193);
  return sum >>> 0;
}
