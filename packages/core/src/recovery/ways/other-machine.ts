/** The alternative "another machine": the worker itself goes on there, with its work (docs/adr/0006-one-way-for-every-recovery.md). */
import { note, set } from '../../decision/step.ts';
import type { Step } from '../../decision/step.ts';
import type { Incident } from '../../worker/incident.ts';
import { stateOf } from '../../worker/lifecycle.ts';
import { beginMove, isMoving } from '../../worker/move.ts';
import type { MachineName, Route } from '../../worker/move.ts';
import { isAlive } from '../../worker/session.ts';
import type { Worker } from '../../worker/worker.ts';
import { alternativeKey } from './alternatives.ts';
import { requeueTexts } from '../mail.ts';
import { isAccepting } from '../../merge/step.ts';

/** State that a worker must end before it can leave its machine. */
export type Hold = 'moving' | 'offline' | 'accepting' | 'no-worktree' | 'restoring' | 'rebasing' | 'error';

/** Returns the hold on the worker at its machine; null: it can leave. */
export function whatHolds({ lifecycle, merge, move, worktree, checkpoint }: Worker): Hold | null {
  if (isMoving(move)) return 'moving';
  if (lifecycle.wanted !== 'up') return 'offline';
  if (isAccepting(merge.step)) return 'accepting';
  if (worktree.place.kind === 'none') return 'no-worktree';
  if (checkpoint.restore !== null) return 'restoring';
  const state = stateOf(lifecycle);
  return state === 'rebasing' || state === 'error' ? state : null;
}

/** Tells whether the worker can go on elsewhere by itself: R3, no living program of it would be ended for that, and no person works there. */
export function mayGoElsewhere(worker: Worker): boolean {
  return !isAlive(worker.session.pane) && !worker.lifecycle.takenOver && whatHolds(worker) === null;
}

/** Moves the worker as at a person's request; if that fails, the worker comes back. */
export function goElsewhere(step: Step, to: MachineName): Step {
  const { ways, fresh } = step.ctx;
  const elsewhere = ways?.elsewhere;
  if (elsewhere === undefined) return step;
  const moving = set(requeueTexts(step), { move: beginMove({ id: fresh, from: elsewhere.here, to }) });
  // The note holds on the way, and after the arrival.
  return note(moving, `left "${elsewhere.here.name}": ${step.worker.incident.open?.why ?? 'it cannot continue there'}`);
}

/** Returns the incident for which recovery chose this way; null: a person chose it, or the incident is over. */
export function incidentOfMove({ incident: { open } }: Worker, { to }: Route): Incident | null {
  const last = open?.tried.at(-1);
  const isOfIt = last !== undefined && alternativeKey(last) === alternativeKey({ kind: 'other-machine', to });
  return open !== null && isOfIt ? open : null;
}
