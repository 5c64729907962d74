/** Begins stages in the order of the flow, and ends them when their items have ended (W2, W3). */
import type { ErrorCode } from '../../taxonomy/codes.ts';
import { authorsOf, NO_OUTPUT, outputOf, planOf } from '../find.ts';
import type { Stage } from '../flow.ts';
import type { Part, Returns } from '../result.ts';
import type { Item, Run, Settled, StageState } from '../run.ts';
import { record, rule, setStage } from '../step.ts';
import type { RunStep } from '../step.ts';
import { needsOf } from '../texts.ts';
import { ask } from './ask.ts';
import { end } from './ending.ts';

/** Begins a stage, unless a person left it out or there is nothing for it to do. */
export function beginStage(step: RunStep, { name, items }: StageState): RunStep {
  const { run } = step;
  const plan = planOf(run, name);
  if (run.terms.skip.includes(name))
    return endStage(step, name, { as: 'skipped', why: 'A person left it out.', code: null });
  const missing = needsOf(plan).find((need) => !hasOutput(run, need));
  if (missing !== undefined)
    return endStage(step, name, { as: 'skipped', why: `${missing} gave nothing.`, code: null });
  const begun = items.length > 0 ? items : newItems(run, plan);
  return rule(setStage(step, name, { isBegun: true, items: begun }), `begin:${plan.kind}`);
}

function hasOutput(run: Run, name: string): boolean {
  const settled = run.stages.find((stage) => stage.name === name)?.settled;
  return settled?.as === 'passed' || settled?.as === 'partial';
}

function newItems(run: Run, plan: Stage): readonly Item[] {
  const { from, authors } = startOf(run, plan);
  const item = (name: string, part: Part | null): Item => ({
    name,
    returns: returnsOf(plan),
    progress: { kind: 'waiting', on: 'turn', why: 'Its turn has not come.', retryAt: null, account: null },
    attempt: 0,
    triesSpent: 0,
    freeTries: 0,
    placeTries: 0,
    routingTries: 0,
    isProfileOpen: false,
    worker: null,
    authors,
    failedOn: [],
    failures: [],
    part,
    from,
    output: NO_OUTPUT,
    result: null,
    words: '',
    fingerprint: '',
    isAdopted: false,
    usage: {},
  });
  if (plan.kind !== 'each') return [item(plan.name, null)];
  if (plan.over.kind === 'times')
    return Array.from({ length: plan.over.times }, (_, at) => item(`${plan.name}/${at + 1}`, null));
  return outputOf(run, plan.over.stage).parts.map((part, at) => item(`${plan.name}/${at + 1}`, part));
}

function returnsOf(plan: Stage): Returns {
  if (plan.kind === 'review') return 'review';
  return plan.kind === 'task' || plan.kind === 'each' ? plan.returns : 'commit';
}

/** Returns the commit on which a stage's work begins: that of the last stage that its text names, else the base of the run. */
function startOf(run: Run, plan: Stage): Pick<Item, 'from' | 'authors'> {
  const needs = needsOf(plan);
  const last = run.stages.findLast(({ name }) => needs.includes(name) && outputOf(run, name).commit !== null);
  if (last === undefined || plan.kind === 'review') return { from: run.terms.base.commit, authors: [] };
  return { from: outputOf(run, last.name).commit, authors: authorsOf(run, last.name) };
}

/** Ends the stage once its items have ended. */
export function settleStage(step: RunStep, stage: StageState): RunStep {
  const { items, name } = stage;
  if (!items.every(({ progress }) => progress.kind === 'settled')) return step;
  const ends = items
    .map(({ progress }) => (progress.kind === 'settled' ? progress : null))
    .filter((one) => one !== null);
  const every = (as: Settled): boolean => ends.every((one) => one.as === as);
  const first = ends.find(({ as }) => as !== 'passed');
  const why = first?.why ?? ends[0]?.why ?? 'It had nothing to do.';
  if (every('passed')) return endStage(step, name, { as: 'passed', why, code: null });
  if (every('skipped')) return endStage(step, name, { as: 'skipped', why, code: null });
  if (ends.some(({ as }) => as === 'over-budget')) return endOverBudget(step, stage);
  const hasSome = ends.some(({ as }) => as === 'passed' || as === 'partial');
  const isReview = planOf(step.run, name).kind === 'review';
  const code: ErrorCode = isReview ? 'MAX_ITERATIONS' : 'STAGE_FAILED';
  if (hasSome && step.ctx.policy.degradation.allowPartial)
    return endStage(step, name, { as: 'partial', why: whatLacks(items, why), code });
  return end(endStage(step, name, { as: 'failed', why, code }), { as: 'partial', why: `${name}: ${why}`, code });
}

function whatLacks(items: readonly Item[], why: string): string {
  const lost = items.filter(({ progress }) => progress.kind === 'settled' && progress.as !== 'passed');
  return items.length === 1 ? why : `${lost.map((item) => item.part?.title ?? item.name).join(', ')}: ${why}`;
}

/** Asks a person whether to use what a stage has made within its budget. */
function endOverBudget(step: RunStep, { name, items }: StageState): RunStep {
  const code = 'STAGE_FAILED';
  const hasWork = items.some(({ output }) => output.commit !== null || output.report !== '' || output.parts.length > 0);
  const why = 'Its budget is spent.';
  if (!hasWork || !step.ctx.policy.degradation.allowPartial)
    return end(endStage(step, name, { as: 'over-budget', why, code }), { as: 'partial', why: `${name}: ${why}`, code });
  const text = `The budget of ${name} is spent before it has passed. Use what is there?`;
  return ask(step, { about: 'over-budget', item: name, text }, ['use', 'stop']);
}

function endStage(step: RunStep, name: string, settled: NonNullable<StageState['settled']>): RunStep {
  const stage = step.run.stages.find((one) => one.name === name);
  const ended = setStage(rule(step, `stage:${settled.as}`), name, { settled });
  const from = stage?.isBegun === true ? 'running' : 'waiting';
  return record(ended, { kind: 'stage-moved', name, from, to: settled.as, why: settled.why });
}

/** Settles stages that never began because the run ends. */
export function settleRest(step: RunStep, why: string): RunStep {
  return step.run.stages.reduce((so, { name, settled, items }) => {
    if (settled !== null) return so;
    const as = items.some(({ progress }) => progress.kind === 'settled' && progress.as === 'over-budget')
      ? 'over-budget'
      : items.some(({ progress }) => progress.kind === 'settled' && progress.as === 'failed')
        ? 'failed'
        : 'skipped';
    return endStage(so, name, { as, why, code: null });
  }, step);
}
