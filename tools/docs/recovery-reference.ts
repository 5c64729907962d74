// Writes docs/recovery-reference.md from the plans, the policy and the text in recovery/template.md: `npm run docs`.
import { readFileSync } from 'node:fs';
import {
  ALTERNATIVE_ORDER,
  backoffDelay,
  DEFAULT_POLICY,
  DEFAULT_TOOL_FAILURE_POLICY,
  ERROR_CODES,
  ERRORS,
  FAILURE_CLASSES,
  firstLevel,
  RECOVERY_PLANS,
  RETRIES,
  type AlternativeKind,
  type ClassPolicy,
  type ErrorCode,
  type FailureClass,
  type RetryConfig,
  type Sign,
  type Strategy,
} from '@drover/core';
import { duration, ladderRows, numberRows, timeLimits, valueInWords } from './policy-numbers.ts';
import { padTables, table } from './table.ts';

const TEMPLATE = new URL('recovery/template.md', import.meta.url);

/** The page's whole text: the template with its marks filled, and the value before each name of a number. */
export function recoveryReferencePage(): string {
  const template = readFileSync(TEMPLATE, 'utf8');
  const valued = template.replaceAll(/`([a-z]\w*(?:\.\w+)*)`/gu, (mark, name: string) => {
    const value = valueInWords(name);
    return value === null ? mark : `${value} (${mark})`;
  });
  return padTables(valued.replaceAll(/\{\{(\w+)\}\}/gu, (_mark, name: string) => partNamed(name)));
}

/** Text for each mark of the template. */
const PARTS: Readonly<Record<string, () => string>> = {
  ALTERNATIVES: () =>
    table(
      ['alternative', 'Drover continues'],
      ALTERNATIVE_ORDER.map((kind) => [`\`${kind}\``, ALTERNATIVE[kind]]),
    ),
  LADDER: () =>
    table(['rung', 'wait', 'typed by', 'extra settling', 'agent started again first'], ladderRows(DEFAULT_POLICY)),
  LADDER_WAIT: () => duration(DEFAULT_POLICY.lostInput.reduce((sum, { waitMs }) => sum + waitMs, 0)),
  BACKOFF: () => pauses(),
  FAILED_CHECK: () => ORDINALS[RETRIES[RECOVERY_PLANS.VALIDATION_FAILED.retry](DEFAULT_POLICY).retriesMax] ?? 'last',
  TIMEOUTS: () => timeLimits(DEFAULT_POLICY).join(', '),
  TOOL_CLASSES: () =>
    table(
      ['class', 'retries', 'wait before each, unless the service states one', 'then'],
      FAILURE_CLASSES.map(classRow),
    ),
  RETRIES: () => table(['retry', 'times', 'wait before each'], Object.entries(RETRIES).map(retryRow)),
  CODES: () => table(['code', 'what it means', 'Drover', 'over when', 'what you can do'], ERROR_CODES.map(codeRow)),
  NUMBERS: () => table(['number', 'value', 'what it is'], numberRows(DEFAULT_POLICY)),
};

const ALTERNATIVE: Readonly<Record<AlternativeKind, string>> = {
  'fresh-context': 'in a fresh context',
  'respawn-resumed': 'with the agent started again in its conversation',
  'respawn-clean': 'with the agent started again without its conversation',
  rollback: 'from the last checkpoint',
  'other-profile': 'with another profile in the same worktree: one of `substitutes` in `[policy]` (none by default)',
  'other-machine':
    'on another machine, as `drover worker move` does, while no program of the worker lives: once on each connected machine that takes new work and has no worker of that name, those with the fewest workers first. After a failure there the worker comes back.',
  'other-worker': 'with an idle worker of the pool; the task returns to the work queue',
};

const ORDINALS = ['first', 'second', 'third', 'fourth', 'fifth', 'sixth'];

/** @throws {Error} when the template has a mark without a text. */
function partNamed(name: string): string {
  const part = PARTS[name];
  if (part === undefined) throw new Error(`the template of the reference names "${name}", which has no text`);
  return part();
}

/** The pauses of level 1, without their jitter. */
function pauses(): string {
  const { backoff } = DEFAULT_POLICY.agentError;
  const all = Array.from({ length: DEFAULT_POLICY.incident.maxAttemptsPerError }, (_none, index) =>
    duration(backoffDelay(backoff, index + 1, 0)),
  );
  return `${all.slice(0, -1).join(', ')} and ${all.at(-1) ?? ''}`;
}

function classRow(name: FailureClass): readonly string[] {
  const policy = DEFAULT_TOOL_FAILURE_POLICY[name];
  return [name.replace('_', ' '), String(policy.retriesMax), classWaits(policy), classEnd(name, policy)];
}

