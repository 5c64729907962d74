/** Makes codes that people type into a chat: short, and hard to misread. */

/** Letters and digits that are not mistaken for one another (Crockford's base 32). */
const DIGITS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** Characters of a code: 50 bits, of which ten minutes at the door's rate try fewer than 2 to the 18. */
const CODE_LENGTH = 10;

/** Formats a code from a secret's first bytes: `7K3QF-W8RXD`. */
export function codeOf(secret: string): string {
  const bytes = Buffer.from(secret, 'base64url').subarray(0, CODE_LENGTH);
  const code = [...bytes].map((byte) => DIGITS[byte % DIGITS.length]).join('');
  return `${code.slice(0, CODE_LENGTH / 2)}-${code.slice(CODE_LENGTH / 2)}`;
}

/** Normalizes a code that a person typed, for comparison. */
export function readCode(typed: string): string {
  return typed
    .toUpperCase()
    .replaceAll(/[^0-9A-Z]/gu, '')
    .replaceAll(/[IL]/gu, '1')
    .replaceAll('O', '0');
}
