/**
 * Chooses the next command from the worker's slices alone. The first row of the table that applies gives at most one command; while a command
 * is in flight nothing else is begun. Read the table as the worker's plan, from its end to its beginning.
 */
import { become, issue, rule, set } from '../decision/step.ts';
import type { Step } from '../decision/step.ts';
import { restoredText } from '../policy/texts.ts';
import { issueSecondCheck } from '../recovery/second-signal.ts';
import { isUrgent } from '../worker/checkpoint.ts';
import { holdUntil } from '../worker/command.ts';
import { comeBackTo } from '../worker/lifecycle.ts';
import { newText, putFirst, setRestoreDue } from '../worker/mailbox.ts';
import { isMerging } from '../merge/state.ts';
import { isAccepting } from '../merge/step.ts';
import { doubtOf, isAlive, isReplaced, keepProgram, seenOf, setConversation } from '../worker/session.ts';
import { isBusy } from '../worker/status.ts';
import { inHand } from '../worker/task.ts';
import type { Worker } from '../worker/worker.ts';
import { issueAnswer } from './answer.ts';
import { issueRestore, issueSave } from './checkpoint.ts';
import { issueDelivery } from './delivery.ts';
import { isInterruptDue, issueInterrupt } from './interrupt.ts';
import { isCarried, isMoveStepDue, issueMoveStep } from './move.ts';
import { owedBy } from './owed.ts';
import { issueMergeStep, issueRebase, issueResolution, issueReviewStep } from '../merge/commands.ts';

/** A row: its condition, and its action; null: nothing more is to be done. */
interface Row {
  readonly when: (worker: Worker) => boolean;
  readonly act: ((step: Step) => Step) | null;
}

/** Rows for a worker on its way; these come first. */
const ON_THE_WAY: readonly Row[] = [
  // R5: only the machine on which a text was typed knows its outcome.
  { when: (worker) => worker.move.kind === 'leaving' && isUnsure(worker), act: issueVerification },
  { when: isMoveStepDue, act: issueMoveStep },
  { when: isCarried, act: null },
];

/** Rows for a worker that is wanted up. */
const PLAN: readonly Row[] = [
  // No worktree is saved or made fresh, and no text typed, beside an agent that was to stop.
  { when: isInterruptDue, act: issueInterrupt },
  { when: ({ worktree }) => worktree.place.kind === 'none', act: issuePrepare },
  { when: ({ merge }) => isAccepting(merge.step), act: mergeOrWait },
  { when: ({ checkpoint }) => checkpoint.restore !== null, act: issueRestore },
  // R3: nothing that a check could find comes between the second signal and the end of the program.
  { when: (worker) => isUnsure(worker) && doubtOf(worker.session) !== null, act: issueVerification },
  { when: (worker) => worker.turn.judgeDue && !isEndDecided(worker), act: issueJudgement },
  { when: ({ merge, turn }) => merge.step.kind === 'reviewing' && turn.phase.kind === 'none', act: issueReviewStep },
  { when: isResolutionDue, act: issueResolution },
  { when: ({ merge, turn }) => merge.rebaseDue && turn.phase.kind === 'none', act: issueRebase },
  { when: ({ checkpoint: { due } }) => due !== null && isUrgent(due.type), act: issueSave },
  // An agent that is about to be ended is not told to go on.
  { when: (worker) => mayHaveDialog(worker) && !isEndDecided(worker), act: issueAnswer },
  { when: ({ lifecycle }) => lifecycle.status === 'error', act: null },
  { when: isUnsure, act: issueVerification },
  { when: ({ worktree }) => worktree.resetDue, act: issuePrepare },
  { when: ({ worktree }) => worktree.setUp?.state === 'due', act: (step) => issue(step, { kind: 'set-up' }) },
  { when: () => true, act: bringAgentUp },
];

/**
 * Rows that go on while an accept waits, which may take long if the default branch fails its checks. Texts wait, so that no work comes after
 * the reviewed commit.
 */
const BESIDE_A_WAITING_ACCEPT: readonly Row[] = [
  { when: mayHaveDialog, act: issueAnswer },
  { when: ({ session }) => session.pane.kind === 'absent' || session.pane.kind === 'dead', act: bringAgentUp },
];

