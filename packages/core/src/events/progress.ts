/** Tells whether a turn makes progress. New words on the screen and commits restart the clock; a spinner alone does not (docs/recovery.md, stuck). */
import { become, record, rule, set } from '../decision/step.ts';
import type { Step } from '../decision/step.ts';
import type { GitFacts, Reading } from '../machine/reading.ts';
import { logFailure, mayTry, openIncident, showSign } from '../recovery/incident.ts';
import type { Failure } from '../recovery/incident.ts';
import { recover } from '../recovery/ladder.ts';
import { sendText } from '../recovery/mail.ts';
import { escalate, LEVEL_4_OPTIONS } from '../recovery/questions.ts';
import { wantCheckpoint } from '../recovery/save.ts';
import { isMute, isRebaseHelped, isSilent, NUDGES_MAX } from '../recovery/silence.ts';
import { duration } from '../taxonomy/wording.ts';
import { setTrouble } from '../worker/incident.ts';
import { newText, setTexts, takeCurrent, unsentTexts } from '../worker/mailbox.ts';
import { isReplaced } from '../worker/session.ts';
import { isBusy } from '../worker/status.ts';
import { countNudges, endTurn, markProgress, restartClock, setClock, setMark, showTurn } from '../worker/turn.ts';
import { rebaseStuck } from './rework.ts';

/** Notes progress by a mark that is new. The first mark after a text of Drover's own only sets the clock: the echo is no progress. */
export function noteProgress(step: Step, { progress: mark, at }: Reading): Step {
  const { turn } = step.worker;
  if (isEcho(step, at)) return step;
  if (turn.progress.mark === null) return set(step, { turn: setMark(turn, mark) });
  const noted = set(step, { turn: markProgress(turn, mark, step.ctx.now) });
  const moving = dropNudge(noted);
  return moving.worker.incident.open === null ? moving : calmDown(showSign(moving, 'progress'));
}

/** Drops a nudge that was not tried yet: it would reach an agent that works, and another one may follow it. */
function dropNudge(step: Step): Step {
  const { mailbox, command } = step.worker;
  const { current } = mailbox;
  if (current?.purpose !== 'nudge' || command.inFlight?.command.kind === 'deliver') return step;
  if (current.verify !== null || current.lost + current.partial + current.refused > 0) return step;
  return set(step, { mailbox: takeCurrent(mailbox) });
}

/** Counts a commit as progress, whatever the screen shows. */
export function noteCommit(step: Step, { head }: GitFacts): Step {
  const { worktree, lifecycle, turn } = step.worker;
  if (worktree.git === null || worktree.git.head === head || !isBusy(lifecycle.status)) return step;
  return calmDown(showSign(set(step, { turn: restartClock(turn, step.ctx.now) }), 'progress'));
}

/** Shows the turn by a new commit, or by a rebase that was begun for the agent and is over. */
export function showTurnByGit(step: Step, { head, rebasing }: GitFacts): Step {
  const { turn, lifecycle, worktree, task } = step.worker;
  if (turn.phase.kind !== 'unseen' || rebasing) return step;
  const headBefore = task.kind === 'none' ? undefined : task.headBefore;
  const isNew = head !== (worktree.git?.head ?? headBefore) && head !== headBefore;
  return isNew || lifecycle.status === 'rebasing' ? set(step, { turn: showTurn(turn) }) : step;
}

/**
 * Tells whether the screen still paints a nudge. A nudge is painted in several steps: into the program's queue, then as its next turn, with
 * all above moved up.
 */
function isEcho({ worker: { turn }, ctx }: Step, at: number): boolean {
  const { progress, phase } = turn;
  return progress.mark === null && progress.nudges > 0 && phase.kind !== 'none' && at < phase.since + ctx.policy.echoMs;
}

/** Ends the incident if work goes on for a while after the last attempt. */
function calmDown(step: Step): Step {
  const { incident, mailbox, session, lifecycle } = step.worker;
  const { open, trouble } = incident;
  if (open === null || open.escalated || mailbox.current !== null || !isBusy(lifecycle.status)) return step;
  // An agent that comes up again paints, and does not work yet.
  if (isReplaced(session) || mailbox.restoreDue) return step;
  const { now, policy } = step.ctx;
  if (trouble?.until != null || now - open.lastAttemptAt < policy.incident.calmMs) return step;
  const calm = showSign(step, 'turn-over');
  return set(calm, { incident: setTrouble(calm.worker.incident, null) });
}

/**
 * Handles the deadline of the nudge: two nudges; then an agent that shows nothing is started again, and one that seems to work is a person's
 * matter.
 */
export function lackProgress(step: Step): Step {
  const { worker, ctx } = step;
  // The machine was disconnected meanwhile, and the agent may have slept with it.
  if (!ctx.machineConnected) {
    return set(rule(step, 'nudge:machine-away'), { turn: setClock(worker.turn, ctx.now) });
  }
  if (isRebaseHelped(worker)) return rebaseStuck(step);
  const { progress } = worker.turn;
  const mute = isMute(worker);
  // No nudge could be typed either.
  const { firstText, secondText } = ctx.policy.nudge;
  const text = mute ? undefined : [firstText, secondText][progress.nudges];
  const silent = mute || isSilent(worker);
  const durationMs = ctx.now - progress.at;
  const since = duration(durationMs);
  const what = silent ? 'no answer' : 'no progress';
  const why = `${what} for ${since}${progress.nudges > 0 ? `, after ${progress.nudges} nudge(s)` : ''}`;
  const failure = { code: silent ? 'AGENT_TIMEOUT' : 'AGENT_STUCK', why, durationMs } as const;
  if (text === undefined) return silent ? recover(rule(step, 'silent'), failure, null) : handToPerson(step, failure);
  if (!mayTry(openIncident(step, failure), 'caller')) return handToPerson(step, failure);
  return recover(rule(step, 'nudge'), failure, {
    counts: 'caller',
    attempt: { action: `nudge after ${since}: ${what}` },
    act: (counted) =>
      sendText(
        set(counted, { turn: countNudges(counted.worker.turn, progress.nudges + 1) }),
        newText(ctx.fresh, 'nudge', text),
      ),
  });
}

/** Leaves the agent as it is, because it may be at work, and notifies a person. */
function handToPerson(step: Step, failure: Failure): Step {
  const { why } = failure;
  const known = logFailure(openIncident(rule(step, 'stuck'), failure), failure, 'escalate');
  const moved = become(known, 'needs_input', why);
  const { mailbox, turn } = moved.worker;
  // A person's texts still wait; Drover's own questions do not.
  const waiting = unsentTexts(mailbox).filter(({ purpose }) => purpose !== 'nudge');
  const ended = set(moved, {
    turn: countNudges(endTurn(turn), NUDGES_MAX),
    mailbox: setTexts(mailbox, waiting),
  });
  const told = record(ended, { kind: 'notice', text: why });
  return escalate(wantCheckpoint(told, 'hiccup', why), {
    kind: 'choice',
    title: why,
    body: '',
    options: LEVEL_4_OPTIONS,
  });
}
