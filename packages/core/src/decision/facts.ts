/** Facts that cost a lock or a read of the fleet: a decision that lacks a needed fact says so. */
import type { CheckPlace } from '../placement/check-place.ts';
import type { Member } from '../merge/step.ts';
import { isAccepting } from '../merge/step.ts';
import type { MergeStep } from '../merge/step.ts';
import type { WorkerEvent } from '../worker/event.ts';
import type { MachineName } from '../worker/move.ts';
import type { Worker } from '../worker/worker.ts';

/** `ways`: what recovery may choose from beyond the worker itself. The others are parts of `MergeFacts`. */
export type FactName = 'lease' | 'queue' | 'aboard' | 'check-place' | 'ways';

/** Answer to an event that needs more facts: the caller repeats the event with these. */
export interface Needs {
  readonly kind: 'needs';
  readonly facts: readonly FactName[];
}

/** Facts about the project and its other workers for a merge. The project's row is locked. */
export interface MergeFacts {
  /** Worker that may change the project's default branch now: any, this one, or another. */
  readonly lease: 'free' | 'mine' | 'other';
  /** Other workers of the project that wait for their turn; absent: nobody waits, or the lease is not free. */
  readonly queue?: Queue | undefined;
  /** False if the train that this worker is aboard of is gone. */
  readonly isAboard?: boolean | undefined;
  /** Place where the project has its merges checked now. */
  readonly checkPlace?: CheckPlace | undefined;
}

/** Facts beyond the worker itself that recovery may choose from. */
export interface Ways {
  /** Other workers of the project that are idle and may be given this one's task. */
  readonly othersIdle: number;
  /** Places where this worker could go on instead; known while a step of its task has failed. */
  readonly elsewhere?: Elsewhere | undefined;
}

/** The machines of a worker. */
export interface Elsewhere {
  /** Name of the worker's own machine. */
  readonly here: MachineName;
  /** Other connected machines that take new work and have no worker of this name; the best first. */
  readonly others: readonly MachineName[];
}

/** Workers that wait for the project's merge lease. */
export interface Queue {
  readonly me: { readonly id: string; readonly name: string };
  /** Name of a worker that comes before this one and can take its turn now; null: there is none. */
  readonly first: string | null;
  /** Workers that can come along, in order. */
  readonly members: readonly Member[];
}

/** Returns the facts of a merge that a decision needs, whatever it comes to: a decision that may take or give back the lease locks the project. */
export function mergeNeeds({ merge: { step } }: Worker, event: WorkerEvent): readonly FactName[] {
  if (isAccepting(step)) return ['lease', ...ofTurn(step, event), 'check-place'];
  if (event.kind === 'accept-requested') return ['lease', ...ofTurn(step, event)];
  return event.kind === 'machine-removed' ? ['lease'] : [];
}

/** Returns the facts for a turn. Work that is accepted with more takes its turn once all of that is accepted. */
function ofTurn({ kind }: MergeStep, event: WorkerEvent): readonly FactName[] {
  if (kind === 'aboard') return ['aboard'];
  const mayTakeTurn = event.kind === 'accept-requested' ? event.more !== true : kind === 'waiting';
  return mayTakeTurn ? ['queue'] : [];
}
