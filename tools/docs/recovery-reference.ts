// Writes docs/recovery-reference.md from the plans, the policy and the text in recovery/template.md: `npm run docs`.
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
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
  RULE_WORDS,
  type AlternativeKind,
  type ClassPolicy,
  type ErrorCode,
  type FailureClass,
  type RetryConfig,
  type Sign,
  type Strategy,
} from '@drover/core';
import { REPOSITORY } from '../checks/source/rooms.ts';
import { duration, ladderRows, numberInWords, numberRows, REFERENCE_PAGE, timeLimits } from './policy-numbers.ts';
import { padTables, table } from './table.ts';

const TEMPLATE = new URL('recovery/template.md', import.meta.url);

/** The page's whole text. A check holds the file in the repository to it. */
export function recoveryReferencePage(): string {
  const filled = readFileSync(TEMPLATE, 'utf8').replaceAll(/\{\{([\w.:]+)\}\}/gu, (_mark, name: string) => fill(name));
  return padTables(filled);
}

/** Text for each mark of the template that is no number of the policy. */
const PARTS: Readonly<Record<string, () => string>> = {
  ALTERNATIVES: () => ALTERNATIVE_ORDER.map((kind) => ALTERNATIVE[kind]).join('; '),
  LADDER: () =>
    table(['rung', 'wait', 'typed by', 'extra settling', 'agent started again first'], ladderRows(DEFAULT_POLICY)),
  LADDER_WAIT: () => duration(DEFAULT_POLICY.lostInput.reduce((sum, { waitMs }) => sum + waitMs, 0)),
  BACKOFF: () => pauses(),
  UNKNOWN_RETRIES: () => String(DEFAULT_POLICY.toolFailures.unknown.retriesMax),
  FAILED_CHECK: () => ORDINALS[RETRIES[RECOVERY_PLANS.VALIDATION_FAILED.retry](DEFAULT_POLICY).retriesMax] ?? 'last',
  TIMEOUTS: () => timeLimits(DEFAULT_POLICY).join(', '),
  TOOL_CLASSES: () =>
    table(
      ['class', 'retries', 'wait before each, unless the service states one', 'then'],
      FAILURE_CLASSES.map(classRow),
    ),
  RETRIES: () => table(['configuration', 'times', 'wait before each'], Object.entries(RETRIES).map(retryRow)),
  PLANS: () => table(['code', 'at first', 'retry', 'then', 'is over when', 'belongs to'], ERROR_CODES.map(planRow)),
  CODES: () => table(['code', 'what it means', 'what you can do'], ERROR_CODES.map(codeRow)),
  RULE_WORDS: () =>
    table(
      ['rule', 'in words'],
      Object.entries(RULE_WORDS).map(([name, words]) => [`\`${name}\``, cell(words)]),
    ),
  NUMBERS: () => table(['number', 'value', 'what it is'], numberRows(DEFAULT_POLICY)),
};

const ALTERNATIVE: Readonly<Record<AlternativeKind, string>> = {
  'fresh-context': 'a fresh context',
  'respawn-resumed': 'started again with its conversation',
  'respawn-clean': 'started again without its conversation',
  rollback: 'back to the last checkpoint',
  'other-profile': 'another profile',
  'other-machine': 'the same worker on another machine',
  'other-worker': 'another worker',
};

const ORDINALS = ['first', 'second', 'third', 'fourth', 'fifth', 'sixth'];

function fill(name: string): string {
  const part = PARTS[name];
  if (part !== undefined) return part();
  const [number = '', unit] = name.split(':');
  const words = numberInWords(number);
  return unit === 'percent' ? `${Number(words) * 100} %` : words;
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
  return [`\`${code}\``, cell(message({})), cell(remediation({}).join('; '))];
}

function planRow(code: ErrorCode): readonly string[] {
  const { again, retry, alternatives, endsOn, ofTheWork } = RECOVERY_PLANS[code];
  const level = firstLevel(code);
  if (level === null) return [`\`${code}\``, 'the caller is told', '', '', '', 'the request'];
  const signs = [...(ofTheWork ? [] : ['its turn ends']), ...endsOn.map((sign) => SIGN[sign])].join('; ');
  const home = ofTheWork ? 'the work' : 'the turn';
  if (level === 4) return [`\`${code}\``, 'a person is asked', '', '', signs, home];
  const then = [...alternatives.map((kind) => ALTERNATIVE[kind]), 'a person'].join('; ');
  const isSame = level === 1 || ofTheWork;
  return [
    `\`${code}\``,
    isSame ? AGAIN[again] : 'the first of "then"',
    isSame ? `\`${retry}\`` : '',
    then,
    signs,
    home,
  ];
}

const AGAIN: Readonly<Record<Strategy, string>> = {
  retry: 'the same again',
  restart: 'started again',
  skip: 'the worker goes on without it',
  substitute: 'another does it',
  rollback: 'back to what was before',
  escalate: 'a person is asked',
  abort: 'nothing',
};

const SIGN: Readonly<Record<Sign, string>> = {
  'command-done': 'a command is done',
  up: 'its session is up',
  taken: 'the agent takes a text',
  progress: 'there is progress',
  rebased: 'the conflicts are resolved',
  valid: 'the checks pass',
  'turn-over': 'its turn ends',
  'task-done': 'its task is over',
};

function retryRow([name, configure]: readonly [string, (typeof RETRIES)[keyof typeof RETRIES]]): readonly string[] {
  const config: RetryConfig = configure(DEFAULT_POLICY);
  return [`\`${name}\``, String(config.retriesMax), waitsOf(config)];
}

function waitsOf({ factor, jitter, firstDelayMs, capMs }: RetryConfig): string {
  const chance = jitter === 0 ? '' : `, plus up to ${jitter * 100} % by chance`;
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

if (import.meta.main) {
  writeFileSync(path.join(REPOSITORY, REFERENCE_PAGE), recoveryReferencePage());
}
