/** Limits of an account, as a program tells them. */
import type { Quota } from '@drover/core';
import { z } from 'zod';
import { epochMs } from './names.ts';

/** Limits that one account has at most, and characters of their names. */
const WINDOWS_MAX = 8;
const NAME_CHARS_MAX = 40;

/** A checked `quota` is core's `Quota`. */
export const quota = z.object({
  at: epochMs,
  windows: z
    .array(
      z.object({
        name: z.string().min(1).max(NAME_CHARS_MAX),
        usedPercent: z.number().min(0).max(100),
        resetsAt: epochMs.nullable(),
      }),
    )
    .max(WINDOWS_MAX)
    .readonly(),
}) satisfies z.ZodType<Quota>;
