/** The slice `task`: the task in the worker's hands. */
import type { RunInHand, RunItem } from '../run/task.ts';
import { keep } from './slice.ts';
import type { Slice } from './slice.ts';

/** Existing work on which a task begins. */
export interface StartingPoint {
  readonly commit: string;
  /** Words such as `branch "feat/x" of "/srv/app"`. */
  readonly name: string;
}

/** A task in the worker's hands. */
export interface TaskInHand {
  readonly kind: 'in-hand';
  readonly id: string;
  /** Text that the person wrote. */
  readonly prompt: string;
  /** Delivered text: preamble, role and prompt. */
  readonly text: string;
  /** Epoch milliseconds. */
  readonly startedAt: number;
  /** HEAD at the start, or when the work was rejected: only another HEAD is new work. */
  readonly headBefore: string | null;
  /** True if the agent has taken the prompt at least once. */
  readonly taken: boolean;
  /** Number of attempts to recover since the task began, over all incidents (R2). */
  readonly attempts: number;
  /** Notices that the agent got about its work, each once. Absent: none. */
  readonly told?: readonly Told[];
  /** Existing work on which the task began. Absent: the default branch. */
  readonly from?: StartingPoint;
  /** Item of a run that the task is for. Absent: a task of its own. */
  readonly run?: RunInHand;
}

/** Notice that HEAD is on another branch, that commits there are to be signed, or that the work names commits that nobody can fetch. */
export type Told = 'branch' | 'signing' | 'gitlinks';

export type Task = { readonly kind: 'none' } | TaskInHand;

const NO_TASK: Task = { kind: 'none' };

function renewed(task: Task): Task {
  return task.kind === 'none' ? task : { ...task, attempts: 0 };
}

/** Slice without a task. */
export const TASK = {
  initial: NO_TASK,
  on: {
    // The request itself sets the new task.
    'task-begun': (): Task => NO_TASK,
    'task-ended': (): Task => NO_TASK,
    'session-opened': keep,
    'session-lost': keep,
    'worktree-lost': keep,
    'restore-begun': keep,
    'budget-renewed': renewed,
    'person-resumed': renewed,
    'given-up': keep,
  },
} satisfies Slice<Task>;

/** Puts a task in hand that was not given to the agent yet. */
export function takeInHand(
  _task: Task,
  given: Pick<TaskInHand, 'id' | 'prompt' | 'text' | 'startedAt' | 'from'>,
  run?: RunItem,
): Task {
  const hand = { kind: 'in-hand', ...given, headBefore: null, taken: false, attempts: 0 } as const;
  return run === undefined ? hand : { ...hand, run: begun(run) };
}

function begun({ runId, item, attempt, returns }: RunItem): RunInHand {
  return { runId, item, attempt, returns, phase: 'open', takenAt: null, answered: false, asked: 0, isLast: false };
}

/** Begins the next attempt at the item of the run. */
export function beginRunTurn(task: Task, run: RunItem): Task {
  return task.kind === 'none' ? task : { ...task, run: begun(run) };
}

/** Changes facts of the present attempt for a run; a task of its own stays as it is. */
export function changeRun(
  task: Task,
  facts: Partial<Pick<RunInHand, 'phase' | 'takenAt' | 'answered' | 'asked' | 'isLast'>>,
): Task {
  return task.kind === 'none' || task.run === undefined ? task : { ...task, run: { ...task.run, ...facts } };
}

/** Makes the task of a run one of its own: a person has taken it over. */
export function leaveRun(task: Task): Task {
  if (task.kind === 'none') return task;
  const { run: _run, ...own } = task;
  return own;
}

/** Returns the item of a run that the task is for; null: a task of its own, or none. */
export function runOf(task: Task): RunInHand | null {
  return task.kind === 'none' ? null : (task.run ?? null);
}

/** Marks that the agent has taken the prompt. */
export function markTaken(task: Task): Task {
  return task.kind === 'none' ? task : { ...task, taken: true };
}

/** Sets the HEAD before the work: only another HEAD is new work. */
export function setHeadBefore(task: Task, headBefore: string | null): Task {
  return task.kind === 'none' ? task : { ...task, headBefore };
}

export function setTaskText(task: Task, text: string): Task {
  return task.kind === 'none' ? task : { ...task, text };
}

/** Counts attempts to recover. */
export function countAttempts(task: Task, spent: number): Task {
  return task.kind === 'none' ? task : { ...task, attempts: task.attempts + spent };
}

/** Renews the attempts after a person's answer: they start at zero. */
export function renewAttempts(task: Task): Task {
  return renewed(task);
}

/** Marks that the agent was told of this. */
export function markTold(task: Task, what: Told): Task {
  return task.kind === 'none' ? task : { ...task, told: [...(task.told ?? []), what] };
}

/** Tells whether the agent was told of this. */
export function hasBeenTold({ told = [] }: TaskInHand, what: Told): boolean {
  return told.includes(what);
}

/** Returns the task in hand; null: none. */
export function inHand(task: Task): TaskInHand | null {
  return task.kind === 'none' ? null : task;
}
