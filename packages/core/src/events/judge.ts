/** Judges from git and a fresh screen, never from the agent's words, whether the work is done (docs/recovery.md, stuck). */
import { arm, become, disarm, happen, note, record, rule, set } from '../decision/step.ts';
import type { Step } from '../decision/step.ts';
import type { Command, Success } from '../machine/commands.ts';
import { showsNothing } from '../machine/reading.ts';
import type { DeliveryEvidence, GitFacts, Reading } from '../machine/reading.ts';
import { showSign } from '../recovery/incident.ts';
import { askForAgent, waitForPerson } from '../recovery/questions.ts';
import { leaveAgentAtWork, settleDoubt } from '../recovery/second-signal.ts';
import { loseSession } from '../recovery/session-lost.ts';
import { isAtLimit } from '../recovery/silence.ts';
import { setTrouble } from '../worker/incident.ts';
import { emptyQueue } from '../worker/mailbox.ts';
import { dropReview } from '../merge/state.ts';
import { isAccepting } from '../merge/step.ts';
import { doubtOf, forgetCrashes, isAlive, seenOf } from '../worker/session.ts';
import { isBusy } from '../worker/status.ts';
import { inHand, runOf } from '../worker/task.ts';
import { endTurn, showsEnd, mayShowForMs, setClock, setJudgeDue } from '../worker/turn.ts';
import type { Worker } from '../worker/worker.ts';
import { setGit } from '../worker/worktree.ts';
import { endHandBack } from './budget.ts';
import { deliveryVerified } from './delivery.ts';
import { noteCommit, showTurnByGit } from './progress.ts';
import { askHowResolved, checkWork } from './rework.ts';
import { endRunTurn } from './run-task.ts';
import { returnToWork, takeScreen } from './screen.ts';
import { tellAstray, tellUnsigned, whereAstray } from './told-once/told-once.ts';
import { worktreeLost } from './worktree.ts';

type Checked = Success<'observe'>;

/**
 * Handles the findings of a check. A check after a delivery only concludes that delivery (R5); any other check judges a turn that is over: new
 * commit → review, none → a person's words, ended by its user → idle.
 */
export function checked(step: Step, { delivery }: Command<'observe'>, found: Checked): Step {
  // A text that the check found taken was taken before the screen was seen: the screen may show the end of that turn already.
  if (delivery !== null) {
    const known = takeFacts(
      deliveryVerified(step, evidenceOf(step, found), { at: beforeScreen(found), delivery }),
      found,
    );
    return leaveAgentAtWork(known, screenOf(known, found));
  }
  const fresh = takeFacts(step, found);
  // A session that was closed meanwhile needs no second signal: it is judged like any other.
  if (doubtOf(step.worker.session) !== null && isAlive(fresh.worker.session.pane))
    return settleDoubt(fresh, screenOf(fresh, found), step.worker.session.pane);
  const undue = set(fresh, { turn: setJudgeDue(fresh.worker.turn, false) });
  if (isBetweenTurns(step.worker, fresh.worker) || isOvertaken(step.worker, found)) return undue;
  const judged = disarm(disarm(undue, 'check'), 'settle');
  return found.git === null ? worktreeLost(judged) : judge(judged, found.git, found);
}

/**
 * Tells whether the prompt that a check read is older than the agent's next turn, whose start was reported during the check. Judging by that
 * prompt would end a turn that has just begun; the prompt after it is judged once settled.
 */
function isOvertaken({ turn }: Worker, { screen, git }: Checked): boolean {
  return !turn.judgeDue && git !== null && screen?.state.kind === 'ready';
}

/** Returns the evidence of a check about a text. Between two turns the text may be in the program's own queue, which no prompt shows. */
function evidenceOf(step: Step, found: Checked): DeliveryEvidence | null {
  if (found.delivery?.kind !== 'absent') return found.delivery;
  if (!isBetweenTurns(step.worker, takeFacts(step, found).worker)) return found.delivery;
  return { kind: 'unclear', why: 'its agent has not yet begun the texts in its own queue' };
}

/**
 * Tells whether "ready" has yet to settle while texts wait in the program's own queue: their turn may begin in a moment. A check that comes
 * earlier does not judge.
 */
