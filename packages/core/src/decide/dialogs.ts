/**
 * A dialog stands on the screen: is it answered by the policy, or does a person choose? Always by the words of an option,
 * only in the life and on the screen that was decided upon (R4), and not over and over.
 */
import type { AgentState, Dialog } from '../agent-state.ts';
import { chooseLabel, dialogRule } from '../policy/dialogs.ts';
import type { Look, Op, OpResult } from '../worker/op.ts';
import { canMove } from '../worker/status.ts';
import { become, order, record, rule, set } from './decision.ts';
import type { Step } from './decision.ts';
import { closeQuestion } from './close-question.ts';
import { blocked, dialogOf, question } from './escalation.ts';
import { isLimitDialog, limitAnswered, limitBegins } from './limit-dialog.ts';

type Asking = Extract<AgentState, { kind: 'question' | 'permission' | 'dialog' }>;

const START_DIALOGS: ReadonlySet<Dialog['kind']> = new Set(['trust', 'bypass', 'api-key']);

/** Whether a state shows a dialog of the start, which the agent's profile answers whenever it comes. */
export function isStartDialog(state: AgentState): boolean {
  return state.kind === 'dialog' && START_DIALOGS.has(state.dialog.kind);
}

/** Whether the agent's profile answers it: whatever a project allows, these need nobody. */
function isForProfile(state: AgentState): boolean {
  return isStartDialog(state) || isLimitDialog(state);
}

/** A busy worker, or one that waits for input, shows a dialog. */
export function asks(before: Step, look: Look, state: Asking): Step {
  const step = isLimitDialog(state) ? limitBegins(before, state.dialog) : before;
  const { worker } = step;
  const why = wordsOf(state);
  if (worker.takenOver) return set(step, { note: why });
  const key = keyIn(step, state);
  // R2: the limit held too often, and another way than waiting is taken, or a person is asked.
  if (isLimitDialog(state) && (worker.status === 'error' || worker.respawnDue)) return step;
  if (isStartDialog(state) && mayAnswer(step, key)) return rule(step, `start-dialog:${state.dialog.kind}`);
  if (isLimitDialog(state) && worker.dialog === null && mayAnswer(step, key)) return rule(step, 'limit-dialog');
  if (isInHand(step, state)) return followed(step, look);
  const answered = worker.dialog === null ? step : dialogGone(step);
  return freshDialog(answered, look, { state, key, why });
}

function freshDialog(step: Step, look: Look, { state, key, why }: { state: Asking; key: string; why: string }): Step {
  const { dialogs } = step.ctx.policy;
  const seen = { key, incarnation: incarnationOf(step), fingerprint: look.fingerprint };
  const wish = dialogRule(dialogs, state);
  const label = wish === 'ask' ? null : chooseLabel(state.dialog.options, wish);
  if (label !== null && mayAnswer(step, key)) {
    const said = `${why}; the policy says "${label}"`;
    const known = set(rule(step, `dialog:${wish}`), { dialog: { ...seen, label, by: 'policy' }, note: said });
    return record(known, { kind: 'notice', text: said });
  }
  const asked = set(rule(step, `asks:${state.kind}`), { dialog: { ...seen, label: null, by: 'person' } });
  const told = label === null ? why : `${why} (answered ${dialogs.answersMax} times already)`;
  if (step.worker.status === 'needs_input' && step.worker.incident?.escalated === true)
    return set(asked, { note: told });
  return blocked(asked, told, state.dialog);
}

/** Whether the dialog that a screen shows is the one that is to be answered, or that a person was asked about. */
function isInHand(step: Step, state: AgentState): boolean {
  const { dialog } = step.worker;
  return dialog !== null && dialog.key === keyIn(step, state) && dialog.incarnation === incarnationOf(step);
}

/** The dialog in hand stands there still; its highlight may have moved. */
function followed(step: Step, { fingerprint }: Look): Step {
  const { dialog } = step.worker;
  return dialog === null ? step : set(step, { dialog: { ...dialog, fingerprint } });
}

