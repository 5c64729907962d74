/**
 * Handles a dialog on the screen: the policy answers it, or a person chooses. Answers always name the words of an option, only in the
 * incarnation and on the screen that was decided upon (R4), and never over and over.
 */
import type { AgentState, Dialog } from '../agent-state.ts';
import { become, note, record, rule, set } from '../decision/step.ts';
import type { RuleName } from '../decision/rules.ts';
import type { Step } from '../decision/step.ts';
import type { Command, Success } from '../machine/commands.ts';
import type { Reading } from '../machine/reading.ts';
import { chooseLabel, dialogRule } from '../policy/dialogs.ts';
import { closeQuestion } from '../recovery/close-question.ts';
import {
  answerAsked,
  asksForTrust,
  bodyOf,
  closeGoneDialog,
  dialogOf,
  goBack,
  incarnationOf,
  isForProfile,
  isInHand,
  isLimitDialog,
  isStartDialog,
  keyOfDialog,
  labelOfTrust,
  mayAnswer,
  saysOtherwise,
  trustAskedBy,
} from '../recovery/dialogs.ts';
import { setEscalated } from '../recovery/incident.ts';
import { leaveSession } from '../recovery/session-lost.ts';
import { askAnew, askForAgent, waitForPerson } from '../recovery/questions.ts';
import { countAnswer, dropDialog, takeDialog } from '../worker/dialog.ts';
import type { DialogInHand } from '../worker/dialog.ts';
import { isMerging } from '../merge/state.ts';
import { forgetScreen, isReplaced, seenOf } from '../worker/session.ts';
import { setJudgeDue } from '../worker/turn.ts';
import { canMove } from '../worker/status.ts';
import { beginLimit, limitAnswered } from './limit-dialog.ts';

/** A screen that asks for a choice. */
export type Asking = Extract<AgentState, { kind: 'question' | 'permission' | 'dialog' }>;

/**
 * Handles a dialog of a program that starts. The project's trust or policy answers it, else the program's profile, else a person at once: a
 * program that lives and asks is never ended for it.
 */
export function startDialogShown(before: Step, reading: Reading, state: Asking): Step {
  const step = state.kind === 'dialog' ? rule(before, ruleOf(before, state)) : before;
  const { lifecycle, session, incident, merge } = step.worker;
  if (lifecycle.takenOver) return note(step, wordsOf(state));
  // A merge needs no agent, and closes the worker's session.
  if (isMerging(merge)) return step;
  if (isInHand(step, state)) return followDialog(step, reading, state);
  if (lifecycle.status === 'error' && incident.open?.escalated === true) return step;
  const key = keyOfDialog(step.worker, state);
  const seen = { key, incarnation: incarnationOf(session.pane), fingerprint: reading.fingerprint };
  if (!mayAnswer(step, key)) {
    const why = `${wordsOf(state)} (Drover has answered it ${step.ctx.policy.dialogs.answersMax} times)`;
    return askOfDialog(step, { seen, body: bodyOf(state), shown: toldWhole(state), why });
  }
  if (asksForTrust(step, state))
    return askOfDialog(step, { seen, body: bodyOf(state), shown: toldWhole(state), why: wordsOf(state) });
  const wish = isForProfile(state) ? 'ask' : dialogRule(step.ctx.policy.dialogs, state);
  const label = wish === 'ask' ? null : chooseLabel(state.dialog.options, wish);
  if (label !== null) return answerByPolicy(step, { ...seen, label, by: 'policy' }, wordsOf(state));
  if (state.kind === 'dialog') return step;
  return askOfDialog(step, { seen, body: bodyOf(state), shown: toldWhole(state), why: wordsOf(state) });
}

/** Handles a dialog of a busy worker, or of a worker that waits for input. */
export function dialogShown(before: Step, reading: Reading, state: Asking): Step {
  if (trustAskedBy(state) !== undefined) return startDialogShown(before, reading, state);
  const step = isLimitDialog(state) ? beginLimit(before, state.dialog) : before;
  const { lifecycle, session, dialog } = step.worker;
  if (lifecycle.takenOver) return note(step, wordsOf(state));
  const key = keyOfDialog(step.worker, state);
  // R2: the limit held too often, so Drover takes another way than waiting, or asks a person.
  if (isLimitDialog(state) && (lifecycle.status === 'error' || isReplaced(session))) return step;
  if (isStartDialog(state) && mayAnswer(step, key)) return rule(step, `start-dialog:${state.dialog.kind}`);
  if (isLimitDialog(state) && dialog.inHand === null && mayAnswer(step, key)) return rule(step, 'limit-dialog');
  if (isInHand(step, state)) return followDialog(step, reading, state);
  return takeNewDialog(closeGoneDialog(step), reading, { state, key });
}

