/** Accounts with providers: what clients see, and the use case. */
import { epochMs } from '@drover/protocol';
import { z } from 'zod';
import type { Actor } from './people.ts';

/** An account whose workers wait for a limit, or try whether it is over. */
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
});

export type AccountView = z.infer<typeof accountView>;

/** The use case of accounts. */
export interface AccountFleet {
  listAccounts(by: Actor): Promise<readonly AccountView[]>;
}
