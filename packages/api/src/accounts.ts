/** Accounts with providers: what clients see, and the use case. */
import { epochMs } from '@drover/protocol';
import { z } from 'zod';
import type { Actor } from './people.ts';

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
  /** Rest of its limits, and the time at which a program told it; null: none has told it. */
  quota: z
    .object({
      at: epochMs,
      windows: z
        .array(z.object({ name: z.string(), usedPercent: z.number(), resetsAt: epochMs.nullable() }))
        .readonly(),
    })
    .nullable(),
  /** The same in words, as of now. */
  left: z.string(),
});

export type AccountView = z.infer<typeof accountView>;

/** The use case of accounts. */
export interface AccountFleet {
  listAccounts(by: Actor): Promise<readonly AccountView[]>;
}
