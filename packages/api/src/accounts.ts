/** Accounts with providers: what clients see, and the use case. */
import { epochMs } from '@drover/protocol';
import { z } from 'zod';
import type { Actor } from './people.ts';

const limitView = z.object({
  name: z.string(),
  usedPercent: z.number(),
  resetsAt: epochMs.nullable(),
  at: epochMs,
});

/** An account that pays for workers, or whose workers wait for a limit. */
export const accountView = z.object({
  key: z.string(),
  state: z.enum(['open', 'paused', 'probing']),
  since: epochMs,
  /** Time of the next try; null while open. */
  until: epochMs.nullable(),
  /** True if the program said when its limit resets. */
  stated: z.boolean(),
  /** The worker that tries. */
  probe: z.string().nullable(),
  /** Workers that wait to go on. */
  waiting: z.array(z.string()),
  /** Workers that it pays for. */
  pays: z.array(z.string()),
  /** Its limits, each with the time at which a program told it (`at`); null: none has told one. */
  quota: z.object({ windows: z.array(limitView).readonly() }).nullable(),
  /** The same in words, as of now. */
  left: z.string(),
});

export type AccountView = z.infer<typeof accountView>;

/** The use case of accounts. */
export interface AccountFleet {
  listAccounts(by: Actor): Promise<readonly AccountView[]>;
}
