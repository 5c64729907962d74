/** Asks a person, and withdraws moot questions (docs/recovery.md, the four levels: level 4). */
import type { Dialog, TrustAsked } from '../agent-state.ts';
import { TRUST_MEANING, undecided } from '../machine/trust.ts';
import { become, record, rule, set } from '../decision/step.ts';
import type { Step } from '../decision/step.ts';
import type { ErrorCode } from '../taxonomy/codes.ts';
import { changeIncident, isWaitingAtLimit } from '../worker/incident.ts';
import type { Incident, Question, QuestionOption } from '../worker/incident.ts';
import { stateOf } from '../worker/lifecycle.ts';
import type { WorkerStatus } from '../worker/status.ts';
import { closeQuestion } from './close-question.ts';
import { logFailure, openIncident, showSign, startCooldown } from './incident.ts';
import { wantCheckpoint } from './save.ts';

/** Answer that lets a worker go on although its place is not made ready. */
export const WITHOUT_SET_UP = 'without-set-up';

const SKIP: QuestionOption = { id: 'skip', label: 'End the task; uncommitted work is saved', needsText: false };
const TAKE_OVER: QuestionOption = { id: 'take-over', label: 'I take over by hand', needsText: false };

/** Answers that a person can give when the budget is spent. Source: docs/recovery.md, level 4. */
export const LEVEL_4_OPTIONS: readonly QuestionOption[] = [
  { id: 'retry', label: 'Try again, with a new recovery budget', needsText: false },
  { id: 'retry-with-changes', label: 'Try again with my instructions', needsText: true },
  SKIP,
  TAKE_OVER,
];

/** Answers that let a worker go on although a budget is spent. */
export const RAISE_BUDGET = 'raise';
export const GO_ON_TODAY = 'today';

/** Answers that a person can give when a budget is spent. They are for this worker; `[budget]` changes it for all. */
const BUDGET_OPTIONS: readonly QuestionOption[] = [
  { id: RAISE_BUDGET, label: 'Let it spend half of the budget more', needsText: false },
  { id: GO_ON_TODAY, label: 'Let it go on today without this limit', needsText: false },
  SKIP,
  TAKE_OVER,
];

/** Answers that a person can give if the place of a worker cannot be made ready. */
const SET_UP_OPTIONS: readonly QuestionOption[] = [
  { id: 'retry', label: 'Try again', needsText: false },
  { id: WITHOUT_SET_UP, label: 'Start it without its set-up', needsText: false },
  SKIP,
  TAKE_OVER,
];

/** Answers that let a tool use a file of the project, or refuse it, for all workers of the project. */
export const GIVE_TRUST = 'trust';
export const REFUSE_TRUST = 'refuse-trust';

/** Answers that a person can give to an agent that stopped or asked in its own words. */
const WORDS: readonly QuestionOption[] = [
  { id: 'retry-with-changes', label: 'Answer it', needsText: true },
  SKIP,
  TAKE_OVER,
];

/** Answer that ends the turn of an agent although work runs on in its background. */
export const LET_RUN = 'let-run';

/** Answers that a person can give to an agent whose background work does not end. */
const RUNNING_OPTIONS: readonly QuestionOption[] = [
  { id: LET_RUN, label: 'Let it run, and treat the turn as ended', needsText: false },
  ...WORDS,
];

/** Level 4: stops the worker, saves its work, and asks a person. The caller has opened the incident. */
export function askAPerson(step: Step, why: string): Step {
  // Output of a program comes after the first line.
  const [title = why, ...body] = why.split('\n');
  const stopped = become(step, 'error', title);
  return escalate(wantCheckpoint(stopped, 'hiccup', title), {
    kind: 'choice',
    title,
    body: body.join('\n'),
    options: optionsOf(stopped.worker.incident.open?.code),
  });
}

function optionsOf(code: ErrorCode | undefined): readonly QuestionOption[] {
  if (code === 'SETUP_FAILED') return SET_UP_OPTIONS;
  return code === 'BUDGET_SPENT' ? BUDGET_OPTIONS : LEVEL_4_OPTIONS;
}

/** Asks, once for each incident. */
export function escalate(step: Step, question: Question): Step {
  const { incident } = step.worker;
  const { open } = incident;
  if (open === null || open.escalated) return step;
  const asked = set(step, {
    incident: changeIncident(incident, { level: 4, escalated: true, options: question.options }),
  });
  return record(asked, { kind: 'escalated', incident: open.id, code: open.code, why: question.title, question });
}

