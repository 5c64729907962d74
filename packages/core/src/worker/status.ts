/**
 * Lists the states of a worker, and the moves between them. The moves are data: the policy may use no other, and the diagram in
 * docs/worker-states.md is drawn from them.
 */

/** States of a worker as people see them. */
export const WORKER_STATUSES = [
  'idle',
  'working',
  'needs_input',
  'needs_review',
  'rejected',
  'rebasing',
  'error',
  'offline',
] as const;

/** Status of a worker; `STATUS_MEANING` explains each. */
export type WorkerStatus = (typeof WORKER_STATUSES)[number];

/** Sentence for each state, for help texts and pages. */
export const STATUS_MEANING: Readonly<Record<WorkerStatus, string>> = {
  idle: 'has no task and is ready for one',
  working: 'is carrying out a task',
  needs_input: 'stopped and waits for words or a choice by a person',
  needs_review: 'has committed its work, which waits for review',
  rejected: 'had its work sent back with feedback and is improving it',
  rebasing: 'is resolving conflicts with the default branch',
  error: 'could not be recovered within the budget and waits for a person',
  offline: 'has no running session',
};

/** An allowed move and its cause. */
export interface Transition {
  readonly from: WorkerStatus;
  readonly to: WorkerStatus;
  readonly on: string;
}

const BUSY: ReadonlySet<WorkerStatus> = new Set(['working', 'rejected', 'rebasing']);
const WITH_SESSION = WORKER_STATUSES.filter((status) => status !== 'offline');

/** Every move that a worker can make. */
export const TRANSITIONS: readonly Transition[] = [
  { from: 'idle', to: 'working', on: 'start' },
  { from: 'working', to: 'needs_review', on: 'a commit is there and passed the checks' },
  { from: 'working', to: 'needs_input', on: 'stopped without a commit, or asks' },
  { from: 'working', to: 'idle', on: 'the agent was ended by its user, or cancel' },
  { from: 'needs_input', to: 'working', on: 'message, the agent goes on, or a commit is there' },
  { from: 'needs_input', to: 'idle', on: 'the agent was ended by its user, or cancel' },
  { from: 'needs_review', to: 'idle', on: 'accept' },
  { from: 'needs_review', to: 'rejected', on: 'reject' },
  { from: 'needs_review', to: 'needs_input', on: 'drover doctor: there is no commit' },
  { from: 'needs_review', to: 'rebasing', on: 'it conflicts with the default branch' },
  { from: 'needs_review', to: 'working', on: 'a check failed on the newest default branch' },
  { from: 'rejected', to: 'needs_review', on: 'a new commit is there and passed the checks' },
  { from: 'rejected', to: 'needs_input', on: 'stopped without a new commit, or asks' },
  { from: 'rejected', to: 'idle', on: 'the agent was ended by its user, or cancel' },
  { from: 'rejected', to: 'rebasing', on: 'it conflicts with the default branch' },
  // A person was asked while the rebase was still under way.
  { from: 'needs_input', to: 'rebasing', on: 'it conflicts with the default branch' },
  { from: 'working', to: 'rebasing', on: 'it conflicts with the default branch' },
  { from: 'rebasing', to: 'needs_review', on: 'resolved, or aborted' },
  { from: 'rebasing', to: 'idle', on: 'cancel' },
  { from: 'rebasing', to: 'needs_input', on: 'stopped before it was resolved, or asks' },
  { from: 'rejected', to: 'working', on: 'a check failed, or brought back to a checkpoint' },
  { from: 'rebasing', to: 'working', on: 'a check failed, or brought back to a checkpoint' },
  { from: 'error', to: 'working', on: 'message, or tried again by a person' },
  { from: 'error', to: 'rejected', on: 'tried again by a person' },
  { from: 'error', to: 'rebasing', on: 'tried again by a person' },
  { from: 'error', to: 'needs_review', on: 'tried again by a person' },
  { from: 'error', to: 'needs_input', on: 'taken over by a person' },
  { from: 'error', to: 'idle', on: 'its task was ended by a person' },
  ...[...BUSY, 'idle' as const, 'needs_input' as const, 'needs_review' as const].map((from): Transition => ({
    from,
    to: 'error',
    on: 'the recovery budget is spent',
  })),
  ...WITH_SESSION.map((from): Transition => ({ from, to: 'offline', on: 'down, or the session is gone' })),
  ...WITH_SESSION.map((to): Transition => ({ from: 'offline', to, on: 'up: back to the state before' })),
];

/** Targets of each state. */
const MOVES: ReadonlyMap<WorkerStatus, ReadonlySet<WorkerStatus>> = new Map(
  WORKER_STATUSES.map((status) => [
    status,
    new Set(TRANSITIONS.filter(({ from }) => from === status).map(({ to }) => to)),
  ]),
);

/** Tells whether the table holds the move. Staying is always allowed. */
export function canMove(from: WorkerStatus, to: WorkerStatus): boolean {
  return from === to || MOVES.get(from)?.has(to) === true;
}

/** Tells whether the agent has a task in hand: no other task may be given. */
export function isBusy(status: WorkerStatus): boolean {
  return BUSY.has(status);
}
