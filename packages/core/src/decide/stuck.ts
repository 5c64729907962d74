/**
 * Has a turn stopped making progress? New words on the screen and commits restart the clock; a spinner alone does not.
 * (docs/recovery.md, stuck)
 */
import type { Policy } from '../policy/policy.ts';
import { duration } from '../taxonomy/wording.ts';
import type { GitFacts, Look } from '../worker/op.ts';
import { isBusy } from '../worker/status.ts';
import type { Progress, Worker } from '../worker/worker.ts';
import { wantCheckpoint } from './checkpoints.ts';
import { become, record, rule, set } from './decision.ts';
import type { Step } from './decision.ts';
import { escalated, LEVEL_4_OPTIONS } from './escalation.ts';
import { logged, mayTry, opened, works } from './incident.ts';
import type { Failure } from './incident.ts';
import { enqueue, outgoing } from './orders.ts';
import { recover } from './recover.ts';
import { isHelped, rebaseStuck } from './rework.ts';
import { NUDGES } from './texts.ts';

/** Notes progress. The first mark after a text of Drover's own only sets the clock: its echo is no progress. */
export function progressed(step: Step, { progress: mark, at }: Look): Step {
  const { progress } = step.worker;
  if (mark === progress.mark || isEcho(step, at)) return step;
  if (progress.mark === null) return set(step, { progress: { ...progress, mark } });
  const noted = set(step, { progress: { mark, at: step.ctx.now, nudges: 0 } });
  return calm(works(withoutNudge(noted), 'progress'));
}

/** A nudge that was not tried yet is moot: it would reach an agent that works, and another one may follow it. */
function withoutNudge(step: Step): Step {
  const { outgoing: text, backlog, inFlight } = step.worker;
  if (text?.purpose !== 'nudge' || inFlight?.op.kind === 'deliver') return step;
  if (text.verify !== null || text.lost + text.partial + text.refused > 0) return step;
  const [next = null, ...later] = backlog;
  return set(step, { outgoing: next, backlog: later });
}

/** A commit is progress, whatever the screen shows. */
export function committed(step: Step, { head }: GitFacts): Step {
  const { git, status, progress } = step.worker;
  if (git === null || git.head === head || !isBusy(status)) return step;
  return calm(works(set(step, { progress: { ...progress, at: step.ctx.now, nudges: 0 } }), 'progress'));
}

/** A nudge is painted in several steps: into the program's queue, then as its next turn, with all above moved up. */
function isEcho({ worker: { progress, turnSince }, ctx }: Step, at: number): boolean {
  return progress.mark === null && progress.nudges > 0 && turnSince !== null && at < turnSince + ctx.policy.echoMs;
}

/** Work that goes on for a while after the last attempt ends the incident. */
function calm(step: Step): Step {
  const { worker, ctx } = step;
  const { incident, trouble, outgoing: text, respawnDue, restoreDue, status } = worker;
  if (incident === null || incident.escalated || text !== null || !isBusy(status)) return step;
  // An agent that comes up again paints, and does not work yet.
  if (respawnDue || restoreDue) return step;
  if (trouble?.until != null || ctx.now - incident.lastAttemptAt < ctx.policy.incident.calmMs) return step;
  return set(works(step, 'turn-over'), { trouble: null });
}

/** When the agent is asked next, epoch milliseconds: soon if it shows nothing at all after a text, later if it works. */
export function nudgeDueAt(worker: Worker, policy: Policy): number {
  const { progress, incident } = worker;
  const due = sinceProgress(worker, policy);
  // Asked late, it has its time to answer all the same: of times that are over already, one nudge comes at once.
  if (progress.nudges === 0 || incident === null) return due;
  return Math.max(due, incident.lastAttemptAt + policy.silence.againMs);
}

function sinceProgress(worker: Worker, { nudge, silence, rework }: Policy): number {
  const { at, nudges } = worker.progress;
  if (isHelped(worker)) return at + rework.stuckMs;
  if (isSilent(worker)) {
    const { firstMs, againMs } = silence;
    return at + firstMs + nudges * againMs;
  }
  return at + ([nudge.firstMs, nudge.secondMs][nudges] ?? nudge.handOverMs);
}

/** It has taken a text, and its screen shows neither work nor a prompt nor an error: nobody knows whether it lives. */
function isSilent({ seen, turnSince }: Worker): boolean {
  return turnSince !== null && showsNothing(seen);
}

/** A text waits for an agent that is in no turn, and whose screen shows nothing that a text could be typed into. */
export function isMute({ seen, turnSince, outgoing: text, pane, takenOver }: Worker): boolean {
  if (turnSince !== null || text === null || text.verify !== null || takenOver) return false;
  return pane.kind === 'up' && showsNothing(seen);
}

/** Whether a screen tells nothing of what its agent does. */
export function showsNothing(seen: Look | null): boolean {
  return seen?.state.kind === 'unknown' || seen?.state.kind === 'starting';
}

/** Whether every nudge was given since the last progress. */
export function isHandedOver({ nudges }: Progress): boolean {
  return nudges >= NUDGES.length;
}

/** Two nudges; then an agent that shows nothing is started again, and one that seems to work is a person's matter. */
export function withoutProgress(step: Step): Step {
  if (isHelped(step.worker)) return rebaseStuck(step);
  const { progress } = step.worker;
  const mute = isMute(step.worker);
  // No nudge could be typed either.
  const text = mute ? undefined : NUDGES[progress.nudges];
  const silent = mute || isSilent(step.worker);
  const since = duration(step.ctx.now - progress.at);
  const what = silent ? 'no answer' : 'no progress';
  const why = `${what} for ${since}${progress.nudges > 0 ? `, after ${progress.nudges} nudge(s)` : ''}`;
  const failure = {
    code: silent ? 'AGENT_TIMEOUT' : 'AGENT_STUCK',
    why,
    durationMs: step.ctx.now - progress.at,
  } as const;
  if (text === undefined) return silent ? recover(rule(step, 'silent'), failure, null) : handOver(step, failure);
  const known = opened(step, failure);
  if (!mayTry(known, 'own')) return handOver(step, failure);
  return recover(rule(step, 'nudge'), failure, {
    plan: 'own',
    attempt: { action: `nudge after ${since}: ${what}` },
    act: (counted) =>
      enqueue(
        set(counted, { progress: { ...progress, nudges: progress.nudges + 1 } }),
        outgoing(step.ctx.fresh, 'nudge', text),
      ),
  });
}

/** The agent is left as it is, for it may be at work; a person is told. */
function handOver(step: Step, failure: Failure): Step {
  const { progress, outgoing: text, backlog } = step.worker;
  const { why } = failure;
  // A person's words still wait; Drover's own questions do not.
  const [next, ...later] = (text === null ? backlog : [text, ...backlog]).filter(({ purpose }) => purpose !== 'nudge');
  const known = logged(opened(rule(step, 'stuck'), failure), failure, 'escalate');
  const moved = set(become(known, 'needs_input', why), {
    turnSince: null,
    outgoing: next ?? null,
    backlog: later,
    progress: { ...progress, nudges: NUDGES.length },
  });
  const told = record(moved, { kind: 'notice', text: why });
  return escalated(wantCheckpoint(told, 'hiccup', why), {
    kind: 'choice',
    title: why,
    body: '',
    options: LEVEL_4_OPTIONS,
  });
}
