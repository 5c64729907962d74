/**
 * What comes next, from the facts alone? The first line that applies gives at most one order; while one is
 * in flight nothing else is begun. Read it as the worker's plan, from its end to its beginning.
 */
import { isBusy } from '../worker/status.ts';
import type { Worker } from '../worker/worker.ts';
import { orderAccept } from './accept.ts';
import { become, order, rule, set } from './decision.ts';
import type { Step } from './decision.ts';
import { orderCheckpoint, orderRestore, orderUrgentCheckpoint } from './checkpoints.ts';
import { orderDelivery } from './delivery.ts';
import { orderAnswer } from './dialogs.ts';
import { orderSecondLook } from './doubt.ts';
import { restoredText } from './texts.ts';
import { outgoing } from './orders.ts';

/**
 * Orders the next thing that the facts ask for, or nothing while an order is in flight or a failed one cools down.
 *
 * @returns the step with at most one order more than before.
 */
export function advance(step: Step): Step {
  const { worker, ctx } = step;
  if (worker.inFlight !== null) return step;
  if (worker.holdUntil !== null && ctx.now < worker.holdUntil) return step;
  const ready = worker.holdUntil === null ? step : set(step, { holdUntil: null });
  switch (worker.wanted) {
    case 'gone':
    case 'gone-by-force':
      return leave(ready);
    case 'down':
      // A merge that has begun goes to its end, which closes the session too; others wait for its lease.
      if (worker.accept !== null && worker.accept.step !== 'waiting') return orderAccept(ready);
      return worker.pane.kind === 'absent' ? isDown(ready) : order(ready, { kind: 'close' });
    case 'up':
      return carryOn(ready);
    default:
      return worker.wanted satisfies never;
  }
}

/** Its session is gone already, by whatever way: there is nothing to close. */
function isDown(step: Step): Step {
  const { status } = step.worker;
  if (status === 'offline') return step;
  return become(set(step, { before: status, restoreDue: isBusy(status) }), 'offline', 'taken down by order');
}

/** Removal: the session first, so that nobody writes into a worktree that goes. */
function leave(step: Step): Step {
  const { pane, wanted } = step.worker;
  if (pane.kind !== 'absent') return order(step, { kind: 'close' });
  return order(step, { kind: 'remove', force: wanted === 'gone-by-force' });
}

function carryOn(step: Step): Step {
  const { worker } = step;
  if (worker.worktree.kind === 'none') {
    const reset = worker.task === null || worker.resetDue;
    return order(step, { kind: 'prepare', reset, saveAs: saveName(step) });
  }
  if (worker.accept !== null) return orderAccept(step);
  if (worker.restoreFrom !== null) return orderRestore(step);
  const unsure = worker.outgoing?.verify ?? null;
  // R3: nothing that a look could find comes between the second signal and the end.
  if (unsure !== null && worker.doubt !== null) return verify(step, unsure);
  if (worker.judgeDue && !isEndDecided(worker))
    return order(step, { kind: 'look', base: worker.worktree.base, delivery: null });
  if (worker.rebaseDue && worker.status === 'needs_review') return order(step, { kind: 'rebase', at: null });
  const save = orderUrgentCheckpoint(step);
  if (save !== null) return save;
  // What is to be ended is not told to go on.
  const answer = isEndDecided(worker) ? null : orderAnswer(step);
  if (answer !== null) return answer;
  if (worker.status === 'error') return step;
  if (unsure !== null) return verify(step, unsure);
  if (worker.resetDue) return order(step, { kind: 'prepare', reset: true, saveAs: saveName(step) });
  return seat(step);
}

/** R3: the end of a living program is decided. A look that comes after that could only speak against it, and too late. */
function isEndDecided({ pane, respawnDue, doubt, status }: Worker): boolean {
  const lives = pane.kind === 'up' || pane.kind === 'starting';
  return lives && respawnDue && doubt === null && status !== 'error';
}

function verify(step: Step, delivery: number): Step {
  return order(step, { kind: 'look', base: null, delivery });
}

/** Brings the agent into its seat; only then are texts delivered. */
function seat(step: Step): Step {
  const { worker, ctx } = step;
  const { pane } = worker;
  switch (pane.kind) {
    case 'absent':
      return order(conversationReady(step), { kind: 'open', launch: launch(step) });
    case 'dead':
      if (pane.restartAt === null || ctx.now < pane.restartAt) return step;
      return order(conversationReady(step), {
        kind: 'respawn',
        incarnation: pane.incarnation,
        launch: launch(step),
        force: false,
      });
    case 'starting':
      return worker.respawnDue ? byForce(step, pane.incarnation) : step;
    case 'up':
      return worker.respawnDue ? byForce(step, pane.incarnation) : atLeisure(step, pane.incarnation);
    default:
      return pane satisfies never;
  }
}

/**
 * Ends a living program: at a person's word, such as a new task, whose context is a fresh process
 * (docs/adr/0031-fresh-context.md), or when two signals agree (R3).
 */
function byForce(step: Step, incarnation: string): Step {
  if (step.worker.doubt !== null) return orderSecondLook(step);
  return order(conversationReady(step), { kind: 'respawn', incarnation, launch: launch(step), force: true });
}

/** What is to be told is told; where nothing is, the work is saved. */
function atLeisure(step: Step, incarnation: string): Step {
  const told = orderDelivery(restored(step), incarnation);
  return told.worker.inFlight === null ? orderCheckpoint(told) : told;
}

/** A used conversation is resumed; an unused one may not exist for the program yet, so it gets a new name. */
function launch({ worker, ctx }: Step): { kind: 'resume' | 'fresh'; conversation: string } {
  if (worker.conversation?.used === true) return { kind: 'resume', conversation: worker.conversation.id };
  return { kind: 'fresh', conversation: ctx.fresh };
}

function conversationReady(step: Step): Step {
  if (step.worker.conversation?.used === true) return step;
  return set(step, { conversation: { id: step.ctx.fresh, used: false } });
}

/** A task that the agent had taken before its program was cut off is given again, with a note that says so. */
function restored(step: Step): Step {
  const { worker, ctx } = step;
  if (!worker.restoreDue || worker.takenOver) return step;
  const settled = set(step, { restoreDue: false });
  if (worker.task === null || !worker.task.taken || worker.outgoing?.purpose === 'restored') return settled;
  const again = outgoing(ctx.fresh, 'restored', restoredText(worker.task.text, worker.status));
  const backlog = worker.outgoing === null ? worker.backlog : [worker.outgoing, ...worker.backlog];
  return set(rule(settled, 'restore'), { outgoing: again, backlog });
}

function saveName({ ctx }: Step): string {
  return ctx.fresh;
}