/** Lets an agent that asks wait for a person: for words, or for a choice among the options of its dialog. */
export function waitForPerson(step: Step, why: string, dialog: Dialog | null): Step {
  return askForAgent(stopForPerson(step, why), why, dialog);
}

/** Lets an agent whose background work does not end wait for a person. */
export function askAboutRunning(step: Step, why: string): Step {
  return ask(stopForPerson(step, why), { kind: 'choice', title: why, body: '', options: RUNNING_OPTIONS });
}

function stopForPerson(step: Step, why: string): Step {
  // An agent that asks works: an earlier failure is over, unless a text is still to be delivered or a limit to be waited out.
  const waits = step.worker.mailbox.current !== null || isWaitingAtLimit(step.worker.incident);
  const over = waits ? step : showSign(step, 'turn-over');
  return record(become(over, 'needs_input', why), { kind: 'notice', text: why });
}

/** Asks about a tool of the machine that uses a file of the project only if it is trusted, before an agent starts without it. */
export function askAboutTools(step: Step): Step {
  const { worktree, incident } = step.worker;
  const untrusted = undecided(step.ctx.trust, worktree.supplies?.untrusted ?? []);
  if (untrusted === undefined || incident.open?.escalated === true) return step;
  const { kind, file } = untrusted;
  const title = `${kind} ignores "${file}" until it is trusted`;
  const body = `Each answer holds for all workers of the project. "drover project trust PROJECT" shows what is decided, "drover project trust PROJECT ${kind}" changes it.`;
  const options = [
    { id: GIVE_TRUST, label: `Let ${TRUST_MEANING[kind]}`, needsText: false },
    { id: REFUSE_TRUST, label: `Never let ${TRUST_MEANING[kind]}`, needsText: false },
    TAKE_OVER,
  ];
  const asked = ask(rule(step, 'asks:trust'), { kind: 'choice', title, body, options, trust: kind });
  return become(asked, 'error', title);
}

/** Opens the question of an agent that waits, for a worker that already has the right status. */
export function askForAgent(step: Step, why: string, dialog: Dialog | null): Step {
  return ask(step, dialog === null ? { kind: 'text', title: why, body: '', options: WORDS } : questionOf(why, dialog));
}

function ask(step: Step, question: Question): Step {
  const failure = { code: 'AGENT_BLOCKED', why: question.title } as const;
  return escalate(logFailure(openIncident(step, failure), failure, 'escalate'), question);
}

function questionOf(title: string, { body, options, trust }: Dialog): Question {
  const shown = options.map(({ label }) => ({ id: label, label, needsText: false }));
  const question = { kind: 'choice', title, body, options: [...shown, SKIP, TAKE_OVER] } as const;
  return trust === undefined ? question : { ...question, body: tellTrust(body, trust), trust: trust.kind };
}

/** Says what each answer decides for the whole project. */
function tellTrust(body: string, { kind, accept, refuse }: TrustAsked): string {
  const no = refuse === null ? '' : `, "${refuse}" refuses it`;
  const told = `For all workers of the project, "${accept}" lets ${TRUST_MEANING[kind]}${no}. "drover project trust PROJECT" shows what is decided, "drover project trust PROJECT ${kind}" changes it.`;
  return body === '' ? told : `${body}\n\n${told}`;
}

/** X4: asks anew the same question of the same incident, because the dialog that a person was asked about has other words now. */
export function askAnew(step: Step, why: string, dialog: Dialog): Step {
  const { open } = step.worker.incident;
  if (open === null || !open.escalated || open.code !== 'AGENT_BLOCKED') return step;
  const question = questionOf(why, dialog);
  const asked = set(rule(step, 'asks-anew'), {
    incident: changeIncident(step.worker.incident, { options: question.options }),
  });
  return record(asked, { kind: 'escalated', incident: open.id, code: open.code, why: question.title, question });
}

const WAITS: ReadonlySet<WorkerStatus> = new Set(['error', 'needs_input']);

/** Closes the question of a worker that went on by itself, or in a person's hands. */
export function closeMootQuestion(step: Step, { code }: Incident): Step {
  if (code === 'MACHINE_LOST' || WAITS.has(stateOf(step.worker.lifecycle))) return step;
  return startCooldown(closeQuestion(rule(step, 'question-moot'), 'resolved'));
}
