/** Workers: what clients send and see, and the use cases. */
import { DEADLINE_NAMES, WORKER_STATUSES } from '@drover/core';
import { PROMPT_BYTES_MAX, epochMs, shownName, uuid } from '@drover/protocol';
import type { QueryResult } from '@drover/protocol';
import { z } from 'zod';
import { machineState } from './machines.ts';
import type { Outcome } from './outcome.ts';
import type { Actor } from './people.ts';
import { projectName } from './projects/projects.ts';
import { labels, roleName, tooLong, words, workerName, workerRef } from './texts.ts';

/**
 * A new worker. Absent settings come from the configuration. Without a machine, it is the one with the fewest workers of those that can take it.
 */
export const addInput = z.object({
  requestId: uuid,
  name: workerName,
  /** Only where there are several. */
  project: projectName.optional(),
  profile: shownName('a profile').optional(),
  model: shownName('a model').optional(),
  rolePrompt: z.string().max(PROMPT_BYTES_MAX, tooLong('role prompt')).optional(),
  machine: shownName('a machine').optional(),
  /** What it is for: a task can ask for it. */
  role: roleName.optional(),
  /** Only on a machine that has these labels, now and when it moves. */
  labels: labels.optional(),
});

const taskEnd = z.enum(['drop', 'requeue']).optional();

/** Removes a worker. Without `force` only one whose work is merged; one with a task in hand only with `task`, the end of that task. */
export const nukeInput = z.object({ requestId: uuid, name: workerRef, force: z.boolean(), task: taskEnd });

/** Moves a worker to another machine; `dryRun` says what would be done. */
export const moveInput = z.object({
  requestId: uuid,
  name: workerRef,
  machine: shownName('a machine'),
  dryRun: z.boolean(),
});

/** Gives a move up: the worker goes on where it was. */
export const cancelMoveInput = z.object({ requestId: uuid, name: workerRef });

/** A text for a worker's agent, delivered unchanged. */
export const messageInput = z.object({ requestId: uuid, name: workerRef, text: words('message') });

/** Asks for a worker's last decision and at most `limit` lines of its history, newest first. */
export const whyInput = z.object({ name: workerRef, limit: z.number().int().min(1).max(500) });

/** Asks for the last lines of a worker's screen and scrollback, at most `lines`. */
export const paneInput = z.object({
  name: workerRef,
  lines: z.number().int().min(1).max(50_000),
  /** Also what `git status` prints of its worktree; then a worker without a session is no failure. */
  git: z.boolean().default(false),
});

/** The last lines of a worker's terminal, and of its worktree what `git status` printed, if that was asked for. */
export interface PaneView {
  readonly text: string;
  readonly git: readonly string[];
}

/** Asks what a worker's screen shows and how it is read. */
export const screenInput = z.object({ name: workerRef });

/**
 * Asks for history, of one worker or of all. With `waitMs` the answer waits for something new: 25 s at most, shorter than
 * the patience of common proxies.
 */
export const eventsInput = z.object({
  name: workerRef.optional(),
  /** Only what came after this event, oldest first: going on after the last one misses nothing. Without it the newest, newest first. */
  after: z.number().int().nonnegative().optional(),
  /** How long to wait for something after that event, in milliseconds. */
  waitMs: z.number().int().min(0).max(25_000),
  limit: z.number().int().min(1).max(500),
});

/** A request to every worker at once. */
export const fleetInput = z.object({ requestId: uuid });

/** The state of a worker; core's `STATUS_MEANING` says what each means. */
export const workerStatus = z.enum(WORKER_STATUSES);

/** Accepted work that is built on one another, checked and published together, as one of its workers is in it. */
export const trainView = z.object({
  conductor: z.string(),
  /** The conductor has place 1. */
  place: z.number().int(),
  of: z.number().int(),
  /** Its workers in order; of the others than the conductor empty. */
  names: z.array(z.string()),
  /** The first so many of `names` are being checked or published; 0: the default branch alone. Null: it is being built. */
  at: z.number().int().nullable(),
  /** Runs of the checks that are known. */
  runs: z.number().int(),
});

/** One worker as `drover status` shows it. Times are epoch milliseconds. */
export const workerView = z.object({
  id: uuid,
  name: z.string(),
  project: z.string(),
  machine: z.string(),
  machineState,
  profile: z.string(),
  model: z.string().nullable(),
  status: workerStatus,
  /** Why it is in that state, in words. */
  note: z.string(),
  /** What the screen shows, in one word, if anything was seen. */
  screen: z.string().nullable(),
  prompt: z.string().nullable(),
  branch: z.string(),
  worktree: z.string(),
  /** A session may be there: there is one, or its machine is opening or closing one. */
  mayHaveSession: z.boolean(),
  commit: z.string().nullable(),
  crashes: z.number().int(),
  accepting: z.string().nullable(),
  /** The commit of the default branch that fails the checks by itself, while its work waits for that, accepted or not; null: none. */
  /** The silent machine that stops its accepted work, as a clause; null: none does. */
  heldUp: z.string().nullable(),
  brokenBase: z.string().nullable(),
  /** Its place in a train of accepted work; null where it is in none. */
  train: trainView.nullable(),
  /** The machine that runs the checks of its merge, and why that one; null where it is not merged. */
  checkedOn: z.object({ machine: z.string(), why: z.string() }).nullable(),
  /** Why a train went without it; null once it is accepted again. */
  sentBack: z.object({ command: z.string(), before: z.array(z.string()), at: epochMs }).nullable(),
  /** Its task is over, and its agent is yet to stop what it is at. */
  stopping: z.boolean(),
  /** Where it moves, and how far that is, in words; null: it does not move. */
  moving: z.string().nullable(),
  /** The branch on which its accepted work waits for people to merge it; null: it was not handed over. */
  offered: z.string().nullable(),
  /** What its worktree lacks beside commits, such as the content of LFS files: a sentence for each, which says what to do. */
  lacks: z.array(z.string()),
  /** When it came into its state, or its work was accepted; what is seen of it since changes nothing of that. */
  since: epochMs,
  createdAt: epochMs,
});

