/** Questions to people: what clients send and see, and the use cases. */
import { SNOOZE_MAX_MS } from '@drover/core';
import { epochMs, uuid } from '@drover/protocol';
import { z } from 'zod';
import { machineState } from './machines.ts';
import type { Outcome } from './outcome.ts';
import type { Actor } from './people.ts';
import { idPart, words, workerName } from './texts.ts';
import { workerStatus } from './workers.ts';

/** Characters of a comment. */
const COMMENT_CHARS_MAX = 4_000;

/** Asks for escalations, newest first: those that wait for an answer, or all. */
export const escalationsInput = z.object({
  worker: workerName.optional(),
  all: z.boolean(),
  limit: z.number().int().min(1).max(1_000),
});

/** Names one escalation. */
export const escalationInput = z.object({ id: idPart('an escalation') });

/** Tells others that somebody looks. The same `requestId` again gets the first reply; without one it is a request of its own. */
export const ackInput = escalationInput.extend({ requestId: uuid.optional() });

/** No person is called until then; the question stays open, and anybody may answer it. The same `requestId` again gets the first reply. */
export const snoozeInput = escalationInput.extend({
  requestId: uuid,
  forMs: z
    .number()
    .int()
    .min(60_000, 'The snooze is shorter than a minute: give it longer')
    .max(SNOOZE_MAX_MS, 'The snooze is longer than 24 hours: give it at most 24h, and snooze it again then'),
});

/** Calls whom the next step names, at once. The same `requestId` again gets the first reply. */
export const escalateInput = escalationInput.extend({ requestId: uuid });

/** Words for the others who look at it; its worker does not get them. The same `requestId` again gets the first reply. */
export const commentInput = escalationInput.extend({
  requestId: uuid,
  text: words('comment').refine((text) => text.length <= COMMENT_CHARS_MAX, {
    error: `The comment is longer than ${COMMENT_CHARS_MAX} characters: shorten it`,
  }),
});

/** An answer. `text` is for options that need words. The same `requestId` again gets the first reply. */
export const resolveInput = z.object({
  requestId: uuid,
  id: idPart('an escalation'),
  option: z.string().min(1).max(200),
  /** The asking that the person saw: an answer to another one is refused as `changed`. Clients that name none mean the first. */
  asked: z.number().int().min(1).default(1),
  text: words('text').optional(),
});

/** The diagnostic bundle: what was known when a person was asked. Lines of panes are redacted. */
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
  /** Its first 200 characters. */
  prompt: z.string().nullable(),
  worktree: z.string(),
  code: z.string(),
  errorId: uuid.nullable(),
  attempts: z.number().int(),
  tried: z.array(z.string()),
  /** What was done about it, oldest first. */
  history: z.array(z.object({ at: epochMs, kind: z.string(), action: z.string() })),
  pane: z.array(z.string()),
  /** What `git status` printed of its worktree. */
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
  /** Of the screen that is asked about. */
  fingerprint: z.string().nullable(),
  /** A hint that other workers may have the same trouble. */
  storm: z.string().nullable(),
});

/** A checked `escalationContext`. */
export type EscalationContext = z.infer<typeof escalationContext>;

/** Every state of an escalation. */
export const escalationStatuses = ['open', 'acked', 'resolved', 'expired', 'cancelled'] as const;

/** Which escalations are wanted, newest first. `after` is the time and the id of the last one of the page before. */
export interface EscalationPage {
  readonly status: readonly (typeof escalationStatuses)[number][];
  readonly limit: number;
  readonly project: string | undefined;
  readonly worker: string | undefined;
  readonly after: { readonly at: number; readonly id: string } | undefined;
}

