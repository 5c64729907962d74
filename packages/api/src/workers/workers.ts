/** Workers: what clients send and see, and the use cases. */
import { DEADLINE_NAMES, WORKER_STATUSES } from '@drover/core';
import { PROMPT_BYTES_MAX, epochMs, shownName, uuid } from '@drover/protocol';
import type { QueryResult } from '@drover/protocol';
import { z } from 'zod';
import { machineState } from '../machines.ts';
import type { conversationInput, ConversationView, paneInput, PaneView } from './shown.ts';
import type { Outcome } from '../outcome.ts';
import type { Actor } from '../people.ts';
import { projectName } from '../projects/projects.ts';
import { labels, roleName, tooLong, words, workerName, workerRef } from '../texts.ts';

/**
 * A new worker. Absent settings come from the configuration. Without a machine, Drover picks the machine with the
 * fewest workers of those that can take it.
 */
export const addInput = z.object({
  requestId: uuid,
  name: workerName,
  /** Needed only if several projects exist. */
  project: projectName.optional(),
  profile: shownName('a profile').optional(),
  model: shownName('a model').optional(),
  rolePrompt: z.string().max(PROMPT_BYTES_MAX, tooLong('role prompt')).optional(),
  machine: shownName('a machine').optional(),
  /** Role of the worker: a task can ask for a role. */
  role: roleName.optional(),
  /** Labels that the worker's machine needs, now and after a move. */
  labels: labels.optional(),
});

const taskEnd = z.enum(['drop', 'requeue']).optional();

/** Removes a worker. Without `force` only a worker whose work is merged; with a task in hand only with `task`, the end of that task. */
export const nukeInput = z.object({ requestId: uuid, name: workerRef, force: z.boolean(), task: taskEnd });

/** Moves a worker to another machine; `dryRun` only reports the plan. */
export const moveInput = z.object({
  requestId: uuid,
  name: workerRef,
  machine: shownName('a machine'),
  dryRun: z.boolean(),
});

/** Cancels a move: the worker continues on its previous machine. */
export const cancelMoveInput = z.object({ requestId: uuid, name: workerRef });

/** A text for a worker's agent, delivered unchanged. */
export const messageInput = z.object({ requestId: uuid, name: workerRef, text: words('message') });

/** Asks for a worker's last decision and at most `limit` lines of its history, newest first. */
export const whyInput = z.object({ name: workerRef, limit: z.number().int().min(1).max(500) });

/** Asks for the content of a worker's screen and its reading. */
export const screenInput = z.object({ name: workerRef });

/**
 * Asks for history, of one worker or of all. With `waitMs` the answer waits for a new event: 25 s at most, shorter than
 * the timeout of common proxies.
 */
export const eventsInput = z.object({
  name: workerRef.optional(),
  /**
   * Asks only for events after this event, oldest first: a client that continues after its last event misses none.
   * Absent: the newest, newest first.
   */
  after: z.number().int().nonnegative().optional(),
  /** Milliseconds to wait for an event after that event. */
  waitMs: z.number().int().min(0).max(25_000),
  limit: z.number().int().min(1).max(500),
});

/** A request to every worker at once. */
export const fleetInput = z.object({ requestId: uuid });

/** The state of a worker; core's `STATUS_MEANING` says what each means. */
export const workerStatus = z.enum(WORKER_STATUSES);

/** A train: accepted work that is stacked, checked and published together, from the view of one of its workers. */
export const trainView = z.object({
  conductor: z.string(),
  /** The conductor has place 1. */
  place: z.number().int(),
  of: z.number().int(),
  /** Workers of the train in order; empty for workers other than the conductor. */
  names: z.array(z.string()),
  /** Number of the first `names` that are being checked or published; 0: the default branch alone. Null: the train is being built. */
  at: z.number().int().nullable(),
  /** Known runs of the checks. */
  runs: z.number().int(),
});