function isBetweenTurns(before: Worker, { session, mailbox, deadlines }: Worker): boolean {
  const hasSettled = seenOf(before.session)?.state.kind === 'ready' && before.deadlines.settle === undefined;
  const isReady = seenOf(session)?.state.kind === 'ready';
  return mailbox.queued.length > 0 && isReady && deadlines.settle !== undefined && !hasSettled;
}

/** Returns the screen that a check found, if it is of the present incarnation. */
function screenOf({ worker: { session } }: Step, { incarnation, screen }: Checked): Reading | null {
  const { pane } = session;
  return pane.kind !== 'absent' && pane.incarnation === incarnation ? screen : null;
}

function beforeScreen({ screen }: Checked): number {
  return Math.max(0, (screen?.at ?? 0) - 1);
}

function takeFacts(step: Step, { incarnation, screen, git }: Checked): Step {
  const { pane } = step.worker.session;
  const known = git === null ? step : takeGit(step, git);
  if (!isAlive(pane)) return known;
  if (incarnation === null) return loseSession(known);
  if (incarnation !== pane.incarnation || screen === null) return known;
  const newest = pane.seen !== null && screen.at < pane.seen.at ? pane.seen : screen;
  return takeScreen(known, newest);
}

function takeGit(step: Step, git: GitFacts): Step {
  const shown = showTurnByGit(noteCommit(step, git), git);
  return set(shown, { worktree: setGit(shown.worker.worktree, git) });
}

function judge(step: Step, git: GitFacts, found: Pick<Checked, 'screen' | 'result'>): Step {
  const { screen, result } = found;
  const { lifecycle, checkpoint, session, mailbox, merge } = step.worker;
  if (lifecycle.status === 'idle' || lifecycle.status === 'needs_review') return judgeAtRest(step, git, screen);
  if (!isBusy(lifecycle.status) && lifecycle.status !== 'needs_input') return step;
  // The restore is about to take back the present work.
  if (checkpoint.restore !== null) return step;
  const ended = session.pane.kind === 'dead' && session.pane.restartAt === null;
  const unseenMs = ended ? 0 : unseenForMs(step, screen);
  if (unseenMs > 0) return arm(rule(step, 'turn-unseen'), 'settle', step.ctx.now + unseenMs);
  const over = isOver(step.worker, screen);
  // The program is ready again: each text of its queue has had its turn.
  if (mailbox.queued.length > 0 && over) return judge(set(step, { mailbox: emptyQueue(mailbox) }), git, found);
  if (!ended && !over) return askUnasked(step, screen);
  // An agent at a limit has not stopped: Drover asks it to go on when the limit is over.
  if (!ended && isAtLimit(step.worker) && !isNewWork(step.worker, git)) return rule(step, 'waits-at-limit');
  // The conflicts are judged even if the agent asked something meanwhile.
  if (lifecycle.status === 'rebasing' || merge.conflicts?.open === true) return askHowResolved(step);
  const astray = ended || (hasAsked(screen) && !isNewWork(step.worker, git)) ? null : tellAstray(step, git);
  if (astray !== null) return astray;
  const run = runOf(step.worker.task);
  if (run !== null) {
    const isAsked = hasAsked(screen) || lifecycle.status === 'needs_input' || lifecycle.takenOver;
    const over = endRunTurn(step, run, { git, result, isSilent: ended || isAsked });
    if (over !== null) return over;
  } else if (isNewWork(step.worker, git)) {
    const back = endHandBack(step);
    // A waiting message of a person belongs to the work: the question about the budget comes before the review.
    return back !== null && back.worker.mailbox.current !== null ? back : sendToReview(back ?? step, git);
  }
  // A person who took over works in the worktree also while no agent runs.
  if (ended) return lifecycle.takenOver ? step : endByUser(step);
  return endHandBack(step) ?? stopWithoutCommit(step, git, screen);
}

