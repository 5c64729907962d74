/** Questions to people: what clients send and see, and the use cases. */
import { SNOOZE_MAX_MS } from '@drover/core';
import { epochMs, uuid } from '@drover/protocol';
import { z } from 'zod';
import { machineState } from './machines.ts';
import type { Outcome } from './outcome.ts';
import type { Actor } from './people.ts';
import { idPart, words, workerName } from './texts.ts';
import { workerStatus } from './workers/workers.ts';

/** Characters of a comment. */
const COMMENT_CHARS_MAX = 4_000;

/** Asks for escalations, newest first: those that wait for an answer, or all. */
export const escalationsInput = z.object({
  worker: workerName.optional(),
  all: z.boolean(),
  limit: z.number().int().min(1).max(1_000),
});

export const escalationInput = z.object({ id: idPart('an escalation') });

/** Tells others that somebody looks. The same `requestId` again gets the first reply; without `requestId` each call is a new request. */
export const ackInput = escalationInput.extend({ requestId: uuid.optional() });

/** Holds calls back for a time; the question stays open, and anybody may answer it. The same `requestId` again gets the first reply. */
export const snoozeInput = escalationInput.extend({
  requestId: uuid,
  forMs: z
    .number()
    .int()
    .min(60_000, 'The snooze is shorter than a minute: give it longer')
    .max(SNOOZE_MAX_MS, 'The snooze is longer than 24 hours: give at most 24h, and snooze again later'),
});

/** Calls the people of the next step at once. The same `requestId` again gets the first reply. */
export const escalateInput = escalationInput.extend({ requestId: uuid });

/** A comment for other people who look at the question; its worker does not get the comment. The same `requestId` again gets the first reply. */
export const commentInput = escalationInput.extend({
  requestId: uuid,
  text: words('comment').refine((text) => text.length <= COMMENT_CHARS_MAX, {
    error: `The comment is longer than ${COMMENT_CHARS_MAX} characters: shorten it`,
  }),
});

/** An answer. `text` is for options that need a text. The same `requestId` again gets the first reply. */
export const resolveInput = z.object({
  requestId: uuid,
  id: idPart('an escalation'),
  option: z.string().min(1).max(200),
  /** The asking that the person saw: an answer to another asking is refused as `changed`. Clients that send no number mean the first. */
  asked: z.number().int().min(1).default(1),
  text: words('text').optional(),
});

/** The diagnostic bundle: facts at the time of the question. Lines of panes are redacted. */
export const escalationContext = z.object({
  worker: z.string(),
  project: z.string(),
  machine: z.string(),
  machineState,
  profile: z.string(),
  account: z.string(),
  status: workerStatus,
  note: z.string(),
  lastActivityAt: epochMs.nullable(),
  /** The first 200 characters of the prompt. */
  prompt: z.string().nullable(),
  worktree: z.string(),
  code: z.string(),
  errorId: uuid.nullable(),
  attempts: z.number().int(),
  tried: z.array(z.string()),
  /** Actions on the incident, oldest first. */
  history: z.array(z.object({ at: epochMs, kind: z.string(), action: z.string() })),
  pane: z.array(z.string()),
  /** Lines of `git status` of the worktree. */
  gitStatus: z.array(z.string()),
  git: z
    .object({
      head: z.string(),
      ahead: z.number().int(),
      dirty: z.number().int(),
      subject: z.string(),
      rebasing: z.boolean(),
      unmerged: z.number().int(),
    })
    .nullable(),
  remediation: z.array(z.string()),
  /** Fingerprint of the screen that the question is about. */
  fingerprint: z.string().nullable(),
  /** A hint that other workers may have the same trouble. */
  storm: z.string().nullable(),
  /** The run that asks; absent: a worker does. */
  run: z.object({ id: uuid, question: z.string(), about: z.string(), commit: z.string().nullable() }).optional(),
});

export type EscalationContext = z.infer<typeof escalationContext>;

/** Every state of an escalation. */
export const escalationStatuses = ['open', 'acked', 'resolved', 'expired', 'cancelled'] as const;

/** The wanted escalations, newest first. `after` is the time and the id of the last escalation of the previous page. */
export interface EscalationPage {
  readonly status: readonly (typeof escalationStatuses)[number][];
  readonly limit: number;
  readonly project: string | undefined;
  readonly worker: string | undefined;
  readonly after: { readonly at: number; readonly id: string } | undefined;
}

