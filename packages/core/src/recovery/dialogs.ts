/** Recognizes dialogs on the screen, names who may answer them, and handles those that are gone. */
import type { AgentState, Dialog, TrustAsked } from '../agent-state.ts';
import { become, record, rule, set } from '../decision/step.ts';
import type { Step } from '../decision/step.ts';
import { trusts } from '../machine/trust.ts';
import { dropDialog, isAnswerPending, takeDialog, timesAnswered } from '../worker/dialog.ts';
import type { Incident } from '../worker/incident.ts';
import { withoutCounts } from '../worker/mailbox.ts';
import { seenOf } from '../worker/session.ts';
import { setJudgeDue } from '../worker/turn.ts';
import type { Worker } from '../worker/worker.ts';
import { closeQuestion } from './close-question.ts';
import { setEscalated } from './incident.ts';
import { sendText } from './mail.ts';

const START_DIALOGS: ReadonlySet<Dialog['kind']> = new Set(['trust', 'bypass', 'api-key', 'resume']);

/** Tells whether a state shows a dialog of the start, which the project's trust or the agent's profile answers at any time. */
export function isStartDialog(state: AgentState): state is Extract<AgentState, { kind: 'dialog' }> {
  return state.kind === 'dialog' && (START_DIALOGS.has(state.dialog.kind) || state.dialog.trust !== undefined);
}

/** Returns the trust that a state's dialog asks for; undefined: it asks for none. */
export function trustAskedBy(state: AgentState): TrustAsked | undefined {
  return state.kind === 'dialog' ? state.dialog.trust : undefined;
}

/** Returns the option by which the project's trust answers the dialog; null: no person has decided, or no option says so. */
export function labelOfTrust({ ctx }: Pick<Step, 'ctx'>, asked: TrustAsked): string | null {
  const isTrusted = trusts(ctx.trust, asked.kind);
  if (isTrusted === undefined) return null;
  return isTrusted ? asked.accept : asked.refuse;
}

/** Tells whether a state's dialog asks for trust about which a person has to be asked. */
export function asksForTrust(step: Pick<Step, 'ctx'>, state: AgentState): boolean {
  const asked = trustAskedBy(state);
  return asked !== undefined && labelOfTrust(step, asked) === null;
}

export function isLimitDialog(state: AgentState): state is Extract<AgentState, { kind: 'dialog' }> {
  return state.kind === 'dialog' && state.dialog.kind === 'limit';
}

/** Tells whether the agent's profile answers the dialog: a profile's dialogs need no person, whatever a project allows. */
export function isForProfile(state: AgentState): boolean {
  return isStartDialog(state) || isLimitDialog(state);
}

/** Returns the dialog that a state shows; null when it shows none. */
export function dialogOf(state: AgentState): Dialog | null {
  return 'dialog' in state ? state.dialog : null;
}

/**
 * Returns the key of a dialog. A dialog of the start comes with each life of the program, one of a limit with each limit: each is counted by
 * itself.
 */
export function keyOfDialog({ incident, session }: Worker, state: AgentState): string {
  const { trouble } = incident;
  if (isLimitDialog(state)) return `limit ${trouble?.since ?? 0} ${trouble?.attempts ?? 0}\n${wordsKey(state)}`;
  return isStartDialog(state) ? `${incarnationOf(session.pane)}\n${wordsKey(state)}` : wordsKey(state);
}

/** Returns the incarnation of a pane; empty when there is none. */
export function incarnationOf(pane: Worker['session']['pane']): string {
  return pane.kind === 'absent' ? '' : pane.incarnation;
}

/** Characters of a dialog's words that are enough to recognize it. */
const KEY_CHARS_MAX = 500;

/** Returns the dialog's words, without the position of its highlight, and the trust that they ask for, which no machine may change afterwards. */
function wordsKey(state: AgentState): string {
  const dialog = dialogOf(state);
  const what = state.kind === 'permission' ? `${state.tool} ${state.command}` : '';
  const labels = dialog?.options.map(({ label }) => label).join('|') ?? '';
  const asked = trustAskedBy(state);
  const trust = asked === undefined ? [] : [asked.kind, asked.accept];
  return [state.kind, ...trust, dialog?.title ?? '', what, labels].join('\n').slice(0, KEY_CHARS_MAX);
}