function takeNewDialog(step: Step, reading: Reading, { state, key }: { state: Asking; key: string }): Step {
  const { dialogs } = step.ctx.policy;
  const { dialog, session, lifecycle, incident } = step.worker;
  const why = wordsOf(state);
  const seen = { key, incarnation: incarnationOf(session.pane), fingerprint: reading.fingerprint };
  const wish = dialogRule(dialogs, state);
  const label = wish === 'ask' ? null : chooseLabel(state.dialog.options, wish);
  if (label !== null && mayAnswer(step, key)) {
    return answerByPolicy(rule(step, `dialog:${wish}`), { ...seen, label, by: 'policy' }, why);
  }
  const inHand = { ...seen, body: bodyOf(state), label: null, by: 'person' } as const;
  const asked = set(rule(step, `asks:${state.kind}`), { dialog: takeDialog(dialog, inHand) });
  const told = label === null ? why : `${why} (Drover has answered it ${dialogs.answersMax} times)`;
  const isAsked = lifecycle.status === 'needs_input' && incident.open?.escalated === true;
  return isAsked ? note(asked, told) : waitForPerson(asked, told, toldWhole(state));
}

function answerByPolicy(step: Step, inHand: DialogInHand, why: string): Step {
  const said = `${why}; the policy says "${inHand.label}"`;
  const known = note(set(step, { dialog: takeDialog(step.worker.dialog, inHand) }), said);
  return record(known, { kind: 'notice', text: said });
}

/** A dialog that a person is asked about, outside of a turn that shows what the worker waits for. */
interface AskedDialog {
  readonly seen: Pick<DialogInHand, 'key' | 'incarnation' | 'fingerprint'>;
  readonly body: string;
  readonly shown: Dialog;
  readonly why: string;
}

function askOfDialog(step: Step, { seen, body, shown, why }: AskedDialog): Step {
  const { dialog, lifecycle } = step.worker;
  const asked = set(step, { dialog: takeDialog(dialog, { ...seen, body, label: null, by: 'person' }) });
  const { status } = lifecycle;
  if (canMove(status, 'needs_input') && status !== 'offline') return waitForPerson(asked, why, shown);
  return become(askForAgent(asked, why, shown), 'error', why);
}

/** Handles a new decision on trust: the dialog that a person was asked about may be answered by it. */
export function trustDecided(step: Step): Step {
  const seen = seenOf(step.worker.session);
  return seen?.state.kind === 'dialog' && isInHand(step, seen.state) ? followDialog(step, seen, seen.state) : step;
}

/** Follows the dialog in hand while it is on the screen; its highlight may have moved, its words changed, or a decision on trust answers it. */
function followDialog(step: Step, { fingerprint }: Pick<Reading, 'fingerprint'>, state: Asking): Step {
  const { dialog, command } = step.worker;
  const { inHand } = dialog;
  if (inHand === null) return step;
  const trust = trustAskedBy(state);
  const decided = trust === undefined ? null : labelOfTrust(step, trust);
  if (decided !== null && inHand.by === 'person' && inHand.label === null && mayAnswer(step, inHand.key))
    return answerAsked(rule(step, ruleOf(step, state)), decided);
  if (!saysOtherwise(step, state)) return set(step, { dialog: takeDialog(dialog, { ...inHand, fingerprint }) });
  // The machine presses nothing on any screen but that of its command, and reports so.
  if (command.inFlight?.command.kind === 'answer') return step;
  // X4: an answer that is not on its way yet was meant for the other words.
  const asked = inHand.label === null ? step : askAgain(rule(step, 'answer-stale'), 'rejected_stale');
  const anew = { ...inHand, fingerprint, body: bodyOf(state), label: null };
  return askAnew(set(asked, { dialog: takeDialog(dialog, anew) }), wordsOf(state), toldWhole(state));
}

/**
 * Handles a dialog of a worker in error. Drover asks nobody about a new dialog, but may have asked a person about the one in hand; if another
 * dialog is on the screen when that person's answer is on its way, the question is open again.
 */
export function dialogShownInError(step: Step, reading: Reading, state: Asking): Step {
  const { dialog, command } = step.worker;
  const { inHand } = dialog;
  if (isInHand(step, state)) return followDialog(step, reading, state);
  if (inHand === null || inHand.label === null || command.inFlight?.command.kind === 'answer') return step;
  return askAgain(rule(step, 'answer-stale'), 'rejected_stale');
}

/** Handles the machine's attempt to choose an option. */
export function answerEnded(step: Step, result: Success<'answer'>): Step {
  switch (result.kind) {
    case 'answered':
      return dialogAnswered(step, result);
    case 'stale':
      return answerStale(step);
    case 'pane-gone':
      return leaveSession(rule(step, 'pane-gone'));
    default:
      return result satisfies never;
  }
}

