/** What do clients send? Bad input is refused here, with words that say what was expected. */
import { workerNameProblem } from '@drover/core';
import { NAME_MAX, PROMPT_BYTES_MAX, shownName, uuid } from '@drover/protocol';
import { z } from 'zod';

const encoder = new TextEncoder();

/** Words for an agent: not empty, not larger than a message may be, and text at all. */
export function words(what: string): z.ZodType<string> {
  return z
    .string()
    .max(PROMPT_BYTES_MAX, tooLong(what))
    .refine((text) => text.trim() !== '', `The ${what} is empty: say what is to be done`)
    .refine((text) => encoder.encode(text).length <= PROMPT_BYTES_MAX, tooLong(what))
    .refine(
      (text) => !text.includes('\0') && text.isWellFormed(),
      `The ${what} holds a zero byte or half a character, so it is not text: give a text file in UTF-8`,
    );
}

function tooLong(what: string): string {
  return `The ${what} is larger than ${PROMPT_BYTES_MAX / 1024} KiB: put the details into a file of the repository and name it`;
}

/** A worker by its name; `project` only where names are not unique. */
export const workerName = z
  .string()
  .max(NAME_MAX)
  .superRefine((name, ctx) => {
    const problem = workerNameProblem(name);
    if (problem !== null) ctx.addIssue({ code: 'custom', message: problem });
  });

/** An order carries an id of the client's: asked again after a lost answer, it is done once. */
const orderId = uuid;

/**
 * A new worker. What is left out comes from the configuration; the machine, from who is connected and has fewest workers.
 */
export const addInput = z.object({
  orderId,
  name: workerName,
  profile: shownName('a profile').optional(),
  model: shownName('a model').optional(),
  rolePrompt: z.string().max(PROMPT_BYTES_MAX, tooLong('role prompt')).optional(),
  machine: shownName('a machine').optional(),
});
/** Removes a worker. Without `force` only one whose work is merged. */
export const nukeInput = z.object({ orderId, name: workerName, force: z.boolean() });
/** Gives a task. Without a name the pool's best idle worker takes it. */
export const startInput = z.object({ orderId, name: workerName.optional(), prompt: words('prompt') });
/** Words for a worker's agent, delivered as they are. */
export const messageInput = z.object({ orderId, name: workerName, text: words('message') });
/** Asks for the work of a worker; without a name, of the one that waits longest for review. With `stat` its diff is the list of its files. */
export const reviewInput = z.object({ name: workerName.optional(), stat: z.boolean().optional() });
/** Sends work back with feedback; without a name, that of the worker that the caller reviewed last. */
export const rejectInput = z.object({ orderId, name: workerName.optional(), text: words('feedback') });
/** A commit as people name it. */
const commit = z
  .string()
  .max(64, 'The name of a commit has at most 64 characters')
  .transform((name) => name.toLowerCase())
  .refine(
    (name) => /^[0-9a-f]{7,64}$/u.test(name),
    'Expected the name of a commit, or at least its first 7 characters, such as 1a2b3c4',
  );

/**
 * Orders the merge of what the caller has seen; without a name, of the worker that the caller reviewed last. `head`: the commit
 * that was seen, when it is not the last that the caller reviewed here.
 */
export const acceptInput = z.object({ orderId, name: workerName.optional(), head: commit.optional() });
/** Asks for a worker's last decision and at most `limit` lines of its history, newest first. */
export const whyInput = z.object({ name: workerName, limit: z.number().int().min(1).max(500) });
/** Asks for the last lines of a worker's screen and scrollback, at most `lines`. */
export const paneInput = z.object({ name: workerName, lines: z.number().int().min(1).max(50_000) });
/** A profile document as it stands in a file; it is checked by the coordinator. */
export const putProfileInput = z.object({ document: z.unknown() });
/** The name of a profile that is taken back. */
export const removeProfileInput = z.object({ name: shownName('a profile') });
/** For what a worker's screen shows and why. */
export const screenInput = z.object({ name: workerName });
/**
 * Asks for history, of one worker or of all. With `waitMs` the answer waits for something new: 25 s at most, shorter than
 * the patience of common proxies.
 */
export const eventsInput = z.object({
  name: workerName.optional(),
  /** Only what came after this event; without it the newest. */
  after: z.number().int().nonnegative().optional(),
  /** How long to wait for something new, in milliseconds. */
  waitMs: z.number().int().min(0).max(25_000),
  limit: z.number().int().min(1).max(500),
});
/** Asks for a join token that is good for `ttlMs`: one second to one day. */
export const inviteInput = z.object({
  ttlMs: z
    .number()
    .int()
    .min(1_000)
    .max(24 * 3_600_000),
});
/** A machine by its name. */
export const machineInput = z.object({ name: z.string().min(1).max(500) });
/** Removes a machine. Without `force` only one that has no workers. */
export const removeMachineInput = machineInput.extend({ force: z.boolean() });
/** An order to every worker at once. */
export const fleetInput = z.object({ orderId });
