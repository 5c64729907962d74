/** Hashes secrets: only their SHA-256 is stored. */
import { hash } from 'node:crypto';

export function sha256(secret: string): string {
  return hash('sha256', secret);
}
