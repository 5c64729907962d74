/** The slice `lifecycle`: the worker's status, the status it comes back to, the wanted state, and the reason in words. */
import { keep } from './slice.ts';
import type { Slice } from './slice.ts';
import { isBusy } from './status.ts';
import type { WorkerStatus } from './status.ts';

/** End of an unfinished task: without a result, or back in the work queue. */
export type UnfinishedTask = 'drop' | 'requeue';

/** Status of the worker, and its history. */
export interface Lifecycle {
  readonly status: WorkerStatus;
  /** Time of the last change, epoch milliseconds; 0: with the worker itself. */
  readonly since: number;
  /** Status to return to when an offline worker's session is there again. */
  readonly before: WorkerStatus;
  readonly wanted: 'up' | 'down' | 'gone' | 'gone-by-force';
  /** End of the task once the worker is removed, as a person chose; null: nobody chose. */
  readonly unfinished: UnfinishedTask | null;
  /** True while a person works there by hand: Drover types nothing until the next request. */
  readonly takenOver: boolean;
  /** Reason for the status, in words for people. */
  readonly note: string;
}

const givenBack = (lifecycle: Lifecycle): Lifecycle => ({ ...lifecycle, takenOver: false });

/** Slice of a worker that was just added: offline and wanted up. */
export const LIFECYCLE = {
  initial: { status: 'offline', since: 0, before: 'idle', wanted: 'up', unfinished: null, takenOver: false, note: '' },
  on: {
    'task-begun': givenBack,
    'task-ended': givenBack,
    'session-opened': keep,
    'session-lost': keep,
    'worktree-lost': keep,
    'restore-begun': keep,
    'budget-renewed': keep,
    'person-resumed': givenBack,
    'given-up': givenBack,
  },
} as const satisfies Slice<Lifecycle>;

/** Moves to a state. The caller has asked the table of moves. */
export function moveTo(lifecycle: Lifecycle, to: Pick<Lifecycle, 'status' | 'since' | 'note'>): Lifecycle {
  return { ...lifecycle, ...to };
}

/** Changes the status to come back to. */
export function comeBackTo(lifecycle: Lifecycle, before: WorkerStatus): Lifecycle {
  return { ...lifecycle, before };
}

/** Changes the wanted state of the worker, and with a removal the end of its task. */
export function want(
  lifecycle: Lifecycle,
  wanted: Lifecycle['wanted'],
  unfinished: UnfinishedTask | null = null,
): Lifecycle {
  return { ...lifecycle, wanted, unfinished };
}

/** Sets the reason for the worker's status. */
export function noteThat(lifecycle: Lifecycle, note: string): Lifecycle {
  return { ...lifecycle, note };
}

/** Hands the worker to a person, who works there by hand from now on. */
export function takeOver(lifecycle: Lifecycle): Lifecycle {
  return { ...lifecycle, takenOver: true };
}

/** Takes the worker back from a person. */
export function giveBack(lifecycle: Lifecycle): Lifecycle {
  return givenBack(lifecycle);
}

/** Returns the status that the worker has, or comes back to with its session. */
export function stateOf({ status, before }: Lifecycle): WorkerStatus {
  return status === 'offline' ? before : status;
}

/** Tells whether the agent has the task: texts for an agent whose work waits for a person would begin it again. */
export function isAtTask(lifecycle: Lifecycle): boolean {
  return isBusy(stateOf(lifecycle));
}

export function isLeaving({ wanted }: Lifecycle): boolean {
  return wanted === 'gone' || wanted === 'gone-by-force';
}
