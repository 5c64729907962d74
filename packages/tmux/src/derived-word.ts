/** How does a secret word serve several purposes without being seen in any of them? */
import { createHash } from 'node:crypto';

/**
 * A word of 32 hexadecimal digits for one purpose, from which neither the secret nor the words for
 * other purposes can be told. Arguments of spawned commands are visible to every program (`ps`).
 */
export function derivedWord(secret: string, purpose: string): string {
  return createHash('sha256').update(`${secret}\n${purpose}`).digest('hex').slice(0, 32);
}
