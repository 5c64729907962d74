/** Messages of the agents of a run, as clients send and see them. */
import { epochMs, uuid } from '@drover/protocol';
import { z } from 'zod';

export const runMessageView = z.object({
  id: uuid,
  at: epochMs,
  from: z.string(),
  to: z.string(),
  text: z.string(),
  state: z.enum(['queued', 'delivered', 'refused', 'expired']),
  why: z.string().nullable(),
});

export type RunMessageView = z.infer<typeof runMessageView>;

/** Words of an agent. */
const message = z
  .string()
  .refine((text) => text.trim() !== '', 'The message is empty')
  .refine(
    (text) => new TextEncoder().encode(text).length <= 2_048,
    'A message has at most 2 KiB: put the rest into the result',
  );

/** Words of an agent of a run for another one. */
export const runTellInput = z.object({
  requestId: uuid,
  to: z.string().min(1).max(64).meta({ description: '@author, @reviewer, or the name of a worker' }),
  text: message,
});

/** Question of an agent of a run to a person. */
export const runAskInput = z.object({ requestId: uuid, text: message });

/** Receipt of a message. */
export interface MessageReceipt {
  readonly receipt: RunMessageView['state'];
  readonly to: string;
  readonly why: string | null;
}
