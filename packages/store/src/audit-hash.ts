// Chains the rows of the audit: the same sum as in sql/people/audit.ts.
import { createHash } from 'node:crypto';

/** The hash of a row, from the one before it in its chain; that is empty before the first. */
export function auditHash(before: string, { chain, seq, body }: { chain: string; seq: number; body: string }): string {
  return createHash('sha256').update(`${before} ${chain} ${seq} ${body}`).digest('hex');
}
