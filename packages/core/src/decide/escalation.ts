/** What is a person asked, when, and when is the question moot? (docs/recovery.md, the four levels: level 4) */
import type { AgentState, Dialog } from '../agent-state.ts';
import { duration } from '../taxonomy/wording.ts';
import type { Question, QuestionOption } from '../worker/incident.ts';
import type { WorkerStatus } from '../worker/status.ts';
import { wantCheckpoint } from './checkpoints.ts';
import { closeQuestion } from './close-question.ts';
import { become, record, rule, set } from './decision.ts';
import type { Step } from './decision.ts';
import { isLimit } from './account.ts';
import { cooled, logged, opened, works } from './incident.ts';

const SKIP: QuestionOption = { id: 'skip', label: 'End the task; uncommitted work is saved', needsText: false };
const TAKE_OVER: QuestionOption = { id: 'take-over', label: 'I take over by hand', needsText: false };

/** What a person can answer when the budget is spent. Source: docs/recovery.md, level 4. */
export const LEVEL_4_OPTIONS: readonly QuestionOption[] = [
  { id: 'retry', label: 'Try again, with a fresh budget', needsText: false },
  { id: 'retry-with-changes', label: 'Go on with other words', needsText: true },
  SKIP,
  TAKE_OVER,
];

/** What a person can answer to an agent that stopped or asked in its own words. */
const WORDS: readonly QuestionOption[] = [
  { id: 'retry-with-changes', label: 'Answer it', needsText: true },
  SKIP,
  TAKE_OVER,
];

/** What a person can answer when the machine is gone. */
const MACHINE_OPTIONS: readonly QuestionOption[] = [{ id: 'wait', label: 'Wait for the machine', needsText: false }];

/** Level 4: the worker stops, its work is saved, and a person is asked. The caller has opened the incident. */
export function askAPerson(step: Step, why: string): Step {
  const stopped = become(step, 'error', why);
  return escalated(wantCheckpoint(stopped, 'hiccup', why), {
    kind: 'choice',
    title: why,
    body: '',
    options: LEVEL_4_OPTIONS,
  });
}

/** Asks, once for each incident: whoever is asked already is not asked again. */
export function escalated(step: Step, question: Question): Step {
  const { incident } = step.worker;
  if (incident === null || incident.escalated) return step;
  const asked = set(step, { incident: { ...incident, level: 4, escalated: true, options: question.options } });
  return record(asked, {
    kind: 'escalated',
    incident: incident.id,
    code: incident.code,
    why: question.title,
    question,
  });
}

/** The agent itself waits for a person: for words, or for a choice among the options of its dialog. */
export function blocked(step: Step, why: string, dialog: Dialog | null): Step {
  // Whoever asks works: what was wrong before is over, unless a text is still to be delivered or a limit to be waited out.
  const { outgoing, trouble } = step.worker;
  const waits = outgoing !== null || (trouble?.until != null && isLimit(trouble.error));
  const over = waits ? step : works(step, 'turn-over');
  const told = record(become(over, 'needs_input', why), { kind: 'notice', text: why });
  return question(told, why, dialog);
}

/** Opens the question of an agent that waits, for a worker that is already where it should be. */
export function question(step: Step, why: string, dialog: Dialog | null): Step {
  const failure = { code: 'AGENT_BLOCKED', why } as const;
  const known = logged(opened(step, failure), failure, 'escalate');
  if (dialog === null) return escalated(known, { kind: 'text', title: why, body: '', options: WORDS });
  const options = dialog.options.map(({ label }) => ({ id: label, label, needsText: false }));
  return escalated(known, { kind: 'choice', title: why, body: dialog.body, options: [...options, SKIP, TAKE_OVER] });
}

/** The machine was silent for longer than its lease. Nobody replaces its workers; who has a task asks a person. */
export function machineLost(step: Step, silentMs: number): Step {
  const { incident, task, status } = step.worker;
  // Whoever is in error has asked already, or waits for its answer to be carried out: that stays its matter.
  const isAsked = incident !== null && (incident.escalated || incident.code === 'MACHINE_LOST' || status === 'error');
  if (isAsked) return rule(step, 'machine-lost:known');
  const why = `its machine has been silent for ${duration(silentMs)}; nobody takes its place`;
  const failure = { code: 'MACHINE_LOST', why, durationMs: silentMs } as const;
  const known = logged(opened(rule(step, 'machine-lost'), failure), failure, 'escalate');
  return task === null ? known : escalated(known, { kind: 'choice', title: why, body: '', options: MACHINE_OPTIONS });
}

/** The machine speaks: what was said of its silence is over. */
export function machineBack(step: Step): Step {
  const { incident } = step.worker;
  if (incident?.code !== 'MACHINE_LOST') return step;
  const answered = incident.escalated
    ? record(step, { kind: 'escalation-closed', incident: incident.id, how: 'resolved', option: null })
    : step;
  const known = set(rule(answered, 'machine-back'), { incident: { ...incident, escalated: false } });
  return works(known, 'order-done');
}

const WAITS: ReadonlySet<WorkerStatus> = new Set(['error', 'needs_input']);

/** A worker that went on by itself, or in a person's hands, has no question any more. */
export function withoutMootQuestion(step: Step): Step {
  const { incident, status, before } = step.worker;
  if (incident === null || !incident.escalated || incident.code === 'MACHINE_LOST') return step;
  const waits = WAITS.has(status) || (status === 'offline' && WAITS.has(before));
  return waits ? step : cooled(closeQuestion(rule(step, 'question-moot'), 'resolved'));
}

/** The dialog that a state shows; null when it shows none. */
export function dialogOf(state: AgentState): Dialog | null {
  return 'dialog' in state ? state.dialog : null;
}