/** An escalation. *Accepted* is `status` and `resolution`; *applied* is `application`. */
export const escalationView = z.object({
  id: uuid,
  /** The end of the id, which is enough to name the escalation. */
  shortId: z.string(),
  worker: z.string(),
  /** Holds several workers if a storm was folded. */
  workers: z.array(z.object({ worker: z.string(), incident: uuid.nullable(), over: z.boolean() })),
  level: z.number().int(),
  severity: z.string(),
  status: z.enum(escalationStatuses),
  title: z.string(),
  body: z.string(),
  question: z.object({
    kind: z.enum(['choice', 'text', 'approve']),
    options: z.array(z.object({ id: z.string(), label: z.string(), needsText: z.boolean() })),
  }),
  resolution: z.object({ option: z.string(), text: z.string().nullable(), by: z.string(), at: epochMs }).nullable(),
  application: z.enum(['pending', 'applied', 'rejected_stale', 'failed']).nullable(),
  /** Number of the present asking; an answer names it. */
  asked: z.number().int(),
  occurrences: z.number().int(),
  ackedBy: z.string().nullable(),
  createdAt: epochMs,
  updatedAt: epochMs,
  resolvedAt: epochMs.nullable(),
  /** Time before which no person is called. */
  snoozedUntil: epochMs.nullable(),
  /** Time when an acknowledgement expires, and the question is open again. */
  ackUntil: epochMs.nullable(),
  /** Time when the default answer is given if nobody answers, and the option of that answer. */
  timeoutAt: epochMs.nullable(),
  timeoutAnswer: z.string().nullable(),
  /** Steps of calls that were done in this run, and the time of the next step. */
  step: z.number().int(),
  nextStepAt: epochMs.nullable(),
  /** The least role whose answer counts. */
  mayAnswer: z.enum(['responder', 'operator', 'admin']),
  context: escalationContext,
  /** Commands that can be pasted unchanged, the answers first. */
  commands: z.array(z.string()),
});

export type EscalationView = z.infer<typeof escalationView>;

/** A response to the question. */
export const responseView = z.object({
  kind: z.enum(['answer', 'ack', 'snooze', 'escalate', 'comment']),
  by: z.string(),
  at: epochMs,
  asked: z.number().int(),
  option: z.string().nullable(),
  text: z.string().nullable(),
  /** End of a snooze. */
  until: epochMs.nullable(),
  /** Reason for the refusal, in a word; null: the answer was not refused. */
  refused: z.string().nullable(),
});

export type ResponseView = z.infer<typeof responseView>;

/** A place that shows the question to people, and the state of the delivery. */
export const questionDelivery = z.object({
  /** `slack:C012`, or `telegram of ada` for a person's own chat. */
  place: z.string(),
  /** Number of calls there. */
  pings: z.number().int(),
  /** Time when the place last showed the question; null: the place does not show it. */
  shownAt: epochMs.nullable(),
  /** True if the place shows the present state of the question. */
  isCurrent: z.boolean(),
  /** Reason why the last try failed; null: it succeeded. */
  error: z.string().nullable(),
  /** True if the delivery is not retried there. */
  isFinal: z.boolean(),
});

export type QuestionDelivery = z.infer<typeof questionDelivery>;

/** An escalation with its responses, oldest first, and the places that show it. */
export const escalationDetail = escalationView.extend({
  responses: z.array(responseView),
  deliveries: z.array(questionDelivery),
});

export type EscalationDetail = z.infer<typeof escalationDetail>;

/** The use cases of questions to people. */
export interface EscalationFleet {
  listEscalations(input: z.infer<typeof escalationsInput>, by: Actor): Promise<readonly EscalationView[]>;
  /** Reads a page of a long list. Refuses with `not-found` of the project. */
  listEscalationPage(page: EscalationPage, by: Actor): Promise<Outcome<EscalationView[]>>;
  escalation(input: z.infer<typeof escalationInput>, by: Actor): Promise<Outcome<EscalationDetail>>;
  /** Notes that a person looks: the calls stop, and the person is reminded. The question stays open. */
  ackEscalation(input: z.infer<typeof ackInput>, by: Actor): Promise<Outcome<EscalationView>>;
  snoozeEscalation(input: z.infer<typeof snoozeInput>, by: Actor): Promise<Outcome<EscalationView>>;
  escalateEscalation(input: z.infer<typeof escalateInput>, by: Actor): Promise<Outcome<EscalationView>>;
  /** Comments on ended escalations too. */
  commentEscalation(input: z.infer<typeof commentInput>, by: Actor): Promise<Outcome<EscalationView>>;
  /** Accepts the first valid answer to the present asking; a second answer is refused with the name of the winner. */
  resolveEscalation(input: z.infer<typeof resolveInput>, by: Actor): Promise<Outcome<EscalationView>>;
}
