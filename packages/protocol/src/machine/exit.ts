/** Reports that the program in a pane has ended. */
import { z } from 'zod';
import { epochMs, line, text } from '../names.ts';

/** The end of one life of a pane. */
export const exit = z.object({
  incarnation: line,
  status: z.number().int().nullable(),
  signal: z.number().int().nullable(),
  lastLines: z.array(text).max(40).readonly(),
  limit: z.object({ resets: text.nullable() }).nullable(),
  at: epochMs,
});
