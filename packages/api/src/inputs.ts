/** What do clients send? Bad input is refused here, with words that say what was expected. */
import { workerNameProblem } from '@drover/core';
import { PROMPT_BYTES_MAX, uuid } from '@drover/protocol';
import { z } from 'zod';

const encoder = new TextEncoder();

/** Words for an agent: not empty, not larger than a message may be, and text at all. */
function words(what: string): z.ZodType<string> {
  return z
    .string()
    .refine((text) => text.trim() !== '', `The ${what} is empty: say what is to be done`)
    .refine(
      (text) => encoder.encode(text).length <= PROMPT_BYTES_MAX,
      `The ${what} is larger than ${PROMPT_BYTES_MAX / 1024} KiB: put the details into a file of the repository and name it`,
    )
    .refine(
      (text) => !text.includes('\0'),
      `The ${what} holds a zero byte, so it is not text: give a text file in UTF-8`,
    );
}

/** A worker by its name; `project` only where names are not unique. */
export const workerName = z.string().superRefine((name, ctx) => {
  const problem = workerNameProblem(name);
  if (problem !== null) ctx.addIssue({ code: 'custom', message: problem });
});

/** An order carries an id of the client's: asked again after a lost answer, it is done once. */
const orderId = uuid;

export const addInput = z.object({
  orderId,
  name: workerName,
  profile: z.string().optional(),
  model: z.string().optional(),
  rolePrompt: z.string().optional(),
  machine: z.string().optional(),
});
export const nukeInput = z.object({ orderId, name: workerName, force: z.boolean() });
export const startInput = z.object({ orderId, name: workerName.optional(), prompt: words('prompt') });
export const messageInput = z.object({ orderId, name: workerName, text: words('message') });
export const reviewInput = z.object({ name: workerName.optional() });
export const rejectInput = z.object({ orderId, name: workerName.optional(), text: words('feedback') });
export const acceptInput = z.object({ orderId, name: workerName.optional() });
export const whyInput = z.object({ name: workerName, limit: z.number().int().min(1).max(500) });
export const paneInput = z.object({ name: workerName, lines: z.number().int().min(1).max(50_000) });
export const eventsInput = z.object({
  name: workerName.optional(),
  /** Only what came after this event; without it the newest. */
  after: z.number().int().nonnegative().optional(),
  /** How long to wait for something new, in milliseconds. */
  waitMs: z.number().int().min(0).max(25_000),
  limit: z.number().int().min(1).max(500),
});
export const inviteInput = z.object({
  ttlMs: z
    .number()
    .int()
    .min(1_000)
    .max(24 * 3_600_000),
});
export const fleetInput = z.object({ orderId });