/** A worker as `drover status` shows it. Times are epoch milliseconds. */
export const workerView = z.object({
  id: uuid,
  name: z.string(),
  project: z.string(),
  machine: z.string(),
  machineState,
  profile: z.string(),
  model: z.string().nullable(),
  status: workerStatus,
  /** Reason for the worker's state, in words. */
  note: z.string(),
  /** The state of the screen, in one word; null if nothing was seen. */
  screen: z.string().nullable(),
  prompt: z.string().nullable(),
  branch: z.string(),
  worktree: z.string(),
  /** True if a session may exist: there is one, or its machine is opening or closing one. */
  mayHaveSession: z.boolean(),
  /** Id of the run that its task is for; null: none. A run asks for itself about the work of its workers. */
  run: z.string().nullable(),
  /** Commit that waits for a person's review; null: none does, or it is not known yet. */
  commit: z.string().nullable(),
  crashes: z.number().int(),
  accepting: z.string().nullable(),
  /** The silent machine that stops its accepted work, as a clause; null: none does. */
  heldUp: z.string().nullable(),
  /** The commit of the default branch that fails the checks by itself while the work waits for a fix, accepted or not; null: none. */
  brokenBase: z.string().nullable(),
  /** Place of the worker in a train of accepted work; null if the worker is in none. */
  train: trainView.nullable(),
  /** The machine that runs the checks of its merge, and the reason for that choice; null if the work is not being merged. */
  checkedOn: z.object({ machine: z.string(), why: z.string() }).nullable(),
  /** Reason why a train left without the work; null once it is accepted again. */
  sentBack: z.object({ command: z.string(), before: z.array(z.string()), at: epochMs }).nullable(),
  /** True if the worker's task is over, but the agent has not stopped yet. */
  stopping: z.boolean(),
  /** Target and progress of the worker's move, in words; null: the worker does not move. */
  moving: z.string().nullable(),
  /** The branch on which the accepted work waits for people to merge it; null: the work was not handed over. */
  offered: z.string().nullable(),
  /** Supplies that the worktree lacks beside commits, such as the content of LFS files: a sentence for each, with the remedy. */
  lacks: z.array(z.string()),
  /** Time when the worker came into its state, or its work was accepted; later observations do not change it. */
  since: epochMs,
  createdAt: epochMs,
});

/** The plan or the result of `drover worker move`. */
export const movePlanView = z.object({
  worker: workerView,
  from: z.string(),
  to: z.string(),
  /** Steps, in order, a sentence each. */
  steps: z.array(z.string()),
  /** Things that stay behind. */
  left: z.array(z.string()),
  /** False after a dry run. */
  requested: z.boolean(),
});
export type MovePlanView = z.infer<typeof movePlanView>;

export type WorkerView = z.infer<typeof workerView>;

/**
 * Facts about committed work: its candidate on the newest default branch, the result of the project's checks on that,
 * and the present step. Times are epoch milliseconds.
 */
export const workView = z.object({
  /** The present step: making the candidate, running the checks on it, or on the default branch alone, rebasing work that conflicts. */
  step: z.enum(['candidate', 'checks', 'base', 'rebase']).nullable(),
  /**
   * `clash`: the work conflicts with `base` in `files`; `contained`: `base` has all of the work, so nothing would be
   * merged; `rewritten`: the work stands on commits that `base` no longer has.
   */
  candidate: z
    .object({
      kind: z.enum(['candidate', 'clash', 'contained', 'rewritten']),
      head: z.string(),
      base: z.string(),
      /** The commit of the merge, and its tree; null if nothing can be merged. */
      commit: z.string().nullable(),
      tree: z.string().nullable(),
      files: z.array(z.string()),
    })
    .nullable(),
  checks: z
    .object({
      /** The commit that the checks ran on: checks of another commit or tree say nothing about the candidate. */
      commit: z.string(),
      tree: z.string(),
      at: epochMs,
      /** `none`: the project has no checks. */
      result: z.enum(['passed', 'failed', 'none']),
      /** The check that failed, and the end of its output. */
      command: z.string().nullable(),
      output: z.string().nullable(),
    })
    .nullable(),
  /** Notes for a reviewer beside the diff. */
  notes: z.array(z.string()),
});

export type WorkView = z.infer<typeof workView>;