/** Tells whether Drover may answer the dialog with this key once more. */
export function mayAnswer({ worker, ctx }: Step, key: string): boolean {
  return timesAnswered(worker.dialog, key) < ctx.policy.dialogs.answersMax;
}

/** Tells whether the dialog on a screen is the one to be answered, or the one that a person was asked about. */
export function isInHand({ worker }: Pick<Step, 'worker'>, state: AgentState): boolean {
  const { inHand } = worker.dialog;
  if (inHand === null || inHand.incarnation !== incarnationOf(worker.session.pane)) return false;
  return inHand.key === keyOfDialog(worker, state);
}

/** Characters of a body that are kept. */
const BODY_CHARS_MAX = 2_000;

/** Returns the kept part of a dialog's text under its title. */
export function bodyOf(state: AgentState): string {
  return (dialogOf(state)?.body ?? '').slice(0, BODY_CHARS_MAX);
}

/** X4: tells whether the dialog in hand has other words than those that a person was asked about, under the same title with the same options. */
export function saysOtherwise({ worker }: Pick<Step, 'worker'>, state: AgentState): boolean {
  const { inHand } = worker.dialog;
  return inHand?.by === 'person' && inHand.body !== undefined && inHand.body !== bodyOf(state);
}

/** Tells whether an answer names an option of the dialog that was asked about, and that dialog is on the screen now (R4). */
export function isOptionOfDialog(step: Step, option: string): boolean {
  const seen = seenOf(step.worker.session);
  if (seen === null || !isInHand(step, seen.state) || saysOtherwise(step, seen.state)) return false;
  return dialogOf(seen.state)?.options.some(({ label }) => label === option) === true;
}

/** Returns a worker to its work that only its dialog still stopped, with the texts that its incident kept when Drover gave up before. */
export function goBack(step: Step, { before, held }: Pick<Incident, 'before' | 'held'>, why: string): Step {
  return held.map(withoutCounts).reduce(sendText, become(step, before, why));
}

/** Closes a dialog that is gone: its screen shows a text, a prompt or an error, because somebody answered it by hand, or it went away. */
export function closeGoneDialog(step: Step): Step {
  const { dialog, incident, command } = step.worker;
  if (dialog.inHand === null || command.inFlight?.command.kind === 'answer') return step;
  const gone = set(rule(step, 'dialog-gone'), { dialog: dropDialog(dialog) });
  const { open } = incident;
  if (open === null || open.code !== 'AGENT_BLOCKED') return gone;
  const told = isAnswerPending(dialog)
    ? record(gone, { kind: 'answer-applied', incident: open.id, application: 'rejected_stale' })
    : gone;
  const closed = closeQuestion(told, 'resolved');
  // A worker that could not be asked otherwise was stopped by its dialog alone.
  const back =
    closed.worker.lifecycle.status === 'error' ? goBack(closed, open, 'its dialog is no longer on the screen') : closed;
  const { lifecycle, turn } = back.worker;
  // Without its dialog no turn shows what it waits for: after a check Drover asks again.
  const isUnclear = lifecycle.status === 'needs_input' && turn.phase.kind === 'none';
  return isUnclear ? set(back, { turn: setJudgeDue(turn, true) }) : back;
}

/** Answers the dialog that a person was asked about: the machine carries it out, and it counts once that was done. */
export function answerAsked(step: Step, label: string): Step {
  const { dialog, session, incident } = step.worker;
  const seen = seenOf(session);
  if (dialog.inHand === null || seen === null || incident.open === null) return step;
  const inHandNow = { ...dialog.inHand, fingerprint: seen.fingerprint, label, by: 'person' } as const;
  // No person is asked while the answer is on its way; a second answer is stale.
  const chosen = setEscalated(set(step, { dialog: takeDialog(dialog, inHandNow) }), false);
  return record(chosen, { kind: 'answer-applied', incident: incident.open.id, application: 'pending' });
}
