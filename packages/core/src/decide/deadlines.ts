/**
 * Which deadlines should be armed for this worker? Derived from its facts, so that a restart arms the same
 * ones. Keeps R1: whoever is not idle, offline by order or waiting for review is heard of again.
 */
import type { DeadlineName, Worker } from '../worker/worker.ts';
import { isBusy } from '../worker/status.ts';
import { isPaused, pauseEndsAt } from './account.ts';
import { periodicDueAt } from './checkpoints.ts';
import type { DecideContext } from './decision.ts';
import { isMute, nudgeDueAt } from './stuck.ts';

type Deadlines = Partial<Record<DeadlineName, number>>;

/** @returns epoch milliseconds by name; a name that is missing is not armed. */
export function armed(worker: Worker, ctx: DecideContext): Deadlines {
  const { now, policy } = ctx;
  const { inFlight, pane, outgoing, accept, deadlines } = worker;
  const due: Deadlines = {};
  if (inFlight !== null) due.command = inFlight.dueAt;
  if (pane.kind === 'starting') due['start-up'] = pane.since + policy.startUp.timeoutMs;
  if (pane.kind === 'dead' && pane.restartAt !== null && pane.restartAt > now) due.restart = pane.restartAt;
  if (outgoing !== null && outgoing.notBefore > now) due.delivery = outgoing.notBefore;
  if (worker.holdUntil !== null) due.hold = worker.holdUntil;
  const isNudged = isBusy(worker.status) && worker.trouble?.until == null && !isPaused(worker);
  if (worker.turnSince !== null && isNudged) {
    due.nudge = nudgeDueAt(worker, policy);
  } else if (isNudged && isMute(worker)) {
    due.nudge = deadlines.nudge ?? now + policy.silence.firstMs;
  }
  if (worker.trouble?.until != null && isBusy(worker.status)) due.trouble = worker.trouble.until;
  if (accept?.step === 'waiting' && worker.wanted === 'up') due.accept = now + policy.acceptTurnMs;
  if (deadlines.settle !== undefined && worker.turnSince !== null) due.settle = deadlines.settle;
  const save = periodicDueAt({ worker, ctx });
  if (save !== null && worker.wanted === 'up') due.checkpoint = save;
  const pauseEnd = pauseEndsAt(worker, policy.limit);
  if (pauseEnd !== null) due.account = pauseEnd;
  if (isWatched(worker)) due.check = deadlines.check ?? now + policy.checkEveryMs;
  return due;
}

/** R1: these are looked at again even if nothing else is armed. In error only who has a person's answer on its way. */
function isWatched({ status, wanted, dialog }: Worker): boolean {
  if (wanted === 'down') return false;
  if (status === 'error') return dialog !== null && dialog.label !== null;
  return status !== 'idle' && status !== 'needs_review';
}
