/** What is written down before a text is typed, so that its fate can be found out after a crash? */
import { z } from 'zod';

const mark = z.object({ path: z.string(), offset: z.number() });

const notes = z.object({
  incarnation: z.string(),
  /** The text as it was typed. */
  text: z.string(),
  /** `typing`: it may stand in the box, wholly or in part. `entering`: it may have been submitted. */
  step: z.enum(['typing', 'entering']),
  /** How large these files were before: evidence of this text comes after. */
  transcript: mark.nullable(),
  hooks: mark.nullable(),
  /** The agent was at work already: taken means queued. */
  wasBusy: z.boolean(),
  /** Mark of the conversation on the screen before. */
  progress: z.string(),
});

/** A place in a file that only grows. */
export type Mark = z.infer<typeof mark>;
/** What is noted in the journal of one delivery. */
export type DeliveryNotes = z.infer<typeof notes>;

/** @returns null when nothing was noted. */
export function readNotes(text: string | null): DeliveryNotes | null {
  if (text === null) return null;
  const parsed = notes.safeParse(JSON.parse(text));
  return parsed.success ? parsed.data : null;
}