/** One escalation. *Accepted* is `status` and `resolution`; *applied* is `application`. */
export const escalationView = z.object({
  id: uuid,
  /** The end of the id, which is enough to name it. */
  shortId: z.string(),
  worker: z.string(),
  /** More than one when a storm was folded. */
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
  /** How many times it was asked; an answer names it. */
  asked: z.number().int(),
  occurrences: z.number().int(),
  ackedBy: z.string().nullable(),
  createdAt: epochMs,
  updatedAt: epochMs,
  resolvedAt: epochMs.nullable(),
  /** No person is called before. */
  snoozedUntil: epochMs.nullable(),
  /** When an acknowledgement lapses, and the question is open again. */
  ackUntil: epochMs.nullable(),
  /** When a default answer is given, if no person answers, and which option that is. */
  timeoutAt: epochMs.nullable(),
  timeoutAnswer: z.string().nullable(),
  /** Steps of calls that were done in this run, and when the next one is due. */
  step: z.number().int(),
  nextStepAt: epochMs.nullable(),
  /** The least role whose answer counts. */
  mayAnswer: z.enum(['responder', 'operator', 'admin']),
  context: escalationContext,
  /** Commands that work as they stand here, the answers first. */
  commands: z.array(z.string()),
});

/** A checked `escalationView`. */
export type EscalationView = z.infer<typeof escalationView>;

/** What somebody said of it. */
export const responseView = z.object({
  kind: z.enum(['answer', 'ack', 'snooze', 'escalate', 'comment']),
  by: z.string(),
  at: epochMs,
  asked: z.number().int(),
  option: z.string().nullable(),
  text: z.string().nullable(),
  /** Of a snooze: its end. */
  until: epochMs.nullable(),
  /** Why it was refused, in a word; null: it was not. */
  refused: z.string().nullable(),
});

/** A checked `responseView`. */
export type ResponseView = z.infer<typeof responseView>;

/** Where people are told of it, and whether they are. */
export const questionDelivery = z.object({
  /** `slack:C012`, or `telegram of ada` for a person's own. */
  place: z.string(),
  /** How often it called there. */
  pings: z.number().int(),
  /** When the place showed it last; null: it does not. */
  shownAt: epochMs.nullable(),
  /** It shows the question as it is now. */
  isCurrent: z.boolean(),
  /** Why the last try failed; null: it did not. */
  error: z.string().nullable(),
  /** It is not tried again there. */
  isFinal: z.boolean(),
});

/** A checked `questionDelivery`. */
export type QuestionDelivery = z.infer<typeof questionDelivery>;

/** One escalation with what was said of it, oldest first, and where it is shown. */
export const escalationDetail = escalationView.extend({
  responses: z.array(responseView),
  deliveries: z.array(questionDelivery),
});

/** A checked `escalationDetail`. */
export type EscalationDetail = z.infer<typeof escalationDetail>;

/** The use cases of questions to people. */
export interface EscalationFleet {
  listEscalations(input: z.infer<typeof escalationsInput>, by: Actor): Promise<readonly EscalationView[]>;
  /** A page of a long list. Refused with `not-found` of the project. */
  listEscalationPage(page: EscalationPage, by: Actor): Promise<Outcome<EscalationView[]>>;
  escalation(input: z.infer<typeof escalationInput>, by: Actor): Promise<Outcome<EscalationDetail>>;
  /** Notes that a person looks: the calls stop, and the person is reminded. The question stays open. */
  ackEscalation(input: z.infer<typeof ackInput>, by: Actor): Promise<Outcome<EscalationView>>;
  snoozeEscalation(input: z.infer<typeof snoozeInput>, by: Actor): Promise<Outcome<EscalationView>>;
  escalateEscalation(input: z.infer<typeof escalateInput>, by: Actor): Promise<Outcome<EscalationView>>;
  /** Also of one that is over. */
  commentEscalation(input: z.infer<typeof commentInput>, by: Actor): Promise<Outcome<EscalationView>>;
  /** The first valid answer to the present asking wins; a second one is told who won. */
  resolveEscalation(input: z.infer<typeof resolveInput>, by: Actor): Promise<Outcome<EscalationView>>;
}
