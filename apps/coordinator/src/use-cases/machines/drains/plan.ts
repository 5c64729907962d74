/** Chooses the next step for a worker that must leave its machine. Pure. */
import { isAccepting, isMoving, stateOf } from '@drover/core';
import type { Drain, Machine, WorkerRow } from '@drover/store';

/** Tries for one worker. */
export interface Tried {
  /** Number of the present try. */
  readonly attempt: number;
  /** Machine of the present try; null: no try is in progress. */
  readonly to: string | null;
  /** Tells whether the worker was told to move there. */
  readonly isTold: boolean;
  /** Machines that refused the worker, each with the time until which it is not asked again, epoch milliseconds. */
  readonly failed: Readonly<Record<string, number>>;
  /** Reason of the last refusal. */
  readonly why: string;
}

/** Tries of a worker before the first. */
export const UNTRIED: Tried = { attempt: 0, to: null, isTold: false, failed: {}, why: '' };

/** Facts for the choice of the next step. */
export interface Situation {
  readonly now: number;
  readonly drain: Pick<Drain, 'deadline'>;
  /** Machines that may take the worker, the best first. */
  readonly targets: readonly Pick<Machine, 'id' | 'name'>[];
  /** Reason why no other machine can. */
  readonly nowhere: string;
  readonly tried: Tried;
}

/** Next step of a drain; `stays`: the drain is over without the worker. */
export type DrainStep =
  | { readonly kind: 'stays'; readonly why: string }
  | { readonly kind: 'waits'; readonly why: string }
  /** The worker is back: the move of the last try ended here. */
  | { readonly kind: 'came-back'; readonly why: string }
  | { readonly kind: 'move'; readonly to: Pick<Machine, 'id' | 'name'> };

/** Chooses the next step for a worker that is on the machine. */
export function drainStep({ state }: Pick<WorkerRow, 'state'>, situation: Situation): DrainStep {
  const { now, drain, targets, nowhere, tried } = situation;
  const { lifecycle, merge, move } = state;
  if (lifecycle.wanted === 'down') return { kind: 'stays', why: 'is down: its worktree stays until it is up again' };
  if (lifecycle.wanted !== 'up') return waits('is being removed');
  if (isMoving(move)) return waits(`moves to "${move.route.to.name}"`);
  if (tried.isTold) return { kind: 'came-back', why: lifecycle.note };
  if (isAccepting(merge.step)) return waits('is being merged');
  if (lifecycle.takenOver) return waits('a person has taken it over');
  const isOver = drain.deadline !== null && now >= drain.deadline;
  const why = WAITS[stateOf(lifecycle)];
  if (why !== undefined && !(isOver && MAY_BE_INTERRUPTED.has(stateOf(lifecycle)))) return waits(why);
  const to = targets.find(({ id }) => id === tried.to) ?? targets.find(({ id }) => (tried.failed[id] ?? 0) <= now);
  if (to !== undefined) return { kind: 'move', to };
  return waits(targets.length === 0 ? `no other machine can take it: ${nowhere}` : `could not move: ${tried.why}`);
}

function waits(why: string): DrainStep {
  return { kind: 'waits', why };
}

/** Work that a worker finishes first, by its status. */
const WAITS: Readonly<Record<string, string>> = {
  offline: 'is not up yet',
  working: 'is at its task',
  rebasing: 'resolves conflicts',
  needs_input: 'waits for an answer',
  error: 'waits for a person: see "drover why"',
};

/** Statuses of a worker that can continue the same conversation elsewhere. */
const MAY_BE_INTERRUPTED: ReadonlySet<string> = new Set(['working', 'needs_input']);

/** Notes a failed try of the same worker: another machine is next, and this one again after a while. */
export function failedTry(
  tried: Tried,
  { machineId, why, until }: { machineId: string; why: string; until: number },
): Tried {
  return { attempt: tried.attempt + 1, to: null, isTold: false, failed: { ...tried.failed, [machineId]: until }, why };
}