function classWaits({ retriesMax, backoff, timeoutFactors }: ClassPolicy): string {
  if (retriesMax === 0) return '';
  if (timeoutFactors.length > 0) return `none, with ${timeoutFactors.join(' and ')} times the time`;
  const waits = Array.from({ length: retriesMax }, (_none, index) => duration(backoffDelay(backoff, index + 1, 0)));
  return `${waits.join(', ')}; never over ${duration(backoff.capMs)}`;
}

function classEnd(name: FailureClass, { whenSpent, priority, pauseAccountFrom, sameToEscalate }: ClassPolicy): string {
  const paused =
    pauseAccountFrom === 0
      ? ''
      : `; from retry ${pauseAccountFrom} on, an account of the agent's own provider is paused`;
  const same = sameToEscalate === 0 ? '' : `; ${sameToEscalate} of the same in one task: a person`;
  return `${CLASS_END[name] ?? END[whenSpent](priority)}${paused}${same}`;
}

const END: Readonly<Record<ClassPolicy['whenSpent'], (priority: string) => string>> = {
  queue: (priority) => `work item ${priority}`,
  escalate: () => 'a person',
  block: () => 'the operation is blocked, and a person is told',
  log: () => 'logged',
};

/** Further information for the agent or the person. */
const CLASS_END: Readonly<Partial<Record<FailureClass, string>>> = {
  syntax: 'work item S0 with file and line',
  permission: 'a person at once, with what is needed and how to grant it',
  resource: 'a person, naming the resource',
  validation: 'work item S1 with field and reason',
};

function codeRow(code: ErrorCode): readonly string[] {
  const { message, remediation } = ERRORS[code];
  const remedies = remediation({})
    .filter((remedy) => !GENERAL_REMEDIES.has(remedy))
    .map((remedy) => remedy.replace(/\.$/u, ''));
  return [`\`${code}\``, cell(message({})), planWords(code), signWords(code), cell(remedies.join('; '))];
}

/** Remedies that help with every error: the page names them once. */
const GENERAL_REMEDIES: ReadonlySet<string> = new Set([
  'drover why WORKER',
  'drover attach WORKER',
  'drover logs WORKER',
  'drover doctor',
]);

function planWords(code: ErrorCode): string {
  const { again, retry, alternatives, ofTheWork } = RECOVERY_PLANS[code];
  const ofRun = RUN_PLANS[code];
  if (ofRun !== undefined) return ofRun;
  const level = firstLevel(code);
  if (level === null) return 'tells the caller';
  if (level === 4) return 'asks at once';
  const same = level === 1 || ofTheWork ? [`${AGAIN[again]} (\`${retry}\`)`] : [];
  return [...same, ...alternatives.map((kind) => `\`${kind}\``)].join(', ');
}

/** Plans of a run, which have a page of their own: recovery.md, "What a run does". */
const RUN_PLANS: Readonly<Partial<Record<ErrorCode, string>>> = {
  WORKFLOW_NOT_FOUND: 'tells the caller',
  ROUTING_FAILED: 'repeats (`routing`), any profile, asks',
  STAGE_FAILED: 'the tries of its stage, then [what a run does](recovery.md#what-a-run-does)',
  MAX_ITERATIONS: 'uses the best round; its merge asks',
  WORKFLOW_TIMEOUT: 'hands back, and keeps what is there',
};

function signWords(code: ErrorCode): string {
  const { endsOn, ofTheWork } = RECOVERY_PLANS[code];
  const signs = endsOn.map((sign) => SIGN[sign]).join(', ');
  return ofTheWork ? `only: ${signs}` : signs;
}

const AGAIN: Readonly<Record<Strategy, string>> = {
  retry: 'repeats',
  restart: 'restarts',
  skip: 'goes on without it',
  substitute: 'lets another do it',
  rollback: 'goes back',
  escalate: 'asks',
  abort: 'does nothing',
};

const SIGN: Readonly<Record<Sign, string>> = {
  'command-done': 'command done',
  up: 'session up',
  taken: 'text taken',
  progress: 'progress',
  rebased: 'conflicts resolved',
  valid: 'checks pass',
  'turn-over': 'turn over',
  'task-done': 'task over',
};

function retryRow([name, configure]: readonly [string, (typeof RETRIES)[keyof typeof RETRIES]]): readonly string[] {
  const config: RetryConfig = configure(DEFAULT_POLICY);
  return [`\`${name}\``, String(config.retriesMax), waitsOf(config)];
}

function waitsOf({ factor, jitter, firstDelayMs, capMs }: RetryConfig): string {
  const chance = jitter === 0 ? '' : `, plus up to ${jitter * 100} %`;
  if (firstDelayMs === 0) return 'none';
  if (factor === 1) return `${duration(firstDelayMs)}${chance}`;
  return `${duration(firstDelayMs)}, ${factor} times the last one, at most ${duration(capMs)}${chance}`;
}

/** Words in a cell: a bar would end it. */
function cell(text: string): string {
  return text
    .replaceAll('|', String.raw`\|`)
    .replaceAll(/\s+/gu, ' ')
    .trim();
}