/** What `drover move` does, or would do. */
export const movePlanView = z.object({
  worker: workerView,
  from: z.string(),
  to: z.string(),
  /** What is done, in order, a sentence each. */
  steps: z.array(z.string()),
  /** What does not go along. */
  left: z.array(z.string()),
  /** False after a dry run. */
  requested: z.boolean(),
});
/** A checked `movePlanView`. */
export type MovePlanView = z.infer<typeof movePlanView>;

/** A checked `workerView`. */
export type WorkerView = z.infer<typeof workerView>;

/**
 * What Drover knows of committed work: what it is on the newest default branch, how the project's checks ended on that, and what is
 * under way. Times are epoch milliseconds.
 */
export const workView = z.object({
  /** What is under way: making the candidate, running the checks on it, or on the default branch alone, rebasing work that conflicts. */
  step: z.enum(['candidate', 'checks', 'base', 'rebase']).nullable(),
  /** `clash`: it conflicts with `base` in `files`; `contained`: `base` has all of it, so nothing would be merged; `rewritten`: it stands on what is no longer in `base`. */
  candidate: z
    .object({
      kind: z.enum(['candidate', 'clash', 'contained', 'rewritten']),
      head: z.string(),
      base: z.string(),
      /** What would be merged, and its tree; null where nothing can be. */
      commit: z.string().nullable(),
      tree: z.string().nullable(),
      files: z.array(z.string()),
    })
    .nullable(),
  checks: z
    .object({
      /** What they ran on: the checks of another commit or tree say nothing of the candidate. */
      commit: z.string(),
      tree: z.string(),
      at: epochMs,
      /** `none`: the project has no checks. */
      result: z.enum(['passed', 'failed', 'none']),
      /** The check that failed, and the end of what it printed. */
      command: z.string().nullable(),
      output: z.string().nullable(),
    })
    .nullable(),
  /** What a reviewer should know beside the diff. */
  notes: z.array(z.string()),
});

/** A checked `workView`. */
export type WorkView = z.infer<typeof workView>;

/** One line of a worker's history: what was heard, which rules fired, what followed. */
export const eventView = z.object({
  id: z.number().int(),
  worker: z.string(),
  at: epochMs,
  kind: z.string(),
  rules: z.array(z.string()),
  from: workerStatus,
  to: workerStatus,
  /** A question to a person opened with it, or opened again. */
  asks: z.boolean(),
  /** Sentences for people. */
  said: z.array(z.string()),
  /** Who caused it: `person NAME`, `worker NAME`, `machine NAME` or `policy`. */
  by: z.string().nullable(),
  /** The version of the policy that it was decided under. */
  policy: z.string().nullable(),
});

/** A checked `eventView`. */
export type EventView = z.infer<typeof eventView>;

/** A deadline that is armed, when it expires in epoch milliseconds, and what it is waited for. */
export const deadlineView = z.object({ name: z.enum(DEADLINE_NAMES), at: epochMs, meaning: z.string() });

/**
 * The evidence of one delivery: how it was typed, how many bytes, how often Enter was pressed, and when each step ended
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

/** The decision that led here and what will happen next. */
export const whyView = z.object({
  worker: workerView,
  /** Null while nothing is committed. */
  work: workView.nullable(),
  /** The newest decision that changed its state; its `id` is in `history` too. */
  last: eventView.nullable(),
  /** Newest first. */
  history: z.array(eventView),
  /** The rules of `last`, in words. */
  because: z.array(z.string()),
  /** Its present state: its incident, what was tried, and the exact commands that a person can give. */
  about: z.array(z.string()),
  inFlight: z.object({ command: z.string(), since: epochMs }).nullable(),
  next: z.array(deadlineView),
  receipts: z.array(receiptView),
  /** The question about it that waits for a person. */
  escalation: z.object({ shortId: z.string(), title: z.string() }).nullable(),
});

/** A checked `whyView`. */
export type WhyView = z.infer<typeof whyView>;

/** A worker's screen as it is now, and what it was taken for. */
export type ScreenView = Extract<QueryResult, { kind: 'screen' }>;

/** The answer to a request: the worker, as it is after the decision. */
export const requestView = z.object({
  worker: workerView,
  /** What the person should know beside it, as a sentence without its dot. */
  note: z.string().optional(),
});

/** A checked `orderView`. */
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
  screen(input: z.infer<typeof screenInput>, by: Actor): Promise<Outcome<ScreenView>>;
  events(
    input: z.infer<typeof eventsInput>,
    by: Actor,
    signal: AbortSignal | undefined,
  ): Promise<Outcome<readonly EventView[]>>;
  /** Asks every worker that the caller reaches to be up or down. */
  setWanted(wanted: 'up' | 'down', requestId: string, by: Actor): Promise<readonly WorkerView[]>;
}
