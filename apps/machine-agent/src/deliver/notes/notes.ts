/** What is written down before a text is typed, so that its fate can be found out after a crash? */
import { z } from 'zod';

const mark = z.object({ path: z.string(), offset: z.number() });

/** What is noted in the journal of one delivery. */
export const deliveryNotes = z.object({
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
/** Such notes. */
export type DeliveryNotes = z.infer<typeof deliveryNotes>;

/** @returns null when nothing was noted. */
export function readNotes(text: string | null): DeliveryNotes | null {
  if (text === null) return null;
  const parsed = deliveryNotes.safeParse(JSON.parse(text));
  return parsed.success ? parsed.data : null;
}