/**
 * Issues the next command that the slices ask for, or nothing while one is in flight or a failed one cools down.
 *
 * @returns the step with at most one command more than before.
 */
export function issueNext(step: Step): Step {
  const { command, lifecycle, merge } = step.worker;
  if (command.inFlight !== null) return step;
  if (command.holdUntil !== null && step.ctx.now < command.holdUntil) return step;
  const ready = command.holdUntil === null ? step : set(step, { command: holdUntil(command, null) });
  switch (lifecycle.wanted) {
    case 'gone':
    case 'gone-by-force':
      return issueRemoval(ready, lifecycle.wanted === 'gone-by-force');
    case 'down':
      // A merge that has begun goes to its end, which closes the session too; other workers wait for its lease.
      return isMerging(merge) ? takeDown(issueMergeStep(ready)) : takeDown(ready);
    case 'up':
      return followPlan(ready);
    default:
      return lifecycle.wanted satisfies never;
  }
}

function followPlan(step: Step): Step {
  return followRows(step, step.worker.move.kind === 'none' ? PLAN : [...ON_THE_WAY, ...PLAN]);
}

/** Follows the rows until the first one that applies and changes the step. */
function followRows(step: Step, rows: readonly Row[]): Step {
  for (const { when, act } of rows) {
    if (!when(step.worker)) continue;
    if (act === null) return step;
    const next = act(step);
    if (next !== step) return next;
  }
  return step;
}

/** Issues the present step of the merge; while the merge waits, keeps the worker up. */
function mergeOrWait(step: Step): Step {
  const next = issueMergeStep(step);
  const { command, merge } = next.worker;
  if (command.inFlight !== null || merge.step.kind !== 'waiting') return next;
  return followRows(next, BESIDE_A_WAITING_ACCEPT);
}

/** Ends its session, unless it merges: one that has lost its turn does not. */
function takeDown(step: Step): Step {
  const { merge, session } = step.worker;
  if (isMerging(merge)) return step;
  return session.pane.kind === 'absent' ? markDown(step) : issue(step, { kind: 'close' });
}

/** Marks the worker as offline: its session is gone already, so there is nothing to close. */
function markDown(step: Step): Step {
  const { lifecycle, mailbox } = step.worker;
  const { status } = lifecycle;
  if (status === 'offline') return step;
  const left = set(step, {
    lifecycle: comeBackTo(lifecycle, status),
    mailbox: setRestoreDue(mailbox, isBusy(status)),
  });
  return become(left, 'offline', 'its session was closed by request');
}

/** Removes the worker: the session first, so that no agent writes into a worktree that goes. */
function issueRemoval(step: Step, force: boolean): Step {
  if (step.worker.session.pane.kind !== 'absent') return issue(step, { kind: 'close' });
  return issue(step, { kind: 'remove', force });
}

function issuePrepare(step: Step): Step {
  const { task, worktree } = step.worker;
  const reset = task.kind === 'none' || worktree.resetDue;
  const from = reset ? inHand(task)?.from?.commit : undefined;
  return issue(step, { kind: 'prepare', reset, saveAs: step.ctx.fresh, ...(from !== undefined && { from }) });
}

function issueJudgement(step: Step): Step {
  const { place } = step.worker.worktree;
  const base = place.kind === 'none' ? null : place.base;
  return issue(step, { kind: 'observe', base, delivery: null, ...owedBy(step.worker) });
}

/** Tells whether git can be asked now how the conflicts were ended. */
function isResolutionDue({ merge, turn }: Worker): boolean {
  return merge.resolutionDue && turn.phase.kind === 'none';
}

function issueVerification(step: Step): Step {
  const { current } = step.worker.mailbox;
  if (current === null) return step;
  return issue(step, { kind: 'observe', base: null, delivery: current.verify, textId: current.id });
}

/** Tells whether a dialog is decided upon, or on the screen. */
function mayHaveDialog({ dialog, session }: Worker): boolean {
  return dialog.inHand !== null || seenOf(session)?.state.kind === 'dialog';
}

/** Tells whether the outcome of an attempt with the text on its way is unknown (R5). */
function isUnsure({ mailbox }: Worker): boolean {
  return mailbox.current !== null && mailbox.current.verify !== null;
}

