/**
 * Derives the armed deadlines from the worker's slices, so that a restart arms the same ones. Keeps R1: a worker that is not idle, offline by
 * request or waiting for review is heard of again.
 */
import type { DecideContext } from '../decision/step.ts';
import type { Policy } from '../policy/policy.ts';
import { isMute, nudgeDueAt } from '../recovery/silence.ts';
import type { DeadlineName } from '../worker/deadline.ts';
import type { Move } from '../worker/move.ts';
import { isBusy } from '../worker/status.ts';
import { startUpMs } from '../worker/session.ts';
import { heldBy } from '../worker/turn.ts';
import type { Worker } from '../worker/worker.ts';

/**
 * Lists each deadline on a line of its own: every decision comes here, and a loop over a table of names takes a tenth of a whole decision.
 *
 * @returns epoch milliseconds by name; a name that is missing is not armed. A deadline that depends on its arming keeps its time.
 */
export function armedDeadlines(worker: Worker, ctx: DecideContext): Worker['deadlines'] {
  const { command, session, mailbox, lifecycle, incident, turn, deadlines, account, budget } = worker;
  const { pane } = session;
  const { now, policy } = ctx;
  const nudge = nudgeAt(worker, ctx);
  const held = isBusy(lifecycle.status) ? heldBy(turn) : null;
  const accept = turnAt(worker, ctx);
  const checkpoint = saveAt(worker, ctx);
  const move = moveEndsAt(worker.move, policy);
  const armed: Partial<Record<DeadlineName, number>> = {};
  if (command.inFlight !== null) armed.command = command.inFlight.dueAt;
  if (pane.kind === 'starting') armed['start-up'] = pane.since + startUpMs(session, policy);
  if (pane.kind === 'dead' && pane.restartAt !== null && pane.restartAt > now) armed.restart = pane.restartAt;
  if (mailbox.current !== null && mailbox.current.notBefore > now) armed.delivery = mailbox.current.notBefore;
  if (command.holdUntil !== null) armed.hold = command.holdUntil;
  if (nudge !== null) armed.nudge = nudge;
  if (held?.wait === 'open') armed.background = held.since + policy.background.maxMs;
  if (incident.trouble?.until != null && isBusy(lifecycle.status)) armed.trouble = incident.trouble.until;
  if (isWatched(worker)) armed.check = deadlines.check ?? now + policy.checkEveryMs;
  if (deadlines.settle !== undefined && turn.phase.kind !== 'none') armed.settle = deadlines.settle;
  if (accept !== null) armed.accept = accept;
  if (checkpoint !== null) armed.checkpoint = checkpoint;
  // The pause should have ended long ago, and the account sent no word: the worker tries by itself.
  if (account.kind === 'paused' && account.until !== null) armed.account = account.until + policy.limit.waitMs;
  if (budget.mark.kind === 'handing-back' && turn.phase.kind !== 'none')
    armed['hand-back'] = deadlines['hand-back'] ?? now + policy.run.handBackMs;
  if (move !== null) armed.move = move;
  return armed;
}

/** Returns the time at which an accept asks for its turn again, or checks that its train is still there. */
function turnAt({ merge: { step: at }, lifecycle }: Worker, { now, policy }: DecideContext): number | null {
  if (at.kind === 'aboard') return now + policy.checkEveryMs;
  if (at.kind !== 'waiting' || lifecycle.wanted !== 'up') return null;
  const turn = now + policy.acceptTurnMs;
  return at.notBefore === null ? turn : Math.max(turn, at.notBefore);
}

/** Returns the time at which a move that has not come further is given up. */
function moveEndsAt(move: Move, { move: { carryMs, arriveMs } }: Policy): number | null {
  if (move.kind === 'carrying') return move.since + carryMs;
  return move.kind === 'arriving' ? move.since + arriveMs : null;
}

/**
 * Returns the time of the next nudge for an agent that is at its task, and waits neither for an error to pass, nor for its account, nor for
 * work in its background.
 */
function nudgeAt(worker: Worker, { now, policy }: DecideContext): number | null {
  const { lifecycle, incident, account } = worker;
  if (!isBusy(lifecycle.status) || incident.trouble?.until != null || account.kind === 'paused') return null;
  if (heldBy(worker.turn) !== null) return null;
  if (worker.turn.phase.kind !== 'none') return nudgeDueAt(worker, policy);
  return isMute(worker) ? (worker.deadlines.nudge ?? now + policy.silence.firstMs) : null;
}

/** Returns the time of the next periodic save; null while nothing changes or a save is on its way. */
function saveAt(worker: Worker, { now, policy }: DecideContext): number | null {
  const { task, session, checkpoint, turn, command, lifecycle, deadlines } = worker;
  const isSaving = checkpoint.due !== null || command.inFlight?.command.kind === 'checkpoint';
  if (lifecycle.wanted !== 'up' || task.kind === 'none' || session.pane.kind !== 'up' || isSaving) return null;
  if (turn.progress.at <= checkpoint.triedAt || !policy.checkpoint.enabled) return null;
  const since = Math.max(checkpoint.triedAt, task.startedAt);
  return deadlines.checkpoint ?? Math.max(now, since + policy.checkpoint.everyMs);
}

/**
 * R1: tells whether the worker is checked again even if nothing else is armed. A worker in error is only checked with a person's answer on its
 * way.
 */
function isWatched({ lifecycle: { status, wanted }, dialog }: Worker): boolean {
  if (wanted === 'down') return false;
  if (status === 'error') return dialog.inHand !== null && dialog.inHand.label !== null;
  return status !== 'idle' && status !== 'needs_review';
}
