/** Prepares a flow for one run: inputs are filled in, and the person's numbers take the place of the file's. */
import { nearest } from '../words/nearest.ts';
import { ERRORS } from '../taxonomy/codes.ts';
import type { ErrorCode } from '../taxonomy/codes.ts';
import type { Flow } from './flow.ts';

/** Wishes of a person at the start. */
export interface StartWishes {
  readonly inputs: Readonly<Record<string, string>>;
  /** Workers at the same time; null: as the flow says. */
  readonly workers: number | null;
  /** Times of every stage that is done several times; null: as the flow says. */
  readonly times: number | null;
}

export type StartOutcome =
  | { readonly kind: 'ready'; readonly flow: Flow; readonly inputs: StartWishes['inputs'] }
  | { readonly kind: 'invalid'; readonly problems: readonly string[] };

const WORKERS_MAX = 20;
const TIMES_MAX = 10;

export function startFlow(flow: Flow, { inputs, workers, times }: StartWishes): StartOutcome {
  const names = Object.keys(flow.inputs);
  const problems = [
    ...names
      .filter((name) => (inputs[name] ?? '').trim() === '')
      .map((name) => `The flow needs ${name}: --set ${name}="…".`),
    ...Object.keys(inputs)
      .filter((name) => !names.includes(name))
      .map((name) => unknownInput(name, names)),
    ...names
      .filter((name) => flow.inputs[name] === 'number' && !/^\d{1,15}$/.test(inputs[name] ?? '0'))
      .map((name) => `${name}: expected a whole number, got ${JSON.stringify(inputs[name])}.`),
    ...outside('workers', workers, WORKERS_MAX),
    ...outside('times', times, TIMES_MAX),
    ...(times === null || flow.stages.some(isRepeated)
      ? []
      : ['--times: no stage of this flow is done several times.']),
  ];
  if (problems.length > 0) return { kind: 'invalid', problems };
  const budget = workers === null ? flow.budget : { ...flow.budget, workers };
  const stages = flow.stages.map((stage) =>
    times !== null && stage.kind === 'each' && isRepeated(stage)
      ? { ...stage, over: { kind: 'times' as const, times } }
      : stage,
  );
  return { kind: 'ready', flow: { ...flow, budget, stages }, inputs };
}

function isRepeated(stage: Flow['stages'][number]): boolean {
  return stage.kind === 'each' && stage.over.kind === 'times';
}

function unknownInput(name: string, known: readonly string[]): string {
  const near = nearest(name, known);
  return `The flow has no input ${name}; ${near === null ? `it has ${known.join(', ') || 'none'}` : `did you mean ${near}?`}`;
}

function outside(name: string, value: number | null, most: number): readonly string[] {
  if (value === null || (Number.isSafeInteger(value) && value >= 1 && value <= most)) return [];
  return [`--${name}: expected a whole number from 1 to ${most}, got ${value}.`];
}

/** Says that no flow has a name, with the nearest that one has. */
export function flowNotFound(
  name: string,
  known: readonly string[],
): { readonly code: ErrorCode; readonly message: string } {
  const near = nearest(name, known);
  const said = near === null ? `the flows are ${known.join(', ')}` : `the nearest is "${near}"`;
  const code = 'WORKFLOW_NOT_FOUND';
  return { code, message: ERRORS[code].message({ argument: name, said }) };
}

/** Tells whether a flow brings commands of its own, which run on machines: not everybody may start such a one. */
export function hasCommands({ stages }: Flow): boolean {
  return stages.some((stage) => 'check' in stage && stage.check !== null && stage.check.length > 0);
}
