/**
 * Which deadlines should be armed for this worker? Derived from its slices, so that a restart arms the same
 * ones. Keeps R1: a worker that is not idle, offline by request or waiting for review is heard of again.
 */
import type { DecideContext } from '../decision/step.ts';
import { isMute, isNudged, nudgeDueAt } from '../recovery/silence.ts';
import { DEADLINE_NAMES } from '../worker/deadline.ts';
import type { DeadlineName } from '../worker/deadline.ts';
import { isBusy } from '../worker/status.ts';
import type { Worker } from '../worker/worker.ts';

/** When a deadline is due, epoch milliseconds; null: it is not armed. */
type DueAt = (worker: Worker, ctx: DecideContext) => number | null;

/** When each deadline is due. One that depends on when it was armed keeps its time while it is armed. */
const DUE_AT: Readonly<Record<DeadlineName, DueAt>> = {
  command: ({ command }) => command.inFlight?.dueAt ?? null,
  'start-up': ({ session: { pane } }, { policy }) =>
    pane.kind === 'starting' ? pane.since + policy.startUp.timeoutMs : null,
  restart: ({ session: { pane } }, { now }) => (pane.kind === 'dead' ? later(pane.restartAt, now) : null),
  delivery: ({ mailbox }, { now }) => later(mailbox.current?.notBefore ?? null, now),
  hold: ({ command }) => command.holdUntil,
  nudge: nudgeAt,
  trouble: ({ lifecycle, incident }) => (isBusy(lifecycle.status) ? (incident.trouble?.until ?? null) : null),
  accept: ({ merge, lifecycle }, { now, policy }) =>
    merge.accept?.step === 'waiting' && lifecycle.wanted === 'up' ? now + policy.acceptTurnMs : null,
  settle: ({ turn, deadlines }) => (turn.phase.kind === 'none' ? null : (deadlines.settle ?? null)),
  checkpoint: saveAt,
  // A pause should have ended long ago, and no word has come: the worker asks for itself.
  account: ({ account }, { policy }) =>
    account.kind === 'paused' && account.until !== null ? account.until + policy.limit.waitMs : null,
  check: (worker, { now, policy }) =>
    isWatched(worker) ? (worker.deadlines.check ?? now + policy.checkEveryMs) : null,
};

/** @returns epoch milliseconds by name; a name that is missing is not armed. */
export function armedDeadlines(worker: Worker, ctx: DecideContext): Worker['deadlines'] {
  const armed: Partial<Record<DeadlineName, number>> = {};
  for (const name of DEADLINE_NAMES) {
    const at = DUE_AT[name](worker, ctx);
    if (at !== null) armed[name] = at;
  }
  return armed;
}

function later(at: number | null, now: number): number | null {
  return at !== null && at > now ? at : null;
}

function nudgeAt(worker: Worker, { now, policy }: DecideContext): number | null {
  if (!isNudged(worker)) return null;
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