/** R3: tells whether the end of a living program is decided. A later check could only speak against it, and too late. */
function isEndDecided({ session, lifecycle }: Worker): boolean {
  return isAlive(session.pane) && session.replacement.kind === 'due' && lifecycle.status !== 'error';
}

/** Brings the agent up; only then are texts delivered. */
function bringAgentUp(step: Step): Step {
  const { worker, ctx } = step;
  const { session } = worker;
  const { pane } = session;
  switch (pane.kind) {
    case 'absent':
      return issue(prepareConversation(step), { kind: 'open', launch: launchOf(step) });
    case 'dead':
      if (pane.restartAt === null || ctx.now < pane.restartAt) return step;
      return issueRespawn(step, pane.incarnation, false);
    case 'starting':
      return isReplaced(session) ? endByForce(step, pane.incarnation) : step;
    case 'up':
      if (isReplaced(session)) return endByForce(step, pane.incarnation);
      if (session.replacement.kind === 'at-rest') return beginAfresh(step, pane.incarnation);
      return deliverOrSave(step, pane.incarnation);
    default:
      return pane satisfies never;
  }
}

/** R3: sends the text as it is to a program that works by now, instead of ending it for a fresh context. */
function beginAfresh(step: Step, incarnation: string): Step {
  const { session } = step.worker;
  if (!mayBeginAfresh(step.worker)) return deliverOrSave(set(step, { session: keepProgram(session) }), incarnation);
  return issueRespawn(rule(set(step, { session: setConversation(session, null) }), 'fresh-context'), incarnation, true);
}

function mayBeginAfresh({ session, turn, mailbox }: Worker): boolean {
  const state = seenOf(session)?.state;
  const isPrompt = state?.kind === 'ready' && state.composer.kind === 'empty';
  if (!isPrompt || turn.phase.kind !== 'none' || mailbox.queued.length > 0) return false;
  // Any other text that goes first, such as a person's feedback, builds on the conversation.
  return mailbox.current?.purpose === 'conflict' && mailbox.current.next === 'type';
}

/**
 * Ends a living program: at a person's word, such as a new task, whose context is a fresh process
 * (docs/adr/0006-one-way-for-every-recovery.md), or when two signals agree (R3).
 */
function endByForce(step: Step, incarnation: string): Step {
  if (doubtOf(step.worker.session) !== null) return issueSecondCheck(step);
  return issueRespawn(step, incarnation, true);
}

function issueRespawn(step: Step, incarnation: string, force: boolean): Step {
  return issue(prepareConversation(step), { kind: 'respawn', incarnation, launch: launchOf(step), force });
}

/** Delivers the next text; if none waits, saves the work. */
function deliverOrSave(step: Step, incarnation: string): Step {
  const known = giveTaskAgain(step);
  const told = known.worker.mailbox.current === null ? known : issueDelivery(known, incarnation);
  const { command, checkpoint } = told.worker;
  return command.inFlight === null && checkpoint.due !== null ? issueSave(told) : told;
}

/** Chooses the conversation: a used one is resumed; an unused one may not exist for the program yet, so it gets a new name. */
function launchOf({ worker, ctx }: Step): { kind: 'resume' | 'fresh'; conversation: string } {
  const { conversation } = worker.session;
  if (conversation?.used === true) return { kind: 'resume', conversation: conversation.id };
  return { kind: 'fresh', conversation: ctx.fresh };
}

function prepareConversation(step: Step): Step {
  const { session } = step.worker;
  if (session.conversation?.used === true) return step;
  return set(step, { session: setConversation(session, { id: step.ctx.fresh, used: false }) });
}

/** Gives a task again, with a note, that the agent had taken before its program was cut off. */
function giveTaskAgain(step: Step): Step {
  const { worker, ctx } = step;
  const { lifecycle, mailbox } = worker;
  if (!mailbox.restoreDue || lifecycle.takenOver) return step;
  const task = inHand(worker.task);
  const settled = setRestoreDue(mailbox, false);
  if (task === null || !task.taken || mailbox.current?.purpose === 'restored') return set(step, { mailbox: settled });
  const again = newText(ctx.fresh, 'restored', restoredText(task.text, lifecycle.status));
  return set(rule(step, 'restore'), { mailbox: putFirst(settled, again) });
}
