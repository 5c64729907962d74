/** Handles a new screen. A screen of another incarnation, or a late one, changes nothing (R4, R7). */
import type { AgentState } from '../agent-state.ts';
import { arm, become, disarm, note, rule, set } from '../decision/step.ts';
import type { Step } from '../decision/step.ts';
import type { Reading } from '../machine/reading.ts';
import type { Policy } from '../policy/policy.ts';
import { closeGoneDialog } from '../recovery/dialogs.ts';
import { showSign } from '../recovery/incident.ts';
import { isNudgedOut } from '../recovery/silence.ts';
import { isAnswerPending } from '../worker/dialog.ts';
import type { WorkerEvent } from '../worker/event.ts';
import { awaitNoTrouble, isLimit } from '../worker/incident.ts';
import type { Mailbox } from '../worker/mailbox.ts';
import { isAlive, markUp, recordScreen, seenOf } from '../worker/session.ts';
import type { LivingPane } from '../worker/session.ts';
import { isBusy } from '../worker/status.ts';
import { isAccepting } from '../merge/step.ts';
import { continueTurn, endTurn, noteBackground, setJudgeDue, sinceOf, turnShownBy } from '../worker/turn.ts';
import { answerOfAccount } from './account.ts';
import { handleAgentError } from './agent-error.ts';
import { awaitBackground } from './background.ts';
import { dialogShown, dialogShownInError, startDialogShown } from './dialog.ts';
import type { Asking } from './dialog.ts';
import { isAskedOf, returnToLimit } from './limit-dialog.ts';
import { noteProgress } from './progress.ts';

/** Takes a screen, unless it is of another incarnation or older, by the machine's clock, than the last one known. */
export function screenSeen(step: Step, { incarnation, reading }: Extract<WorkerEvent, { kind: 'screen-seen' }>): Step {
  const { pane } = step.worker.session;
  if (!isAlive(pane) || pane.incarnation !== incarnation) return rule(step, 'stale:incarnation');
  if (pane.seen !== null && reading.at < pane.seen.at) return rule(step, 'stale:time');
  return takeScreen(step, reading);
}

/** Takes a screen of the present incarnation. */
export function takeScreen(step: Step, reading: Reading): Step {
  const { session, turn } = step.worker;
  const shown = set(step, { session: recordScreen(session, reading), turn: turnShownBy(turn, reading) });
  // R8: a screen reports its progress once, whatever was concluded from it.
  const isNews = seenOf(session)?.at !== reading.at && turn.progress.mark !== reading.progress;
  const noted = isNews ? noteProgress(shown, reading) : shown;
  const { account, incident } = noted.worker;
  const asksAccount = account.kind === 'probe' || incident.trouble !== null;
  return conclude(asksAccount ? answerOfAccount(noted, step.worker, reading) : noted, reading);
}

/** Draws the conclusions from a screen of the present incarnation. */
function conclude(step: Step, reading: Reading): Step {
  const { pane } = step.worker.session;
  if (pane.kind === 'starting') return whileStarting(step, pane, reading);
  return pane.kind === 'up' ? whileUp(step, reading) : step;
}

/** Counts the program as up when its screen shows something that only a started program shows. */
function whileStarting(step: Step, pane: LivingPane, reading: Reading): Step {
  switch (reading.state.kind) {
    case 'ready':
    case 'processing':
    case 'error':
      return whileUp(comeUp(step, pane), reading);
    case 'question':
    case 'permission':
      return askedAtOnce(comeUp(step, pane), reading, reading.state);
    case 'dialog':
      return startDialogShown(step, reading, reading.state);
    case 'starting':
    case 'exited':
    case 'unknown':
      return step;
    default:
      return reading.state satisfies never;
  }
}

/** Handles a dialog at once: that of a turn as ever, that of a program without a turn as a dialog of its start. */
function askedAtOnce(step: Step, reading: Reading, state: Asking): Step {
  return step.worker.lifecycle.status === 'idle' ? startDialogShown(step, reading, state) : whileUp(step, reading);
}

function comeUp(step: Step, pane: LivingPane): Step {
  const { worker, ctx } = step;
  const up = set(rule(step, 'came-up'), { session: markUp(worker.session, pane, ctx.now) });
  const { status, before } = worker.lifecycle;
  const back = status === 'offline' ? become(up, before, 'its agent runs') : up;
  const { lifecycle, mailbox, dialog, turn } = back.worker;
  // R1: a person's answer is on its way, and the question may be open again when the answer comes too late.
  if (isAnswerPending(dialog)) return back;
  // With nothing pending, coming up resolves the incident.
  const isFree = !isBusy(lifecycle.status) && !mailbox.restoreDue && mailbox.current === null;
  const well = showSign(back, isFree ? 'task-done' : 'up');
  // The dialog that the worker waited for was closed with its session: a check names what the worker waits for now.
  const knowsWhat = well.worker.incident.open !== null || lifecycle.takenOver;
  const isUnclear = lifecycle.status === 'needs_input' && !knowsWhat;
  return isUnclear ? set(well, { turn: setJudgeDue(turn, true) }) : well;
}

