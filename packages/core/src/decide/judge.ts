/** Is the work done? Judged from git and a fresh screen, never from the agent's words. (docs/recovery.md, stuck) */
import type { Op, OpResult } from '../worker/op.ts';
import type { DeliveryEvidence, GitFacts, Look } from '../worker/op.ts';
import { isBusy } from '../worker/status.ts';
import { isLimit } from './account.ts';
import { wantCheckpoint } from './checkpoints.ts';
import { become, record, rule, set } from './decision.ts';
import type { Step } from './decision.ts';
import { verified } from './delivery.ts';
import { settleDoubt, unlessAtWork } from './doubt.ts';
import { blocked, question } from './escalation.ts';
import { onlyLogged, works } from './incident.ts';
import { sessionGone, taken, wentOn } from './observed.ts';
import { rebaseLeft } from './rework.ts';
import { committed, showsNothing } from './stuck.ts';
import { looksOver, mayShowForMs, turnShownByGit } from './turn.ts';
import { worktreeLost } from './worktree-lost.ts';

type Looked = Extract<OpResult, { kind: 'looked' }>;

/**
 * Takes what a look found. Where the look asked after a delivery, only that is concluded (R5); otherwise a turn that is
 * over is judged: new commit → review, none → a person's words, ended by its user → idle.
 */
export function lookedAt(step: Step, op: Extract<Op, { kind: 'look' }>, looked: Looked): Step {
  // A text that was found to be taken was taken before the screen was seen: it may show the end of that turn already.
  if (op.delivery !== null) {
    const found = { at: beforeScreen(looked), delivery: op.delivery };
    const known = withFacts(verified(step, evidenceOf(step, looked), found), looked);
    return unlessAtWork(known, screenOf(known, looked));
  }
  const fresh = withFacts(step, looked);
  const { pane } = fresh.worker;
  const lives = pane.kind === 'up' || pane.kind === 'starting';
  // What was closed meanwhile needs no second signal: it is judged like any other.
  if (step.worker.doubt !== null && lives) return settleDoubt(fresh, screenOf(fresh, looked), step.worker.pane);
  if (isBetweenTurns(step, fresh)) return set(fresh, { judgeDue: false });
  const judged = set(fresh, { judgeDue: false, deadlines: withoutCheck(fresh) });
  return looked.git === null ? worktreeLost(judged) : judge(judged, looked);
}

/** What a look says of a text. Between two turns it may have gone into the program's own queue, which no prompt shows. */
function evidenceOf(step: Step, looked: Looked): DeliveryEvidence | null {
  if (looked.delivery?.kind !== 'absent' || !isBetweenTurns(step, withFacts(step, looked))) return looked.delivery;
  return { kind: 'unclear', why: 'its program has yet to begin what it had queued' };
}

/**
 * Whether "ready" has yet to settle while words wait in the program's own queue: their turn may begin in a moment. A look
 * that comes earlier does not judge.
 */
function isBetweenTurns({ worker: before }: Step, { worker: { seen, queued, deadlines } }: Step): boolean {
  const hasSettled = before.seen?.state.kind === 'ready' && before.deadlines.settle === undefined;
  return queued.length > 0 && seen?.state.kind === 'ready' && deadlines.settle !== undefined && !hasSettled;
}

/** The screen that a look found, if it is of the present life. */
function screenOf({ worker: { pane } }: Step, { incarnation, screen }: Looked): Look | null {
  return pane.kind !== 'absent' && pane.incarnation === incarnation ? screen : null;
}

function beforeScreen({ screen }: Looked): number {
  return Math.max(0, (screen?.at ?? 0) - 1);
}

function withFacts(step: Step, { incarnation, screen, git }: Looked): Step {
  const { pane, seen } = step.worker;
  const known = git === null ? step : set(turnShownByGit(committed(step, git), git), { git });
  if (pane.kind === 'absent' || pane.kind === 'dead') return known;
  if (incarnation === null) return sessionGone(known);
  if (incarnation !== pane.incarnation || screen === null) return known;
  const newest = seen !== null && screen.at < seen.at ? seen : screen;
  return taken(known, newest);
}

function withoutCheck({ worker }: Step): Step['worker']['deadlines'] {
  const { check: _check, settle: _settle, ...rest } = worker.deadlines;
  return rest;
}

function judge(step: Step, { git, screen }: Pick<Looked, 'git' | 'screen'>): Step {
  const { worker } = step;
  if (!isBusy(worker.status) && worker.status !== 'needs_input') return step;
  // What stands there now is about to be taken back.
  if (worker.restoreFrom !== null) return step;
  const ended = worker.pane.kind === 'dead' && worker.pane.restartAt === null;
  const unseenMs = ended ? 0 : unseenForMs(step, screen);
  if (unseenMs > 0) return waitsForTurn(step, unseenMs);
  // Ready again: whatever the program had queued has had its turn.
  if (worker.queued.length > 0 && isOver(step, screen)) return judge(set(step, { queued: [] }), { git, screen });
  if (git === null || !(ended || isOver(step, screen))) return unasked(step, screen);
  // At a limit it has not stopped: it is asked to go on when that is over.
  if (!ended && isAtLimit(worker) && !isNewWork(step, git)) return rule(step, 'waits-at-limit');
  if (worker.status === 'rebasing') return judgeRebase(step, git);
  if (isNewWork(step, git)) return toReview(step, git);
  // A person who took over works there also while no agent runs.
  if (ended) return worker.takenOver ? step : toIdle(step);
  return toInput(step, screen);
}

