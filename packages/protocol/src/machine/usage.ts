/** Reports of what agents use, and of what is left of the accounts that pay for them. */
import type { Quota } from '@drover/core';
import { z } from 'zod';
import { epochMs, line, uuid } from '../names.ts';
import { runItem, usage } from '../run/results.ts';

/** Limits that one account has at most, and characters of their names. */
const WINDOWS_MAX = 8;
const NAME_CHARS_MAX = 40;

const limit = z.object({
  name: z.string().min(1).max(NAME_CHARS_MAX),
  usedPercent: z.number().min(0).max(100),
  resetsAt: epochMs.nullable(),
  at: epochMs,
});

const quota = z.object({ windows: z.array(limit).max(WINDOWS_MAX).readonly() }) satisfies z.ZodType<Quota>;

export const usageReports = [
  /** Use by the worker's attempt at an item of a run so far, as its program tells it. */
  z.object({ kind: z.literal('usage'), workerId: uuid, of: runItem.omit({ returns: true }), usage }),
  /** Limits of the account that pays for the worker. `account`: by its name; null: the first one, or the program's own login. */
  z.object({ kind: z.literal('quota'), workerId: uuid, account: line.nullable(), quota }),
] as const;
