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

/** Milliseconds at work in one report at most: a day. The rest is told by the next one. */
export const WORKED_MS_MAX = 24 * 3_600_000;

export const usageReports = [
  /** Use by the worker for a task. `usage`: all since `since`, as its program tells it; null: it does not. `workedMs`: time at work since the last report. */
  z.object({
    kind: z.literal('usage'),
    workerId: uuid,
    task: uuid,
    since: epochMs,
    /** Attempt at an item of a run that the task is for. */
    of: runItem.omit({ returns: true }).optional(),
    workedMs: z.number().int().nonnegative().max(WORKED_MS_MAX),
    usage: usage.nullable(),
  }),
  /** Limits of the account that pays for the worker. `account`: by its name; null: the first one, or the program's own login. */
  z.object({ kind: z.literal('quota'), workerId: uuid, account: line.nullable(), quota }),
] as const;