/**
 * A worker in error shows a dialog. It is not asked about a new one, but a person may have been asked about the one in
 * hand; if another stands there when their answer is on its way, the question is open again.
 */
export function seenInError(step: Step, look: Look, state: Asking): Step {
  const { dialog, inFlight } = step.worker;
  if (isInHand(step, state)) return followed(step, look);
  if (dialog === null || dialog.label === null || inFlight?.op.kind === 'answer') return step;
  return askAgain(rule(step, 'answer-stale'), 'rejected_stale');
}

/** A text, a prompt or an error stands where a dialog stood: somebody answered it by hand, or it went away. */
export function dialogGone(step: Step): Step {
  const { dialog, incident, inFlight } = step.worker;
  if (dialog === null || inFlight?.op.kind === 'answer') return step;
  const gone = set(rule(step, 'dialog-gone'), { dialog: null });
  if (incident === null || incident.code !== 'AGENT_BLOCKED') return gone;
  const isPending = dialog.by === 'person' && dialog.label !== null;
  const told = isPending
    ? record(gone, { kind: 'answer-applied', incident: incident.id, application: 'rejected_stale' })
    : gone;
  const closed = closeQuestion(told, 'resolved');
  // A worker that could not be asked otherwise was stopped by its dialog alone.
  const back = closed.worker.status === 'error' ? become(closed, incident.before, 'its dialog is gone') : closed;
  const { status, turnSince } = back.worker;
  // No turn shows what it waits for without its dialog: a look says, and asks it anew.
  return status === 'needs_input' && turnSince === null ? set(back, { judgeDue: true }) : back;
}

/** Whether an answer names an option of the dialog that was asked about, and that dialog stands there now (R4). */
export function isOptionOfDialog(step: Step, option: string): boolean {
  const { seen } = step.worker;
  if (seen === null || !isInHand(step, seen.state)) return false;
  return dialogOf(seen.state)?.options.some(({ label }) => label === option) === true;
}

/** A person chose an option: it is carried out by the machine, and counts once it was. */
export function answerDialog(step: Step, label: string): Step {
  const { dialog, incident, seen } = step.worker;
  if (dialog === null || incident === null || seen === null) return step;
  const chosen = set(step, {
    dialog: { ...dialog, fingerprint: seen.fingerprint, label, by: 'person' },
    // Nobody is asked while the answer is on its way; a second one is stale.
    incident: { ...incident, escalated: false },
  });
  return record(chosen, { kind: 'answer-applied', incident: incident.id, application: 'pending' });
}

/** Orders the answer that was decided upon. @returns null when there is none, or the screen is another one. */
export function orderAnswer(step: Step): Step | null {
  const { pane, seen, takenOver } = step.worker;
  if (seen === null || takenOver || pane.kind === 'absent' || pane.kind === 'dead') return null;
  const { incarnation } = pane;
  const { fingerprint, state } = seen;
  const { dialog } = step.worker;
  if (
    dialog !== null &&
    dialog.label !== null &&
    dialog.incarnation === incarnation &&
    dialog.fingerprint === fingerprint
  )
    return order(step, { kind: 'answer', incarnation, fingerprint, choice: { kind: 'label', label: dialog.label } });
  if (state.kind !== 'dialog' || !isForProfile(state) || dialog !== null || !mayAnswer(step, keyIn(step, state)))
    return null;
  const { kind } = state.dialog;
  return order(step, { kind: 'answer', incarnation, fingerprint, choice: { kind: 'policy', dialog: kind } });
}

/** The machine chose the option. Only a screen seen after it says whether it helped. */
export function dialogAnswered(step: Step, { label }: Extract<OpResult, { kind: 'answered' }>): Step {
  const { dialog, incident, status } = step.worker;
  const counted = set(unseen(countAnswer(rule(step, 'answered'))), { dialog: null });
  if (dialog?.by !== 'person' || incident === null) return counted;
  const told = record(counted, { kind: 'answer-applied', incident: incident.id, application: 'applied' });
  const closed = closeQuestion(told, 'resolved', label);
  return status === 'error' ? become(closed, incident.before, `"${label}" was chosen`) : limitAnswered(closed, label);
}

