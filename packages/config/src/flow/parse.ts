// Reads flows of runs. A flow is refused as a whole, with the line of each problem and the nearest name.
import { FLOW_LIMITS, nearest } from '@drover/core';
import type { Budget, Flow, InputKind, Stage } from '@drover/core';
import { parse, TomlError } from 'smol-toml';
import { tomlLines } from '../load/toml-lines.ts';
import { readStage } from './stage.ts';
import { Problems, Table } from './table.ts';
import { money, time, tokens, whole, word } from './values.ts';

export type FlowOutcome =
  | { readonly kind: 'flow'; readonly flow: Flow }
  /** Each problem begins with its line, such as `line 12: …`. */
  | { readonly kind: 'invalid'; readonly problems: readonly string[] };

export interface FlowNames {
  /** Name of the flow: that of its file, without `.toml`. */
  readonly name: string;
  /** Roles and agent profiles that are known. Absent: they are not checked. */
  readonly roles?: readonly string[];
  readonly profiles?: readonly string[];
}

/** Words that follow `drover run` or `drover flow`, and so are no names of flows. */
const FLOW_VERBS = [
  'list',
  'show',
  'check',
  'why',
  'wait',
  'pause',
  'resume',
  'stop',
  'retry',
  'messages',
  'answer',
] as const;

const NAME = /^[a-z][a-z0-9-]{0,30}$/u;
const SIX_HOURS_MS = 6 * 3_600_000;

/** Reads a flow from TOML. */
export function parseFlow(source: string, names: FlowNames): FlowOutcome {
  const bytes = Buffer.byteLength(source);
  if (bytes > FLOW_LIMITS.bytesMax)
    return { kind: 'invalid', problems: [`line 1: expected at most ${FLOW_LIMITS.bytesMax} bytes, got ${bytes}`] };
  let values: Record<string, unknown>;
  try {
    values = parse(source);
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    return {
      kind: 'invalid',
      problems: [`line ${error.line}: is not TOML: ${(error.message.split('\n')[0] ?? '').trim()}`],
    };
  }
  const problems = new Problems(tomlLines(source));
  const flow = readFlow(values, names, problems);
  if (problems.found.length === 0) return { kind: 'flow', flow };
  const lines = problems.found.toSorted((one, other) => one.line - other.line);
  return { kind: 'invalid', problems: lines.map(({ line, message }) => `line ${line}: ${message}`) };
}

function readFlow(values: Readonly<Record<string, unknown>>, names: FlowNames, problems: Problems): Flow {
  const { name } = names;
  if (!NAME.test(name)) problems.add([], `"${name}" is no name of a flow: expected small letters, digits and "-"`);
  if (FLOW_VERBS.some((verb) => verb === name))
    problems.add([], `a flow cannot be named "${name}": that is a command of drover run`);
  const inputs = inputsOf(values['inputs'], problems);
  const budget = budgetOf(values['budget'], problems);
  const entries = Object.entries(values).filter(([key]) => key !== 'inputs' && key !== 'budget');
  const all = entries.map(([key]) => key);
  if (entries.length === 0) problems.add([], 'a flow needs at least one stage, such as [build]');
  if (entries.length > FLOW_LIMITS.stagesMax)
    problems.add(
      [all[FLOW_LIMITS.stagesMax] ?? ''],
      `expected at most ${FLOW_LIMITS.stagesMax} stages, got ${entries.length}`,
    );
  const stages: Stage[] = [];
  for (const [key, value] of entries) {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      problems.unknown([key], `"${key}" is no key of a flow`, ['inputs', 'budget']);
      continue;
    }
    if (!NAME.test(key) || key === 'part')
      problems.add([key], `"${key}" is no name of a stage: expected small letters, digits and "-", and not "part"`);
    const stage = readStage(key, new Table([key], value, problems), { inputs, before: stages, names: all, problems });
    if (stage === null) continue;
    checkBudget(stage, budget, problems);
    checkNames(stage, names, problems);
    stages.push(stage);
  }
  return { name, inputs, budget, stages };
}

function inputsOf(value: unknown, problems: Problems): Flow['inputs'] {
  const table = new Table(['inputs'], value, problems);
  const kinds = Object.keys(table.values).map((key): [string, InputKind] => {
    if (!NAME.test(key))
      problems.add(['inputs', key], `"${key}" is no name of an input: expected small letters, digits and "-"`);
    return [key, table.take(key, word<InputKind>(['text', 'number']), 'text')];
  });
  return Object.fromEntries(kinds);
}

function budgetOf(value: unknown, problems: Problems): Flow['budget'] {
  const table = new Table(['budget'], value, problems);
  const budget = {
    timeMs: table.take('time', time, SIX_HOURS_MS),
    tokens: table.take('tokens', tokens, null),
    money: table.take('money', money, null),
    workers: table.take('workers', whole(1, 20), 4),
  };
  table.end('budget');
  return budget;
}

const BUDGET_KEYS = { timeMs: 'time', tokens: 'tokens', money: 'money' } as const;

function checkBudget({ name, budget }: Stage, run: Budget, problems: Problems): void {
  for (const key of ['timeMs', 'tokens', 'money'] as const) {
    const [own, whole] = [budget[key], run[key]];
    if (own !== null && whole !== null && own > whole)
      problems.add([name, BUDGET_KEYS[key]], `${name}.${BUDGET_KEYS[key]} is above that of the whole run`);
  }
}

function checkNames(stage: Stage, { roles, profiles }: FlowNames, problems: Problems): void {
  if (!('role' in stage)) return;
  const known: readonly (readonly [key: string, value: string | null, all: readonly string[] | undefined])[] = [
    ['role', stage.role, roles],
    ['profile', stage.profile, profiles === undefined ? undefined : [...profiles, 'other']],
  ];
  for (const [key, value, all] of known) {
    if (value === null || all === undefined || all.includes(value)) continue;
    const near = nearest(value, all);
    problems.add(
      [stage.name, key],
      `${stage.name}.${key}: there is no ${key} "${value}"; ${near === null ? `here may stand ${all.join(', ')}` : `did you mean "${near}"?`}`,
    );
  }
}
