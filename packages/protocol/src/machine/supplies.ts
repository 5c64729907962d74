/** Supplies and set-up of a worktree, as they cross the wire. */
import { COPY_REFUSALS, POINTER_REASONS, TOOL_KINDS } from '@drover/core';
import type { SetUpWanted, Supplies } from '@drover/core';
import { z } from 'zod';
import { line, LIST_MAX, text } from '../names.ts';

const count = z.number().int().nonnegative();

/** Supplies of a worktree beside its commits. */
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
  filters: z.array(text).max(LIST_MAX).readonly(),
  untrusted: z
    .array(z.object({ kind: z.enum(TOOL_KINDS), file: text }))
    .max(LIST_MAX)
    .readonly(),
  behind: text.optional(),
  submodules: z.object({
    count,
    lacking: z
      .array(z.object({ path: text, why: text }))
      .max(LIST_MAX)
      .readonly(),
  }),
}) satisfies z.ZodType<Supplies>;

/** The set-up that a place needs. */
export const setUp = z.object({ key: line, fresh: z.boolean() }) satisfies z.ZodType<SetUpWanted>;
