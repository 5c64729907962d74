/** What do observations of a pane change? Nothing, if they speak of another life of it or came late (R4, R7). */
import type { AgentState } from '../agent-state.ts';
import type { ExitFacts, PaneFacts, WorkerEvent } from '../worker/event.ts';
import type { Look } from '../worker/op.ts';
import { isBusy } from '../worker/status.ts';
import type { Pane } from '../worker/worker.ts';
import { accountAnswers, isLimit } from './account.ts';
import { become, rule, set } from './decision.ts';
import type { Step } from './decision.ts';
import { agentError } from './agent-errors.ts';
import { crashed } from './crash.ts';
import { queueLost } from './delivery.ts';
import { asks, dialogGone, seenInError } from './dialogs.ts';
import { notBefore, works } from './incident.ts';
import { atWork, isAsked } from './limit-dialog.ts';
import { recover } from './recover.ts';
import { isHandedOver, progressed } from './stuck.ts';
import { settlesInMs, turnShown } from './turn.ts';

/** Takes a screen, unless it is of another incarnation or older, by the machine's clock, than the last one known. */
export function screenSeen(step: Step, { incarnation, look }: Extract<WorkerEvent, { kind: 'screen-seen' }>): Step {
  const { pane, seen } = step.worker;
  if (pane.kind === 'absent' || pane.kind === 'dead' || pane.incarnation !== incarnation)
    return rule(step, 'stale:incarnation');
  if (seen !== null && look.at < seen.at) return rule(step, 'stale:time');
  return taken(step, look);
}

/** Takes a screen of the present life. */
export function taken(step: Step, look: Look): Step {
  const shown = turnShown(set(step, { seen: look }), look);
  // R8: what a screen says of progress it says once, whatever was concluded from it.
  const noted = step.worker.seen?.at === look.at ? shown : progressed(shown, look);
  return understood(accountAnswers(noted, step.worker, look), look);
}

/** Draws the conclusions from a screen of the present life. */
export function understood(step: Step, look: Look): Step {
  const { pane } = step.worker;
  if (pane.kind === 'starting') return whileStarting(step, pane, look);
  if (pane.kind === 'up') return whileUp(step, look);
  return step;
}

/** The program counts as up when it shows something that only a started program shows. */
function whileStarting(step: Step, pane: Extract<Pane, { kind: 'starting' }>, look: Look): Step {
  switch (look.state.kind) {
    case 'ready':
    case 'processing':
    case 'question':
    case 'permission':
    case 'error':
      return whileUp(cameUp(step, pane), look);
    case 'dialog':
      return rule(step, `start-dialog:${look.state.dialog.kind}`);
    case 'starting':
    case 'exited':
    case 'unknown':
      return step;
    default:
      return look.state satisfies never;
  }
}

function cameUp(step: Step, pane: Extract<Pane, { kind: 'starting' }>): Step {
  const { worker, ctx } = step;
  const up = set(rule(step, 'came-up'), {
    pane: { kind: 'up', incarnation: pane.incarnation, since: ctx.now },
    startFailures: 0,
    // That it would not come up was the doubt.
    respawnDue: worker.respawnDue && worker.doubt === null,
    doubt: null,
  });
  const back = worker.status === 'offline' ? become(up, worker.before, 'its session is there again') : up;
  const { status, restoreDue, outgoing, takenOver, dialog } = back.worker;
  // R1: what a person answered is on its way, and the question may be open again when it comes too late.
  if (dialog?.by === 'person' && dialog.label !== null) return back;
  // Whoever has nothing to do is well as soon as it is up.
  const well = !isBusy(status) && !restoreDue && outgoing === null ? works(back, 'task-done') : works(back, 'up');
  // What it waited for was closed with its session: a look says what it waits for now.
  const knowsWhat = well.worker.incident !== null || takenOver;
  return status === 'needs_input' && !knowsWhat ? set(well, { judgeDue: true }) : well;
}

function whileUp(step: Step, look: Look): Step {
  const { state } = look;
  const isDialog = state.kind === 'question' || state.kind === 'permission' || state.kind === 'dialog';
  const isUnclear = state.kind === 'unknown' || state.kind === 'starting';
  const plain = isDialog || isUnclear ? step : dialogGone(step);
  const { status } = plain.worker;
  if (status === 'error' && isDialog) return seenInError(plain, look, state);
  if (!isBusy(status) && status !== 'needs_input') return plain;
  // What it asks goes with its session, which is about to be closed.
  if (isDialog) return step.worker.restoreFrom === null ? asks(step, look, state) : step;
  switch (state.kind) {
    case 'ready':
      return turnEnded(plain, look);
    case 'processing':
      return goesOn(plain, look);
    case 'error':
      return showsError(plain, state);
    case 'starting':
    case 'exited':
    case 'unknown':
      return plain;
    default:
      return state satisfies never;
  }
}