/** A line of a worker's history: the event, the rules that fired, and the result. */
export const eventView = z.object({
  id: z.number().int(),
  worker: z.string(),
  at: epochMs,
  kind: z.string(),
  rules: z.array(z.string()),
  from: workerStatus,
  to: workerStatus,
  /** True if a question to a person opened with the event, or opened again. */
  asks: z.boolean(),
  /** Sentences for people. */
  said: z.array(z.string()),
  /** The cause: `person NAME`, `worker NAME`, `machine NAME` or `policy`. */
  by: z.string().nullable(),
  /** The version of the policy for the decision. */
  policy: z.string().nullable(),
});

export type EventView = z.infer<typeof eventView>;

/** An armed deadline, its expiry in epoch milliseconds, and its purpose. */
export const deadlineView = z.object({ name: z.enum(DEADLINE_NAMES), at: epochMs, meaning: z.string() });

/**
 * The evidence of one delivery: the method of typing, the bytes, the number of Enter presses, and the end of each step
 * by the machine's clock. `at` is the coordinator's.
 */
export const receiptView = z.object({
  purpose: z.string(),
  outcome: z.string(),
  at: epochMs,
  method: z.string(),
  bytes: z.number().int(),
  enters: z.number().int(),
  evidence: z.array(z.string()),
  steps: z.array(z.object({ step: z.string(), at: epochMs })),
});

/** The decision that led here and the next steps. */
export const whyView = z.object({
  worker: workerView,
  /** Facts about committed work; null while nothing is committed. */
  work: workView.nullable(),
  /** The newest decision that changed the worker's state; its `id` is in `history` too. */
  last: eventView.nullable(),
  /** History, newest first. */
  history: z.array(eventView),
  /** The rules of `last`, in words. */
  because: z.array(z.string()),
  /** The worker's present state: its incident, the attempts, and the exact commands that a person can give. */
  about: z.array(z.string()),
  inFlight: z.object({ command: z.string(), since: epochMs }).nullable(),
  next: z.array(deadlineView),
  receipts: z.array(receiptView),
  /** The question about the worker that waits for a person. */
  escalation: z.object({ shortId: z.string(), title: z.string() }).nullable(),
});

export type WhyView = z.infer<typeof whyView>;

/** A worker's screen as it is now, and its reading. */
export type ScreenView = Extract<QueryResult, { kind: 'screen' }>;

/** The answer to a request: the worker, as it is after the decision. */
export const requestView = z.object({
  worker: workerView,
  /** A note for the person about the worker, as a sentence without its dot. */
  note: z.string().optional(),
});

export type RequestView = z.infer<typeof requestView>;

/** The use cases of workers. */
export interface WorkerFleet {
  moveWorker(input: z.infer<typeof moveInput>, by: Actor): Promise<Outcome<MovePlanView>>;
  cancelMove(input: z.infer<typeof cancelMoveInput>, by: Actor): Promise<Outcome<{ readonly worker: WorkerView }>>;
  listWorkers(by: Actor): Promise<readonly WorkerView[]>;
  add(input: z.infer<typeof addInput>, by: Actor): Promise<Outcome<RequestView>>;
  nuke(input: z.infer<typeof nukeInput>, by: Actor): Promise<Outcome<RequestView>>;
  message(input: z.infer<typeof messageInput>, by: Actor): Promise<Outcome<RequestView>>;
  why(input: z.infer<typeof whyInput>, by: Actor): Promise<Outcome<WhyView>>;
  pane(input: z.infer<typeof paneInput>, by: Actor): Promise<Outcome<PaneView>>;
  conversation(input: z.infer<typeof conversationInput>, by: Actor): Promise<Outcome<ConversationView>>;
  screen(input: z.infer<typeof screenInput>, by: Actor): Promise<Outcome<ScreenView>>;
  events(
    input: z.infer<typeof eventsInput>,
    by: Actor,
    signal: AbortSignal | undefined,
  ): Promise<Outcome<readonly EventView[]>>;
  /** Asks every worker that the caller reaches to be up or down. */
  setWanted(wanted: 'up' | 'down', requestId: string, by: Actor): Promise<readonly WorkerView[]>;
}
