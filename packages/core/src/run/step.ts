/** Builds a decision about a run by small steps. */
import type { Policy } from '../policy/policy.ts';
import type { ErrorCode } from '../taxonomy/codes.ts';
import { itemOf, stageName, stageOf } from './find.ts';
import type { RunRequest, RunWish } from './request.ts';
import type { Part } from './result.ts';
import { statusOfItem } from './run.ts';
import type { Item, ItemStatus, Progress, Run, RunDeadlineName, RunStatus, StageState, WaitsFor } from './run.ts';

/** Facts beside the run and the event. */
export interface RunContext {
  readonly now: number;
  /** A number in [0, 1), for jitter. */
  readonly random: number;
  readonly policy: Policy;
}

/** Record that a decision writes beside the new state: the run's history, the error log, what people are told. */
export type RunRecord =
  | { readonly kind: 'run-moved'; readonly from: RunStatus; readonly to: RunStatus; readonly why: string }
  | {
      readonly kind: 'stage-moved' | 'item-moved';
      readonly name: string;
      readonly from: ItemStatus;
      readonly to: ItemStatus;
      readonly why: string;
    }
  | { readonly kind: 'error'; readonly code: ErrorCode; readonly item: string; readonly problem: string }
  /** A person's edit of an output, which replaces it. */
  | {
      readonly kind: 'edited';
      readonly item: string;
      readonly by: string;
      readonly before: readonly Part[];
      readonly after: readonly Part[];
    }
  | {
      readonly kind: 'answered';
      readonly question: string;
      readonly option: string;
      readonly by: string;
      readonly words: string;
    }
  /** An event that came too late, or twice, and changed nothing. */
  | { readonly kind: 'ignored'; readonly event: string; readonly why: string }
  | { readonly kind: 'adopted'; readonly item: string; readonly from: string }
  /** The retry has placed its first work: agents and routing work again. */
  | { readonly kind: 'recovered'; readonly of: string }
  | { readonly kind: 'notice'; readonly text: string };

/** Complete answer to one event. The caller writes all of it in one transaction, or nothing. */
export interface RunDecision {
  readonly run: Run;
  readonly requests: readonly RunRequest[];
  readonly records: readonly RunRecord[];
  /** Whole set of armed deadlines. The same as `run.deadlines`. */
  readonly deadlines: Readonly<Partial<Record<RunDeadlineName, number>>>;
  /** Names of the rules that fired, in order. */
  readonly rules: readonly string[];
  /** A refusal of a person's request; null: accepted. */
  readonly refused: { readonly code: string; readonly message: string } | null;
}

/** A decision that is being built. Every helper returns a new one. */
export interface RunStep {
  readonly ctx: RunContext;
  readonly run: Run;
  readonly requests: readonly RunRequest[];
  readonly records: readonly RunRecord[];
  readonly rules: readonly string[];
  readonly refused: RunDecision['refused'];
}

export function beginStep(run: Run, ctx: RunContext): RunStep {
  return { ctx, run, requests: [], records: [], rules: [], refused: null };
}

export function change(step: RunStep, changes: Partial<Run>): RunStep {
  return { ...step, run: { ...step.run, ...changes } };
}

export function rule(step: RunStep, name: string): RunStep {
  return { ...step, rules: [...step.rules, name] };
}

export function record(step: RunStep, entry: RunRecord): RunStep {
  return { ...step, records: [...step.records, entry] };
}

export function refuse(step: RunStep, code: string, message: string): RunStep {
  return { ...rule(step, `refused:${code}`), refused: { code, message } };
}

/** Says that an event changed nothing. */
export function ignore(step: RunStep, event: string, why: string): RunStep {
  return record(rule(step, `late:${event}`), { kind: 'ignored', event, why });
}

/** Returns the id that the next request gets. */
export function nextRequest({ run }: RunStep): string {
  return `${run.terms.id}:${run.requests + 1}`;
}

/** Makes a request; its id is the one that `nextRequest` told. */
export function request(step: RunStep, wish: RunWish): RunStep {
  const { run } = step;
  const made: RunRequest = { ...wish, id: nextRequest(step) };
  return rule(
    { ...step, run: { ...run, requests: run.requests + 1 }, requests: [...step.requests, made] },
    `request:${wish.kind}`,
  );
}

/** Changes a stage. */
export function setStage(step: RunStep, name: string, changes: Partial<StageState>): RunStep {
  const stages = step.run.stages.map((stage) => (stage.name === name ? { ...stage, ...changes } : stage));
  return change(step, { stages });
}

/** Changes an item, and records its new status. */
export function setItem(step: RunStep, name: string, changes: Partial<Item>): RunStep {
  const before = itemOf(step.run, name);
  const after: Item = { ...before, ...changes };
  const stage = stageOf(step.run, stageName(name));
  const changed = setStage(step, stage.name, { items: stage.items.map((item) => (item.name === name ? after : item)) });
  const [from, to] = [statusOfItem(before), statusOfItem(after)];
  return from === to ? changed : record(changed, { kind: 'item-moved', name, from, to, why: whyOf(after.progress) });
}

/** Ends an item. */
export function settleItem(step: RunStep, name: string, end: Omit<SettledProgress, 'kind'>): RunStep {
  return setItem(step, name, { progress: { kind: 'settled', ...end } });
}

type SettledProgress = Extract<Progress, { readonly kind: 'settled' }>;

/** Lets an item wait. */
export function wait(step: RunStep, name: string, { on, why, retryAt = null, account = null }: WaitOptions): RunStep {
  return setItem(step, name, { progress: { kind: 'waiting', on, why, retryAt, account } });
}

interface WaitOptions {
  readonly on: WaitsFor;
  readonly why: string;
  readonly retryAt?: number | null;
  readonly account?: string | null;
}

function whyOf(progress: Progress): string {
  return progress.kind === 'waiting' || progress.kind === 'settled' ? progress.why : '';
}
