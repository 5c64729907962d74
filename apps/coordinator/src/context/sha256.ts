/** Secrets are stored as their SHA-256 only. */
import { hash } from 'node:crypto';

/** The form in which a secret is stored. */
export function sha256(secret: string): string {
  return hash('sha256', secret);
}