/** Judges a turn that the agent began by itself, without a task or after its work was sent to review: only a new commit counts. */
function judgeAtRest(step: Step, git: GitFacts, screen: Reading | null): Step {
  const { turn, merge } = step.worker;
  if (turn.phase.kind === 'none' || isAccepting(merge.step) || !isOver(step.worker, screen)) return step;
  const over = set(step, { turn: endTurn(turn) });
  if (runOf(step.worker.task) !== null) return rule(over, 'run:late');
  return isNewWork(step.worker, git) && merge.candidate?.head !== git.head ? sendToReview(over, git) : over;
}

/** Tells whether a turn is over: a fresh screen shows ready and nothing is on its way into the agent. */
function isOver({ session, mailbox, turn }: Worker, screen: Reading | null): boolean {
  if (session.pane.kind !== 'up' || mailbox.current !== null || mailbox.restoreDue || screen === null) return false;
  return showsEnd(screen, turn);
}

/** Milliseconds for which a turn that looks over may not have shown yet, because only the program's record reports it. */
function unseenForMs({ worker, ctx }: Step, screen: Reading | null): number {
  return screen !== null && isOver(worker, screen) ? mayShowForMs(worker.turn, screen.at, ctx.policy) : 0;
}

function isNewWork({ task }: Worker, git: GitFacts): boolean {
  const headBefore = task.kind === 'none' ? undefined : task.headBefore;
  return git.ahead > 0 && git.head !== headBefore && !git.rebasing && git.unmerged === 0;
}

function sendToReview(step: Step, git: GitFacts): Step {
  const dirty = git.dirty > 0 ? `, ${git.dirty} file(s) not committed` : '';
  const why = `committed "${git.subject}"${dirty}`;
  const over = checkWork(showSign(rule(step, 'commit-found'), 'turn-over'), { head: git.head, why });
  const { incident, session } = over.worker;
  return set(over, { incident: setTrouble(incident, null), session: forgetCrashes(session) });
}

function hasAsked(screen: Reading | null): boolean {
  return screen?.state.kind === 'ready' && screen.state.after === 'asked';
}

function stopWithoutCommit(step: Step, git: GitFacts, screen: Reading | null): Step {
  const asked = hasAsked(screen);
  const told = asked ? null : tellUnsigned(step, git);
  if (told !== null) return told;
  const why = asked
    ? 'stopped with a question'
    : `stopped without a new commit${git.astray === undefined ? '' : `, ${whereAstray(git.astray)}`}`;
  const { lifecycle, incident, turn, merge } = step.worker;
  const over = set(step, { turn: endTurn(turn), merge: dropReview(merge) });
  if (lifecycle.takenOver) return over;
  if (lifecycle.status !== 'needs_input') return waitForPerson(rule(over, asked ? 'asked' : 'no-commit'), why, null);
  // The worker was notified already; but the question of that time is not on the screen any more.
  return incident.open === null ? ask(over, why) : note(over, why);
}

/** Handles a screen without a question of a worker that needs input and has asked nobody: its turn goes on unseen, or a person is asked. */
function askUnasked(step: Step, screen: Reading | null): Step {
  const { lifecycle, incident, turn, session } = step.worker;
  const isUnasked = lifecycle.status === 'needs_input' && incident.open === null && !lifecycle.takenOver;
  if (!isUnasked || screen === null) return step;
  const isUnreadable = showsNothing(screen) && session.pane.kind === 'up';
  const isInTurn = turn.phase.kind !== 'none';
  // R1: the worker's question is answered. The silence has a clock like that of any other turn.
  if (isUnreadable && isInTurn) return returnToWork(set(step, { turn: setClock(turn, step.ctx.now) }));
  if (isInTurn) return step;
  if (screen.state.kind === 'error') return ask(step, `its agent shows an error: ${screen.state.text}`);
  return isUnreadable ? ask(step, 'Drover cannot read the screen of its agent') : step;
}

function ask(step: Step, why: string): Step {
  return askForAgent(note(step, why), why, null);
}

/** Ends the task of an agent that its user ended with nothing new committed. */
function endByUser(step: Step): Step {
  const task = inHand(step.worker.task);
  const moved = become(rule(step, 'ended-by-user'), 'idle', 'its user ended the agent');
  const idle = happen(showSign(moved, 'task-done'), 'task-ended');
  return task === null ? idle : record(idle, { kind: 'task', id: task.id, status: 'ended' });
}