/** The screen was another one by then: nothing was pressed, and the question is open again. */
export function answerStale(step: Step): Step {
  return unseen(askAgain(countAnswer(rule(step, 'answer-stale')), 'rejected_stale'));
}

/** Nobody knows what the screen shows now; one that is older than the last is late all the same (R7). */
function unseen(step: Step): Step {
  const { seen } = step.worker;
  return seen === null
    ? step
    : set(step, { seen: { ...seen, state: { kind: 'unknown', why: 'empty' }, fingerprint: '' } });
}

/** The option could not be chosen: a person is asked, or asked again; one who is asked about something graver is not. */
export function answerFailed(step: Step, op: Extract<Op, { kind: 'answer' }>, message: string): Step {
  const { seen, status, dialog, incident } = step.worker;
  if (dialog?.by === 'person') return askAgain(rule(step, 'answer-failed'), 'failed');
  if (status === 'error' && incident?.escalated === true)
    return set(unseen(countAnswer(rule(step, 'answer-failed'))), { dialog: null });
  const shown = seen === null ? null : dialogOf(seen.state);
  if (seen === null || shown === null || seen.fingerprint !== op.fingerprint)
    return set(unseen(step), { dialog: null });
  const key = keyIn(step, seen.state);
  const asked = set(rule(step, 'answer-failed'), {
    dialog: { key, incarnation: op.incarnation, fingerprint: op.fingerprint, label: null, by: 'person' },
  });
  const why = `asks: ${shown.title} (${message})`;
  if (canMove(status, 'needs_input') && status !== 'offline') return blocked(asked, why, shown);
  const known = question(asked, why, shown);
  return become(known, 'error', why);
}

function askAgain(step: Step, application: 'rejected_stale' | 'failed'): Step {
  const { dialog, incident } = step.worker;
  if (dialog === null || dialog.by !== 'person' || incident === null) return set(step, { dialog: null });
  const told = record(step, { kind: 'answer-applied', incident: incident.id, application });
  return set(told, { dialog: { ...dialog, label: null }, incident: { ...incident, escalated: true } });
}

function mayAnswer({ worker, ctx }: Step, key: string): boolean {
  const times = worker.answered.find((entry) => entry.key === key)?.times ?? 0;
  return times < ctx.policy.dialogs.answersMax;
}

/** Dialogs that are remembered for one task; beyond, the oldest are forgotten. */
const REMEMBERED_MAX = 50;

function countAnswer(step: Step): Step {
  const { answered, dialog, seen } = step.worker;
  const key = dialog?.key ?? (seen === null ? null : keyIn(step, seen.state));
  if (key === null) return step;
  const times = (answered.find((entry) => entry.key === key)?.times ?? 0) + 1;
  const others = answered.filter((entry) => entry.key !== key);
  return set(step, { answered: [...others, { key, times }].slice(-REMEMBERED_MAX) });
}

/** A dialog of the start comes with each life of the program, one of a limit with each limit: each is counted anew. */
function keyIn(step: Step, state: AgentState): string {
  const { trouble } = step.worker;
  if (isLimitDialog(state)) return `limit ${trouble?.since ?? 0} ${trouble?.attempts ?? 0}\n${keyOf(state)}`;
  return isStartDialog(state) ? `${incarnationOf(step)}\n${keyOf(state)}` : keyOf(state);
}

/** What a dialog is recognised by: its words, not where its highlight stands. */
function keyOf(state: AgentState): string {
  const dialog = dialogOf(state);
  const what = state.kind === 'permission' ? `${state.tool} ${state.command}` : '';
  const labels = dialog?.options.map(({ label }) => label).join('|') ?? '';
  return [state.kind, dialog?.title ?? '', what, labels].join('\n').slice(0, 500);
}

function wordsOf(state: Asking): string {
  return state.kind === 'permission'
    ? `asks for permission: ${state.tool} ${state.command}`.trim()
    : `asks: ${state.dialog.title}`;
}

function incarnationOf({ worker: { pane } }: Step): string {
  return pane.kind === 'absent' ? '' : pane.incarnation;
}
