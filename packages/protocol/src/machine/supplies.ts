/** What a worktree got beside its commits, as it crosses the wire. */
import { COPY_REFUSALS, POINTER_REASONS, type Supplies } from '@drover/core';
import { z } from 'zod';
import { LIST_MAX, text } from '../names.ts';

const count = z.number().int().nonnegative();

/** What it got, and what it lacks. */
export const supplies = z.object({
  copied: z.object({ count, bytes: count }),
  unmatched: z.array(text).max(LIST_MAX).readonly(),
  forbidden: z.array(text).max(LIST_MAX).readonly(),
  refused: z.object({
    count,
    files: z
      .array(z.object({ path: text, reason: z.enum(COPY_REFUSALS) }))
      .max(LIST_MAX)
      .readonly(),
  }),
  pointers: z
    .object({ count, files: z.array(text).max(LIST_MAX).readonly(), why: z.enum(POINTER_REASONS), message: text })
    .nullable(),
  behind: text.optional(),
  submodules: z.object({
    count,
    lacking: z
      .array(z.object({ path: text, why: text }))
      .max(LIST_MAX)
      .readonly(),
  }),
}) satisfies z.ZodType<Supplies>;
