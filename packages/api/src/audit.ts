/** What crosses the API about the audit: who ordered what, and whether its chains are whole. */
import { epochMs } from '@drover/protocol';
import { z } from 'zod';
import type { Actor } from './ports.ts';

/** Asks for rows, newest first: of one actor, of the last `sinceMs`. */
export const auditListInput = z.object({
  actor: z.string().min(1).max(300).optional(),
  sinceMs: z.number().int().positive().optional(),
  limit: z.number().int().min(1).max(10_000),
});

const head = z.object({
  chain: z.string().max(100),
  seq: z.number().int().positive(),
  hash: z
    .string()
    .length(64)
    .regex(/^[0-9a-f]{64}$/),
});
/** The last row of a chain. */
export type AuditHeadView = z.infer<typeof head>;

/** Heads that were kept elsewhere must still stand in their chains. */
export const auditVerifyInput = z.object({ kept: z.array(head).max(20_000) });

/** One change. `details` hold names, kinds and sums, never the words of a prompt. */
export const auditView = z.object({
  chain: z.string(),
  seq: z.number().int(),
  at: epochMs,
  /** As in `eventView`. */
  actor: z.string(),
  action: z.string(),
  about: z.string(),
  details: z.record(z.string(), z.unknown()),
  hash: z.string(),
});
/** A checked `auditView`. */
export type AuditView = z.infer<typeof auditView>;

/** Whether all is whole; else the first row that is wrong, and how. */
export const auditVerdict = z.object({
  rows: z.number().int(),
  chains: z.number().int(),
  wrong: z
    .object({
      chain: z.string(),
      seq: z.number().int(),
      how: z.enum(['changed', 'removed', 'inserted', 'reordered']),
      says: z.string(),
    })
    .nullable(),
  /** To be kept elsewhere: with them even an audit that was written anew shows. */
  heads: z.array(head),
});
/** A checked `auditVerdict`. */
export type AuditVerdict = z.infer<typeof auditVerdict>;

/** The use cases of the audit: a part of `Fleet`. */
export interface AuditFleet {
  listAudit(input: z.infer<typeof auditListInput>, by: Actor): Promise<readonly AuditView[]>;
  verifyAudit(input: z.infer<typeof auditVerifyInput>, by: Actor): Promise<AuditVerdict>;
}
