/** Notes written before a text is typed, so that its fate can be found out after a crash. */
import { z } from 'zod';
import { sentTo } from '../../channels/channel.ts';

const mark = z.object({ path: z.string(), offset: z.number() });

/** Notes in the journal about one delivery. */
export const deliveryNotes = z.object({
  incarnation: z.string(),
  /** Text as it was typed. */
  text: z.string(),
  /** `typing`: the text may stand in the box, wholly or in part. `entering`: it may have been submitted. `sent`: by a channel. */
  step: z.enum(['typing', 'entering', 'sent']),
  /** Place to which a channel sent it. Absent: it was typed. */
  sentTo: sentTo.optional(),
  /** Sizes of these files before: evidence of this text comes after them. */
  transcript: mark.nullable(),
  hooks: mark.nullable(),
  /** True if the agent was at work already: taken means queued. */
  wasBusy: z.boolean(),
  /** Mark of the conversation on the screen before. */
  progress: z.string(),
});

/** Position in a file that only grows. */
export type Mark = z.infer<typeof mark>;
export type DeliveryNotes = z.infer<typeof deliveryNotes>;

/** @returns null when nothing was noted. */
export function readNotes(text: string | null): DeliveryNotes | null {
  if (text === null) return null;
  const parsed = deliveryNotes.safeParse(JSON.parse(text));
  return parsed.success ? parsed.data : null;
}
