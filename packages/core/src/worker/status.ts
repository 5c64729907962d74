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
  needs_input: 'stopped and waits for an answer from a person',
  needs_review: 'has committed its work, which waits for review',
  rejected: 'is improving work that a person sent back with feedback',
  rebasing: 'is resolving conflicts with the default branch',
  error: 'could not recover within its budget and waits for a person',
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
  { from: 'working', to: 'needs_review', on: 'there is a commit, and it passed the checks' },
  { from: 'working', to: 'needs_input', on: 'stopped without a commit, or asks a question' },
  { from: 'working', to: 'idle', on: 'its user ended the agent, or cancel' },
  { from: 'needs_input', to: 'working', on: 'message, the agent continues, or there is a commit' },
  { from: 'needs_input', to: 'idle', on: 'its user ended the agent, or cancel' },
  { from: 'needs_review', to: 'idle', on: 'accept, or its run released it' },
  { from: 'needs_review', to: 'rejected', on: 'reject' },
  { from: 'needs_review', to: 'needs_input', on: 'drover doctor: there is no commit' },
  { from: 'needs_review', to: 'rebasing', on: 'it conflicts with the default branch' },
  { from: 'needs_review', to: 'working', on: 'a check failed on the newest default branch' },
  { from: 'rejected', to: 'needs_review', on: 'there is a new commit, and it passed the checks' },
  { from: 'rejected', to: 'needs_input', on: 'stopped without a new commit, or asks' },
  { from: 'rejected', to: 'idle', on: 'its user ended the agent, or cancel' },
  { from: 'rejected', to: 'rebasing', on: 'it conflicts with the default branch' },
  // A person was asked while the rebase was still under way.
  { from: 'needs_input', to: 'rebasing', on: 'it conflicts with the default branch' },
  { from: 'working', to: 'rebasing', on: 'it conflicts with the default branch' },
  { from: 'rebasing', to: 'needs_review', on: 'resolved, or aborted' },
  { from: 'rebasing', to: 'idle', on: 'cancel' },
  { from: 'rebasing', to: 'needs_input', on: 'stopped before it was resolved, or asks a question' },
  { from: 'rejected', to: 'working', on: 'a check failed, or a checkpoint was restored' },
  { from: 'rebasing', to: 'working', on: 'a check failed, or a checkpoint was restored' },
  { from: 'error', to: 'working', on: 'message, or a person retried' },
  { from: 'error', to: 'rejected', on: 'a person retried' },
  { from: 'error', to: 'rebasing', on: 'a person retried' },
  { from: 'error', to: 'needs_review', on: 'a person retried' },
  { from: 'error', to: 'needs_input', on: 'a person took over' },
  { from: 'error', to: 'idle', on: 'a person ended its task' },
  ...[...BUSY, 'idle' as const, 'needs_input' as const, 'needs_review' as const].map((from): Transition => ({
    from,
    to: 'error',
    on: 'the recovery budget is used up',
  })),
  ...WITH_SESSION.map((from): Transition => ({ from, to: 'offline', on: 'down, or its session is gone' })),
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
