/** Keeps budgets: workers are told near the end, then interrupted and asked to hand back what they have (W4). */
import { allItems, planOf, stageInHand, stageName, stageOf } from '../find.ts';
import { HAND_BACK_TEXT } from '../result-texts.ts';
import type { AfterPin, RunClock, Item, Run, StageState } from '../run.ts';
import { change, record, request, rule, setItem, setStage, settleItem } from '../step.ts';
import type { RunStep } from '../step.ts';
import { shareOf, sumTold } from '../usage.ts';
import type { Spent } from '../usage.ts';

/** Adds up what items have used. */
export function spentOf(items: readonly Item[], clock: RunClock, now: number): Spent {
  const usages = items.flatMap(({ usage }) => Object.values(usage));
  return {
    timeMs: clockAt(clock, now),
    tokens: sumTold(usages.map(({ input, output }) => input + output)),
    cached: sumTold(usages.map(({ cached }) => cached)),
    money: sumTold(usages.map(({ money }) => money)),
  };
}

export function clockAt({ usedMs, runsSince }: RunClock, now: number): number {
  return runsSince === null ? usedMs : usedMs + Math.max(0, now - runsSince);
}

/** Words for an agent near the end of a budget. */
export const FINISH = 'finish, or report what you have with drover result.';

/** Tells workers near the end of a budget, and interrupts them at its end. */
export function watchBudgets(step: RunStep): RunStep {
  const stage = stageInHand(step.run);
  if (stage === null || !stage.items.some((item) => isForAgent(step.run, item))) return step;
  const { run, ctx } = step;
  const { nearShare } = ctx.policy.run;
  const ofRun = shareOf(run.terms.flow.budget, spentOf(allItems(run), run.clock, ctx.now));
  const ofStage = shareOf(planOf(run, stage.name).budget, spentOf(stage.items, stage.clock, ctx.now));
  if (ofRun >= 1 && run.clock.told !== 'spent') return spendRun(step, stage);
  if (ofStage >= 1 && stage.clock.told !== 'spent' && run.ending === null) return spendStage(step, stage);
  if (run.ending !== null || isSpent(run, stage)) return step;
  let next = step;
  const isNear = (share: number, clock: RunClock): boolean => share >= nearShare && clock.told === 'nothing';
  if (!isNear(ofRun, run.clock) && !isNear(ofStage, stage.clock)) return step;
  if (isNear(ofRun, run.clock)) next = change(next, { clock: { ...run.clock, told: 'near' } });
  if (isNear(ofStage, stage.clock)) next = setStage(next, stage.name, { clock: { ...stage.clock, told: 'near' } });
  const left = Math.max(0, Math.round((1 - Math.max(ofRun, ofStage)) * 100));
  const text = `${left} % of the budget is left: ${FINISH}`;
  return runningItems(stage).reduce(
    (so, { worker, name, attempt, returns }) => {
      if (worker === null) return so;
      const item = { runId: run.terms.id, item: name, attempt, returns };
      return request(so, { kind: 'tell', workerId: worker.workerId, item, text, from: null });
    },
    rule(next, 'budget:near'),
  );
}

/** Tells whether an agent is at an item, or will be: a merge or a gate that waits for a person spends nothing more. */
export function isForAgent(run: Run, { name, progress, words, attempt }: Item): boolean {
  const { kind } = planOf(run, stageName(name));
  const hasAgent =
    kind === 'join' ? words !== '' || attempt > 0 : kind !== 'gate' && kind !== 'accept' && kind !== 'check';
  return hasAgent && progress.kind !== 'settled';
}

function spendRun(step: RunStep, stage: StageState): RunStep {
  const why = 'The budget of the run is spent.';
  const { run } = step;
  const spent = change(rule(step, 'budget:run'), {
    clock: { ...run.clock, told: 'spent' },
    paused: null,
    ending: run.ending ?? { as: 'partial', why, code: 'WORKFLOW_TIMEOUT' },
  });
  const told = record(spent, { kind: 'error', code: 'WORKFLOW_TIMEOUT', item: stage.name, problem: why });
  return handBackAll(told, stage, why);
}

function spendStage(step: RunStep, stage: StageState): RunStep {
  const told = setStage(rule(step, 'budget:stage'), stage.name, { clock: { ...stage.clock, told: 'spent' } });
  const why = 'The budget of the stage is spent.';
  return handBackAll(record(told, { kind: 'notice', text: `${stage.name}: ${why}` }), stage, why);
}

function handBackAll(step: RunStep, stage: StageState, why: string): RunStep {
  return stage.items.reduce((so, item) => {
    if (item.progress.kind === 'waiting') return settleItem(so, item.name, { as: 'over-budget', why });
    return item.progress.kind === 'running' ? handBack(so, item) : so;
  }, step);
}

/** Asks an agent for what it has: one turn, in which it changes no files. */
export function handBack(step: RunStep, { name, attempt, returns, worker, progress }: Item): RunStep {
  if (worker === null || progress.kind !== 'running' || progress.handBackUntil !== null) return step;
  const { runId, item } = { runId: step.run.terms.id, item: name };
  const asked = request(step, {
    kind: 'hand-back',
    workerId: worker.workerId,
    item: { runId, item, attempt, returns },
    text: HAND_BACK_TEXT,
  });
  const handBackUntil = step.ctx.now + step.ctx.policy.run.handBackMs;
  return setItem(asked, name, { progress: { ...progress, handBackUntil } });
}

function runningItems({ items }: StageState): readonly Item[] {
  return items.filter(({ progress }) => progress.kind === 'running');
}

/** Tells whether a budget that this item is under has ended. */
export function isSpent(run: Run, stage: StageState): boolean {
  return run.clock.told === 'spent' || stage.clock.told === 'spent';
}

/** Says what follows a turn that hands back: a budget of the run or the stage is spent for good, one of `drover.toml` only for now. */
export function afterHandBack(run: Run, name: string, isLate: boolean): AfterPin {
  const isForGood = isSpent(run, stageOf(run, stageName(name)));
  return isForGood ? { kind: 'over-budget' } : { kind: 'await-budget', isLate };
}

/** Starts and stops the clocks: they stand while everything waits for people or accounts. */
export function windClocks(step: RunStep): RunStep {
  const { run, ctx } = step;
  const inHand = run.status === 'stopping' || run.ending !== null ? null : stageInHand(run);
  const goes = (stage: StageState): boolean => stage === inHand && stage.items.some((item) => isCounted(run, item));
  const stages = run.stages.map((stage) => ({ ...stage, clock: wind(stage.clock, goes(stage), ctx.now) }));
  return change(step, { stages, clock: wind(run.clock, run.stages.some(goes), ctx.now) });
}

function wind(clock: RunClock, goes: boolean, now: number): RunClock {
  if (goes === (clock.runsSince !== null)) return clock;
  return { ...clock, usedMs: clockAt(clock, now), runsSince: goes ? now : null };
}

function isCounted(run: Run, { progress, worker }: Item): boolean {
  switch (progress.kind) {
    case 'running':
      if (progress.isAway || progress.asks !== undefined) return false;
      return worker?.account == null || !Object.hasOwn(run.limited, worker.account);
    case 'waiting':
      // An item that waits for its turn waits for other items, whose time counts, or for a person or an account.
      return run.paused === null && (progress.on === 'worker' || progress.on === 'check');
    case 'pinning':
      return progress.isAway !== true && run.isHomeAway !== true;
    case 'settled':
      return false;
    default:
      return run.isHomeAway !== true;
  }
}
