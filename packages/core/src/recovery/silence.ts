/** Tells when a turn counts as without progress, and who is asked about it then (docs/recovery.md, stuck). */
import { isWaitingAtLimit } from '../worker/incident.ts';
import { showsNothing } from '../machine/reading.ts';
import type { Policy } from '../policy/policy.ts';
import { seenOf } from '../worker/session.ts';
import { isBusy } from '../worker/status.ts';
import { sinceOf } from '../worker/turn.ts';
import type { Progress } from '../worker/turn.ts';
import type { Worker } from '../worker/worker.ts';

/** Nudges before a person is asked: `[policy.nudge]` has a time and a text for each. */
export const NUDGES_MAX = 2;

/** Returns the time of the agent's next nudge, epoch milliseconds: soon if the screen shows nothing at all after a text, later if the agent works. */
export function nudgeDueAt(worker: Worker, policy: Policy): number {
  const { open } = worker.incident;
  const due = sinceProgress(worker, policy);
  // An agent that was asked late has its time to answer all the same: if several times are over, only one nudge comes at once.
  if (worker.turn.progress.nudges === 0 || open === null) return due;
  return Math.max(due, open.lastAttemptAt + policy.silence.againMs);
}

function sinceProgress(worker: Worker, { nudge, silence, rework }: Policy): number {
  const { at, nudges } = worker.turn.progress;
  if (isRebaseHelped(worker)) return at + rework.stuckMs;
  if (isSilent(worker)) return at + silence.firstMs + nudges * silence.againMs;
  return at + ([nudge.firstMs, nudge.secondMs][nudges] ?? nudge.askMs);
}

/** Tells whether an agent has taken a text, while its screen shows neither work nor a prompt nor an error: the agent may hang, or be dead. */
export function isSilent({ session, turn }: Worker): boolean {
  return turn.phase.kind !== 'none' && showsNothing(seenOf(session));
}

/** Tells whether a text waits for an agent that is in no turn, and whose screen shows nothing that a text could be typed into. */
export function isMute({ session, turn, mailbox, lifecycle }: Worker): boolean {
  const { current } = mailbox;
  if (sinceOf(turn) !== null || current === null || current.verify !== null || lifecycle.takenOver) return false;
  return session.pane.kind === 'up' && showsNothing(session.pane.seen);
}

/** Tells whether every nudge was given since the last progress. */
export function isNudgedOut({ nudges }: Progress): boolean {
  return nudges >= NUDGES_MAX;
}

/** Tells whether the agent was helped with its conflicts already. */
export function isRebaseHelped({ lifecycle, merge }: Worker): boolean {
  return lifecycle.status === 'rebasing' && merge.conflicts !== null && merge.conflicts.told.length > 0;
}

/** Tells whether a busy worker waits for a limit to reset. */
export function isAtLimit({ lifecycle, incident }: Worker): boolean {
  return isBusy(lifecycle.status) && isWaitingAtLimit(incident);
}
