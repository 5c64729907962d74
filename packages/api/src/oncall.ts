/** On-call steps, silences, and tests of places: what clients send and see, and the use cases. */
import { isErrorCode } from '@drover/core';
import { epochMs, NAME_MAX, uuid } from '@drover/protocol';
import { z } from 'zod';
import type { Outcome } from './outcome.ts';
import type { Actor } from './people.ts';
import { idPart, workerRef } from './texts.ts';

/** The longest silence, in milliseconds. */
const SILENCE_MAX_MS = 30 * 86_400_000;

/** Holds calls about some questions back for a while. A question must match all given fields; at least one field is given. */
export const silenceInput = z.object({
  project: z.string().min(1).max(NAME_MAX).optional(),
  worker: workerRef.optional(),
  machine: z.string().min(1).max(NAME_MAX).optional(),
  code: z
    .string()
    .refine(isErrorCode, 'The code is not an error code: "drover report errors" prints the codes')
    .optional(),
  forMs: z
    .number()
    .int()
    .min(60_000, 'The silence is shorter than a minute: give it longer')
    .max(SILENCE_MAX_MS, 'The silence is longer than 30 days: give it at most 30d'),
  reason: z
    .string()
    .max(500, 'The reason is longer than 500 characters: shorten it')
    .refine((text) => text.trim() !== '', 'The reason is empty: give one for the other people'),
});

/** Changes the end of a silence, counted from now, or its reason. */
export const editSilenceInput = z.object({
  id: idPart('a silence'),
  forMs: silenceInput.shape.forMs.optional(),
  reason: silenceInput.shape.reason.optional(),
});

/** Ends a silence early. */
export const unsilenceInput = z.object({ id: idPart('a silence') });

/** A silence that is not over. */
export const silenceView = z.object({
  id: uuid,
  /** The end of the id, which is enough to name the silence. */
  shortId: z.string(),
  project: z.string().nullable(),
  worker: z.string().nullable(),
  machine: z.string().nullable(),
  code: z.string().nullable(),
  reason: z.string(),
  until: epochMs,
  by: z.string(),
});

export type SilenceView = z.infer<typeof silenceView>;

/** On-call steps and times of one project. */
export const oncallView = z.object({
  project: z.string(),
  zone: z.string(),
  quiet: z.object({ from: z.string(), to: z.string(), days: z.array(z.string()), through: z.string() }).nullable(),
  /** End of the quiet hours that hold calls back; null: none hold calls back now. */
  quietUntil: epochMs.nullable(),
  steps: z.array(z.object({ afterMs: z.number().int(), notify: z.array(z.string()) })),
  repeat: z.number().int(),
  ackReminderMs: z.number().int(),
  timeout: z.object({ afterMs: z.number().int(), answer: z.string() }).nullable(),
  answerRole: z.string(),
  severity: z.record(z.string(), z.string()),
  /** Places that `*` stands for. */
  places: z.array(z.object({ place: z.string(), person: z.string().nullable() })),
  /** Problems of the steps, such as a person without a place. */
  problems: z.array(z.string()),
  silences: z.array(silenceView),
  /** Questions that wait, and the number of those whose calls are held back. */
  waiting: z.number().int(),
  held: z.number().int(),
});

export type OncallView = z.infer<typeof oncallView>;

/** A chat service in which people are asked, and which no bot serves. */
export const chatView = z.object({
  channel: z.string(),
  /** Number of chats that get no questions. */
  places: z.number().int(),
  /** Time of the last service by a bot; null: no bot ever served the channel. */
  servedUntil: epochMs.nullable(),
});

export type ChatView = z.infer<typeof chatView>;

/** Tests one place: a target of the steps, or a linked place. Without `place`, tests all targets of the steps. */
export const testOncallInput = z.object({ place: z.string().min(1).max(300).optional() }).default({});

/** The result of testing a place. */
export const triedView = z.object({
  place: z.string(),
  outcome: z.enum(['sent', 'failed', 'not-tried']),
  message: z.string(),
});

export type TriedView = z.infer<typeof triedView>;

/** The use cases of being on call. */
export interface OncallFleet {
  /** Returns an entry for each project in reach. */
  showOncall(by: Actor): Promise<readonly OncallView[]>;
  /** Refuses with `not-found` of a given subject, and with `invalid` if no subject is given. The same `requestId` again begins no second silence. */
  silence(
    input: z.infer<typeof silenceInput> & { readonly requestId?: string },
    by: Actor,
  ): Promise<Outcome<SilenceView>>;
  editSilence(input: z.infer<typeof editSilenceInput>, by: Actor): Promise<Outcome<SilenceView>>;
  unsilence(input: z.infer<typeof unsilenceInput>, by: Actor): Promise<Outcome<SilenceView>>;
  /** Lists chats that no bot served for two minutes. */
  unservedChats(): Promise<readonly ChatView[]>;
  /**
   * Sends a test mail to each address, and a test card to each chat, that a step names, or to the one place. Waits some
   * seconds for the bots. Refuses with `not-found` if the place is neither linked nor in a step.
   */
  testOncall(input: z.output<typeof testOncallInput>, by: Actor): Promise<Outcome<readonly TriedView[]>>;
}