/** Ready after a turn: it must stand for a while before anybody judges. */
function turnEnded(step: Step, look: Look): Step {
  const { turnSince, deadlines } = step.worker;
  if (turnSince === null || look.at <= turnSince || deadlines.settle !== undefined) return step;
  const settle = step.ctx.now + settlesInMs(step.worker, step.ctx.policy);
  return set(rule(step, 'turn-ended'), { deadlines: { ...deadlines, settle } });
}

/** At work, also when a person set it to work by hand. */
function goesOn(step: Step, look: Look): Step {
  const { status, turnSince, deadlines, trouble, progress } = step.worker;
  // It was handed to a person because nothing came of it, and nothing has come since: the person knows.
  if (status === 'needs_input' && (isHandedOver(progress) || step.worker.takenOver)) return step;
  const { settle: _settle, ...rest } = deadlines;
  const working = set(step, {
    // It went on by itself: nothing is waited for any more.
    trouble: trouble === null ? null : { ...trouble, until: null },
    turnSince: turnSince ?? look.at,
    turnUnseen: turnSince !== null && step.worker.turnUnseen,
    deadlines: rest,
    judgeDue: false,
  });
  return status === 'needs_input' ? wentOn(working) : working;
}

/** It waited for a person, and does so no more. */
export function wentOn(step: Step): Step {
  return become(rule(step, 'goes-on'), 'working', 'the agent goes on');
}

/** A busy worker's error is handled; one that waits for a person anyway is only told, unless what it asked is answered. */
function showsError(step: Step, state: Extract<AgentState, { kind: 'error' }>): Step {
  const { status, dialog, turnSince } = step.worker;
  if (status !== 'needs_input') return agentError(step, state);
  if (!isAsked(step) && isLimit(state.error)) return agentError(atWork(step), state);
  // Somebody answered by hand, and the turn went on unseen until it failed.
  const wentOnUnseen = !isAsked(step) && dialog === null && turnSince !== null;
  return wentOnUnseen ? agentError(wentOn(step), state) : set(step, { note: state.text });
}

/** Takes the end of a program, unless it is of another incarnation or its end is known already. */
export function paneExited(step: Step, exit: ExitFacts): Step {
  const { pane } = step.worker;
  if (pane.kind === 'absent' || pane.kind === 'dead' || pane.incarnation !== exit.incarnation)
    return rule(step, 'stale:incarnation');
  return crashed(queueLost(step), exit);
}

/** At each hello the machine says which panes it has. */
export function panesListed(step: Step, found: PaneFacts | null): Step {
  const { pane, inFlight } = step.worker;
  if (found === null) return pane.kind === 'absent' ? step : sessionGone(step);
  if (pane.kind !== 'absent' || inFlight !== null) return step;
  const { status, task, restoreDue } = step.worker;
  const cutOff = found.dead && isBusy(status) && task?.taken === true;
  return set(rule(step, 'adopt'), {
    restoreDue: restoreDue || cutOff,
    pane: found.dead
      ? { kind: 'dead', incarnation: found.incarnation, restartAt: step.ctx.now }
      : { kind: 'starting', incarnation: found.incarnation, since: step.ctx.now },
  });
}

/** A row without a session: offline, and back to its state when the session is there again. */
export function sessionGone(before: Step): Step {
  // Who was stopped by its dialog alone is in error no more.
  const step = dialogGone(rule(queueLost(before), 'session-gone'));
  const { worker, ctx } = step;
  const merging = worker.accept?.step === 'close' || worker.accept?.step === 'recycle';
  const gone = set(step, {
    pane: { kind: 'absent' },
    seen: null,
    turnSince: null,
    judgeDue: false,
    respawnDue: false,
    doubt: null,
  });
  if (merging) return gone;
  const why = 'its session is gone';
  const down =
    worker.status === 'offline'
      ? gone
      : become(set(gone, { before: worker.status, restoreDue: isBusy(worker.status) }), 'offline', why);
  if (worker.wanted !== 'up' || worker.status === 'error') return down;
  const failure = { code: 'SESSION_ORPHANED', why } as const;
  const at = notBefore(down, ctx.now);
  return recover(down, failure, {
    plan: 'policy',
    attempt: { action: 'open its session again', at },
    act: (known) => (at > ctx.now ? set(known, { holdUntil: at }) : known),
  });
}