function whileUp(step: Step, reading: Reading): Step {
  const { state } = reading;
  const isDialog = state.kind === 'question' || state.kind === 'permission' || state.kind === 'dialog';
  const isUnclear = state.kind === 'unknown' || state.kind === 'starting';
  const mayBeGone = step.worker.dialog.inHand !== null && !isDialog && !isUnclear;
  const plain = mayBeGone ? closeGoneDialog(step) : step;
  const { status } = plain.worker.lifecycle;
  if (status === 'error' && isDialog) return dialogShownInError(plain, reading, state);
  if (!isBusy(status) && status !== 'needs_input') return whileAtRest(plain, reading);
  // The turn is over and its work is being checked: only an agent that goes on by itself adds something.
  if (plain.worker.merge.step.kind === 'reviewing' && state.kind !== 'processing') return plain;
  // The dialog goes with its session, which is about to be closed.
  if (isDialog) return step.worker.checkpoint.restore === null ? dialogShown(step, reading, state) : step;
  switch (state.kind) {
    case 'ready':
      return promptShown(plain, reading, state.background);
    case 'processing':
      return goOn(plain, reading);
    case 'error':
      return errorShown(plain, state);
    case 'starting':
    case 'exited':
    case 'unknown':
      return plain;
    default:
      return state satisfies never;
  }
}

/**
 * Follows an agent that has no task, or whose work waits for review, and goes on by itself: a dialog asks a person, and what its turn commits is
 * judged at its end.
 */
function whileAtRest(step: Step, reading: Reading): Step {
  const { lifecycle, merge, turn } = step.worker;
  const { state } = reading;
  if (lifecycle.status === 'error' || lifecycle.status === 'offline' || isAccepting(merge.step)) return step;
  switch (state.kind) {
    case 'question':
    case 'permission':
    case 'dialog':
      return lifecycle.status === 'idle' ? startDialogShown(step, reading, state) : dialogShown(step, reading, state);
    case 'processing':
      return set(disarm(step, 'settle'), { turn: continueTurn(turn, reading.at) });
    case 'ready':
      // Background work without a turn is only known, for whoever accepts the work.
      return state.background === undefined || turn.phase.kind !== 'none'
        ? promptShown(step, reading, state.background)
        : set(step, { turn: noteBackground(turn, state.background, step.ctx.now) });
    case 'error':
      return state.recoverable ? step : set(step, { turn: endTurn(turn) });
    case 'starting':
    case 'exited':
    case 'unknown':
      return step;
    default:
      return state satisfies never;
  }
}

/** Handles the prompt: the end of the turn once it has settled, unless something of the turn runs on. */
function promptShown(step: Step, reading: Reading, background: string | undefined): Step {
  const { turn } = step.worker;
  if (background !== undefined && turn.background?.wait !== 'let-run')
    return awaitBackground(step, reading, background);
  return settleTurn(set(step, { turn: noteBackground(turn, background, step.ctx.now) }), reading);
}

/** Waits, after a turn, until the screen has shown "ready" for a while, before the turn is judged. */
function settleTurn(step: Step, reading: Reading): Step {
  const { turn, mailbox, deadlines } = step.worker;
  const since = sinceOf(turn);
  if (since === null || reading.at <= since || deadlines.settle !== undefined) return step;
  return arm(rule(step, 'turn-ended'), 'settle', step.ctx.now + settlesInMs(mailbox, step.ctx.policy));
}

/**
 * Milliseconds for which the screen must show "ready" before the work is judged. Texts that wait in the program's own queue begin
 * the next turn, which must have had time to show.
 */
function settlesInMs({ queued }: Mailbox, { settleMs, turnShowsMs }: Policy): number {
  return queued.length === 0 ? settleMs : Math.max(settleMs, turnShowsMs);
}

/** Goes on with the work, also when a person set the agent to work by hand. */
function goOn(step: Step, reading: Reading): Step {
  const { lifecycle, turn, incident, session } = step.worker;
  // Its turn is over: it is about to be interrupted.
  if (session.interrupt != null) return step;
  const isWaiting = lifecycle.status === 'needs_input';
  // Drover handed the worker to a person because nothing came of it, and nothing has come since: the person knows.
  if (isWaiting && (isNudgedOut(turn.progress) || lifecycle.takenOver)) return step;
  // The agent went on by itself: nothing is waited for any more.
  const calm = incident.trouble === null ? step : set(step, { incident: awaitNoTrouble(incident) });
  const working = set(disarm(calm, 'settle'), { turn: continueTurn(turn, reading.at) });
  return isWaiting && !isNotice(working, reading) ? returnToWork(working) : working;
}

/**
 * Tells whether the agent of a worker whose person is asked for words may only take notice of something, such as the end of a command: a turn
 * that begins by itself leaves the question open until it would have shown.
 */
function isNotice({ worker, ctx }: Step, { at }: Reading): boolean {
  const { incident, dialog, turn } = worker;
  const isAskedForWords = incident.open?.code === 'AGENT_BLOCKED' && dialog.inHand === null;
  return isAskedForWords && at - (sinceOf(turn) ?? at) < ctx.policy.turnShowsMs;
}

/** Returns a worker that waited for a person to its work. */
export function returnToWork(step: Step): Step {
  return become(rule(step, 'goes-on'), 'working', 'the agent continues');
}

/** Handles the error of a busy worker; for a worker that waits for a person anyway, the note reports it, unless the question is answered. */
function errorShown(step: Step, state: Extract<AgentState, { kind: 'error' }>): Step {
  const { lifecycle, dialog, turn } = step.worker;
  if (lifecycle.status !== 'needs_input') return handleAgentError(step, state);
  if (!isAskedOf(step.worker) && isLimit(state.error)) return handleAgentError(returnToLimit(step), state);
  // Somebody answered by hand, and the turn went on unseen until it failed.
  const wentOnUnseen = !isAskedOf(step.worker) && dialog.inHand === null && turn.phase.kind !== 'none';
  return wentOnUnseen ? handleAgentError(returnToWork(step), state) : note(step, state.text);
}