/** Handles a chosen option. Only a screen seen after the choice says whether it helped. */
function dialogAnswered(step: Step, { label }: { readonly label: string }): Step {
  const { dialog, incident, lifecycle } = step.worker;
  const { open } = incident;
  const counted = dropAnswered(countAnswered(rule(step, 'answered')));
  if (dialog.inHand?.by !== 'person' || open === null) return counted;
  const told = record(counted, { kind: 'answer-applied', incident: open.id, application: 'applied' });
  const closed = closeQuestion(told, 'resolved', label);
  return lifecycle.status === 'error' ? goBack(closed, open, `Drover chose "${label}"`) : limitAnswered(closed, label);
}

/** Reopens the question: the screen was another one by then, and nothing was pressed. */
export function answerStale(step: Step): Step {
  const again = forgetSeen(askAgain(countAnswered(rule(step, 'answer-stale')), 'rejected_stale'));
  // A person is asked about the present screen, not about the one that the answer missed.
  const isAsked = again.worker.dialog.inHand?.by === 'person' && again.worker.session.pane.kind === 'up';
  return isAsked ? set(again, { turn: setJudgeDue(again.worker.turn, true) }) : again;
}

/** Asks a person, or asks again, because the option could not be chosen; while the person is asked about something graver, does not. */
export function answerFailed(step: Step, command: Command<'answer'>, message: string): Step {
  const { session, lifecycle, dialog, incident } = step.worker;
  const { status } = lifecycle;
  const seen = seenOf(session);
  if (dialog.inHand?.by === 'person') return askAgain(rule(step, 'answer-failed'), 'failed');
  if (status === 'error' && incident.open?.escalated === true)
    return dropAnswered(countAnswered(rule(step, 'answer-failed')));
  const shown = seen === null ? null : dialogOf(seen.state);
  if (seen === null || shown === null || seen.fingerprint !== command.fingerprint) return dropAnswered(step);
  const { incarnation, fingerprint } = command;
  return askOfDialog(rule(step, 'answer-failed'), {
    seen: { key: keyOfDialog(step.worker, seen.state), incarnation, fingerprint },
    body: bodyOf(seen.state),
    shown,
    why: `asks: ${shown.title} (${message})`,
  });
}

function askAgain(step: Step, application: 'rejected_stale' | 'failed'): Step {
  const { dialog, incident } = step.worker;
  const { open } = incident;
  const { inHand } = dialog;
  if (inHand === null || inHand.by !== 'person' || open === null) return set(step, { dialog: dropDialog(dialog) });
  const told = record(step, { kind: 'answer-applied', incident: open.id, application });
  return setEscalated(set(told, { dialog: takeDialog(dialog, { ...inHand, label: null }) }), true);
}

/** Forgets the last screen. A screen older than the last is late all the same (R7). */
function forgetSeen(step: Step): Step {
  return set(step, { session: forgetScreen(step.worker.session) });
}

function dropAnswered(step: Step): Step {
  return set(forgetSeen(step), { dialog: dropDialog(step.worker.dialog) });
}

function countAnswered(step: Step): Step {
  const { dialog, session } = step.worker;
  const seen = seenOf(session);
  const key = dialog.inHand?.key ?? (seen === null ? null : keyOfDialog(step.worker, seen.state));
  return key === null ? step : set(step, { dialog: countAnswer(dialog, key) });
}

/** Names the rule for a dialog of the start: who answers it. */
function ruleOf(step: Step, state: Asking): RuleName {
  const asked = trustAskedBy(state);
  if (asked === undefined) return `start-dialog:${state.dialog.kind}`;
  return labelOfTrust(step, asked) === null ? 'asks:trust' : `trust:${asked.kind}`;
}

/** Characters of a command that a question holds: a person must see what is allowed, and a row has an end. */
const COMMAND_CHARS_MAX = 8_000;

/** Returns the dialog with the whole command, where its screen shows less: a narrow or low pane breaks and cuts it. */
function toldWhole(state: Asking): Dialog {
  if (state.kind !== 'permission' || state.dialog.body.includes(state.command)) return state.dialog;
  const { command, dialog } = state;
  const more = command.length - COMMAND_CHARS_MAX;
  const told = more > 0 ? `${command.slice(0, COMMAND_CHARS_MAX)}\n… ${more} more characters` : command;
  return { ...dialog, body: [told, dialog.body].filter((part) => part !== '').join('\n\n') };
}

function wordsOf(state: Asking): string {
  return state.kind === 'permission'
    ? `asks for permission: ${state.tool} ${state.command}`.trim()
    : `asks: ${state.dialog.title}`;
}
