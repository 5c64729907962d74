/** Requests to move to another machine, and to give a move up. Each is granted, or refused with what to do instead. */
import { refuse, rule, set } from '../decision/step.ts';
import type { Step } from '../decision/step.ts';
import { turnBack } from '../events/moves/turn-back.ts';
import { whatHolds } from '../recovery/ways/other-machine.ts';
import type { Hold } from '../recovery/ways/other-machine.ts';
import type { WorkerEvent } from '../worker/event.ts';
import { beginMove, isMoving } from '../worker/move.ts';
import type { Move } from '../worker/move.ts';
import { MERGING, notUp } from './way-out.ts';

/** Moves the worker at a person's request. The session is closed at the next opportunity: the worker goes on over there. */
export function moveWorker(step: Step, { route }: Extract<WorkerEvent, { kind: 'move-requested' }>): Step {
  const { move } = step.worker;
  if (isMoving(move)) return refuse(step, 'moving', movingWords(move));
  const hold = whatHolds(step.worker);
  if (hold === 'offline') return refuse(step, hold, notUp(step.worker.lifecycle));
  if (hold !== null && hold !== 'moving') return refuse(step, hold, HOLDS[hold]);
  // The note stays: it says why the worker is in its state, which goes along.
  return set(rule(step, 'move'), { move: beginMove(route) });
}

const HOLDS: Readonly<Record<Exclude<Hold, 'moving' | 'offline'>, string>> = {
  accepting: MERGING,
  'no-worktree': 'The worker has no worktree yet: wait until it is up, then repeat',
  restoring: 'Drover is restoring a checkpoint of it: wait until that is done, then repeat',
  rebasing: 'It is resolving conflicts: wait until that is done, then repeat',
  error: 'It waits for a person: answer its question first (see "drover why"), then repeat',
};

/** Gives the move up at a person's request: the worker goes on at its former place. */
export function cancelMove(step: Step): Step {
  const { move } = step.worker;
  if (!isMoving(move)) return refuse(step, 'not-moving', 'The worker is not moving, so there is no move to cancel');
  if (move.kind === 'returning') return rule(step, 'move:turned-back');
  return turnBack(step, 'a person cancelled the move');
}

/** Requests that wait until the worker has arrived. Texts to its agent do not: they go out over there. */
const NOT_ON_THE_WAY: ReadonlySet<WorkerEvent['kind']> = new Set<WorkerEvent['kind']>([
  'down-requested',
  'nuke-requested',
  'start-requested',
  'cancel-requested',
  'accept-requested',
  'rebase-requested',
  'restore-requested',
]);

/** Says why a request must wait for the end of the move; null: it need not. */
export function whyNotWhileMoving(move: Move, kind: WorkerEvent['kind']): string | null {
  return isMoving(move) && NOT_ON_THE_WAY.has(kind) ? movingWords(move) : null;
}

function movingWords(move: Exclude<Move, { kind: 'none' }>): string {
  const { to, from } = move.route;
  return move.kind === 'returning'
    ? `It is returning from its move to "${to.name}": wait until it is on "${from.name}" again, then repeat`
    : `It is moving to "${to.name}": wait until it is there, or cancel the move with "drover worker move NAME --cancel", then repeat`;
}
