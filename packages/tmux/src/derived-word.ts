/** Derives words from a secret, so that the secret is never seen. */
import { createHash } from 'node:crypto';

/**
 * Word of 32 hexadecimal digits for one purpose, from which neither the secret nor the words for other purposes can be told. Arguments of
 * spawned commands are visible to every program (`ps`).
 */
export function derivedWord(secret: string, purpose: string): string {
  return createHash('sha256').update(`${secret}\n${purpose}`).digest('hex').slice(0, 32);
}