function isAtLimit({ status, trouble }: Step['worker']): boolean {
  return isBusy(status) && trouble?.until != null && isLimit(trouble.error);
}

/** A turn is over when a fresh screen shows ready and nothing is on its way into the agent. */
function isOver({ worker }: Step, screen: Look | null): boolean {
  if (worker.pane.kind !== 'up' || worker.outgoing !== null || worker.restoreDue || screen === null) return false;
  return looksOver(screen, worker);
}

/** Milliseconds for which a turn that looks over may not have shown yet. */
function unseenForMs(step: Step, screen: Look | null): number {
  return screen !== null && isOver(step, screen) ? mayShowForMs(step.worker, screen.at, step.ctx.policy) : 0;
}

/** Only the program's record tells of the turn: it is judged when it would long have shown. */
function waitsForTurn(step: Step, unseenMs: number): Step {
  const settle = step.ctx.now + unseenMs;
  return set(rule(step, 'turn-unseen'), { deadlines: { ...step.worker.deadlines, settle } });
}

function isNewWork({ worker }: Step, git: GitFacts): boolean {
  return git.ahead > 0 && git.head !== worker.task?.headBefore && !git.rebasing && git.unmerged === 0;
}

function toReview(step: Step, git: GitFacts): Step {
  const dirty = git.dirty > 0 ? `, ${git.dirty} file(s) not committed` : '';
  const why = `committed "${git.subject}"${dirty}`;
  const { task } = step.worker;
  const moved = set(works(become(rule(step, 'commit-found'), 'needs_review', why), 'turn-over'), {
    turnSince: null,
    trouble: null,
    takenOver: false,
    crashes: { count: 0, lastAt: 0 },
  });
  const told = record(wantCheckpoint(moved, 'stage_complete', why), { kind: 'notice', text: why });
  return task === null ? told : record(told, { kind: 'task', id: task.id, status: 'review' });
}

function toInput(step: Step, screen: Look | null): Step {
  const asked = screen?.state.kind === 'ready' && screen.state.after === 'asked';
  const why = asked ? 'stopped with a question' : 'stopped without a new commit';
  const { status, takenOver, incident } = step.worker;
  const over = set(step, { turnSince: null });
  if (takenOver) return over;
  if (status !== 'needs_input') return blocked(asked ? rule(over, 'asked') : rule(over, 'no-commit'), why, null);
  // It was told of already; but what it asked then is not on the screen any more.
  const noted = set(over, { note: why });
  return incident === null ? question(noted, why, null) : noted;
}

/** Nobody is asked anything, and the screen is not one that asks: its turn goes on unseen, or a person is asked about it. */
function unasked(step: Step, screen: Look | null): Step {
  const { status, incident, takenOver, turnSince, pane } = step.worker;
  const isUnasked = status === 'needs_input' && incident === null && !takenOver;
  if (!isUnasked || screen === null) return step;
  const isUnreadable = showsNothing(screen) && pane.kind === 'up';
  // R1: what it asked is answered. Its silence has a clock as that of any other turn.
  if (isUnreadable && turnSince !== null)
    return wentOn(set(step, { progress: { ...step.worker.progress, at: step.ctx.now } }));
  if (turnSince !== null) return step;
  const { state } = screen;
  if (state.kind === 'error') return asked(step, `its agent shows an error: ${state.text}`);
  return isUnreadable ? asked(step, 'its agent shows nothing that Drover can read') : step;
}

function asked(step: Step, why: string): Step {
  return question(set(step, { note: why }), why, null);
}

/** Its user ended the agent and nothing new is committed: the task is over. */
function toIdle(step: Step): Step {
  const { task } = step.worker;
  const idle = set(works(become(rule(step, 'ended-by-user'), 'idle', 'its agent was ended by its user'), 'task-done'), {
    task: null,
    taskAttempts: 0,
    takenOver: false,
    turnSince: null,
  });
  return task === null ? idle : record(idle, { kind: 'task', id: task.id, status: 'ended' });
}

/** Git judges whether the conflicts are resolved, never the agent's words. */
function judgeRebase(step: Step, git: GitFacts): Step {
  if (git.rebasing || git.unmerged > 0) return rebaseLeft(step, git.unmerged);
  const wasGivenUp = git.head === step.worker.conflicts?.headBefore;
  const why = wasGivenUp ? 'its agent gave the rebase up; the work is as it was' : 'the conflicts are resolved';
  const named = wasGivenUp ? rule(step, 'rebase-aborted') : rule(step, 'rebase-over');
  const back = set(works(become(named, 'needs_review', why), 'turn-over'), {
    turnSince: null,
    // Git is asked whether it holds; that ends the incident.
    rebaseDue: !wasGivenUp && step.worker.incident !== null,
  });
  const told = record(back, { kind: 'notice', text: why });
  return wasGivenUp ? onlyLogged(told, { code: 'REBASE_ABORTED', why }) : told;
}
