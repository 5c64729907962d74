/**
 * Which deadlines should be armed for this worker? Derived from its slices, so that a restart arms the same
 * ones. Keeps R1: a worker that is not idle, offline by request or waiting for review is heard of again.
 */
import type { DecideContext } from '../decision/step.ts';
import type { Policy } from '../policy/policy.ts';
import { isMute, nudgeDueAt } from '../recovery/silence.ts';
import type { DeadlineName } from '../worker/deadline.ts';
import type { Move } from '../worker/move.ts';
import { isBusy } from '../worker/status.ts';
import type { Worker } from '../worker/worker.ts';

/** @returns epoch milliseconds by name; a name that is missing is not armed. */
export function armedDeadlines(worker: Worker, ctx: DecideContext): Worker['deadlines'] {
  const dueAt = dueTimes(worker, ctx);
  const armed: Partial<Record<DeadlineName, number>> = {};
  // Every decision comes here, and "in" is far the fastest way through the names.
  for (const name in dueAt) {
    const at = dueAt[name as DeadlineName];
    if (at !== null) armed[name as DeadlineName] = at;
  }
  return armed;
}

/** When each deadline is due, epoch milliseconds; null: it is not armed. One that depends on when it was armed keeps its time. */
function dueTimes(worker: Worker, ctx: DecideContext): Readonly<Record<DeadlineName, number | null>> {
  const { command, session, mailbox, lifecycle, incident, turn, deadlines, account } = worker;
  const { pane } = session;
  const { now, policy } = ctx;
  return {
    command: command.inFlight?.dueAt ?? null,
    'start-up': pane.kind === 'starting' ? pane.since + policy.startUp.timeoutMs : null,
    restart: pane.kind === 'dead' ? later(pane.restartAt, now) : null,
    delivery: later(mailbox.current?.notBefore ?? null, now),
    hold: command.holdUntil,
    nudge: nudgeAt(worker, ctx),
    trouble: isBusy(lifecycle.status) ? (incident.trouble?.until ?? null) : null,
    check: isWatched(worker) ? (deadlines.check ?? now + policy.checkEveryMs) : null,
    settle: turn.phase.kind === 'none' ? null : (deadlines.settle ?? null),
    accept: turnAt(worker, ctx),
    checkpoint: saveAt(worker, ctx),
    // A pause should have ended long ago, and no word has come: the worker asks for itself.
    account: account.kind === 'paused' && account.until !== null ? account.until + policy.limit.waitMs : null,
    move: moveEndsAt(worker.move, policy),
  };
}

/** When an accept asks for its turn again, or whether its train is still there. */
function turnAt({ merge: { accept }, lifecycle }: Worker, { now, policy }: DecideContext): number | null {
  if (accept?.step === 'aboard') return now + policy.checkEveryMs;
  if (accept?.step !== 'waiting' || lifecycle.wanted !== 'up') return null;
  return Math.max(now + policy.acceptTurnMs, accept.notBefore ?? 0);
}

/** When a move that has not come further is given up. */
function moveEndsAt(move: Move, { move: { carryMs, arriveMs } }: Policy): number | null {
  if (move.kind === 'carrying') return move.since + carryMs;
  return move.kind === 'arriving' ? move.since + arriveMs : null;
}

function later(at: number | null, now: number): number | null {
  return at !== null && at > now ? at : null;
}

/** The silence of an agent is watched that is at its task, and waits neither for an error to pass nor for its account. */
function nudgeAt(worker: Worker, { now, policy }: DecideContext): number | null {
  const { lifecycle, incident, account } = worker;
  if (!isBusy(lifecycle.status) || incident.trouble?.until != null || account.kind === 'paused') return null;
  if (worker.turn.phase.kind !== 'none') return nudgeDueAt(worker, policy);
  return isMute(worker) ? (worker.deadlines.nudge ?? now + policy.silence.firstMs) : null;
}

/** When the next periodic save is due; null while nothing changes or a save is on its way. */
function saveAt(worker: Worker, { now, policy }: DecideContext): number | null {
  const { task, session, checkpoint, turn, command, lifecycle, deadlines } = worker;
  const isSaving = checkpoint.due !== null || command.inFlight?.command.kind === 'checkpoint';
  if (lifecycle.wanted !== 'up' || task.kind === 'none' || session.pane.kind !== 'up' || isSaving) return null;
  if (turn.progress.at <= checkpoint.triedAt) return null;
  const since = Math.max(checkpoint.triedAt, task.startedAt);
  return deadlines.checkpoint ?? Math.max(now, since + policy.checkpoint.everyMs);
}

/** R1: these are checked again even if nothing else is armed. In error only one that has a person's answer on its way. */
function isWatched({ lifecycle: { status, wanted }, dialog }: Worker): boolean {
  if (wanted === 'down') return false;
  if (status === 'error') return dialog.inHand !== null && dialog.inHand.label !== null;
  return status !== 'idle' && status !== 'needs_review';
}
