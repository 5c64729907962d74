/** Decides after an attempt has failed: once more, or the loss table once the tries are spent. */
import { backoffDelay } from '../../policy/retry.ts';
import type { ErrorCode } from '../../taxonomy/codes.ts';
import { itemOf, planOf, stageName, stageOf } from '../find.ts';
import type { Stage } from '../flow.ts';
import type { Item } from '../run.ts';
import { record, rule, setItem, setStage, settleItem, wait } from '../step.ts';
import type { RunStep } from '../step.ts';
import { ask } from './ask.ts';
import { release } from './release.ts';
import { bestRound } from './review.ts';

export interface Failure {
  readonly code: ErrorCode;
  readonly problem: string;
  /** True if the attempt spends no try: nobody could have done better. */
  readonly isFree: boolean;
  /** Words for the worker that keeps the item, such as the output of a check; null: another worker tries. */
  readonly words: string | null;
  /** Ids of other workers with which it would fail as well. */
  readonly notThere?: readonly string[];
  /** True if it failed like this before: a person is asked before another attempt. */
  readonly isAgain?: boolean;
}

/** Codes of failures that are no fault of the agent, nor of the task. */
const FREE: readonly string[] = ['MACHINE_LOST', 'RATE_LIMITED', 'USAGE_LIMIT', 'SERVER_OVERLOADED'];

export function isFreeCode(code: string): boolean {
  return FREE.includes(code);
}

/** Counts a failed attempt, and lets the item wait for its next one, unless its tries are spent. */
export function failAttempt(step: RunStep, name: string, failure: Failure): RunStep {
  const item = itemOf(step.run, name);
  const { code, problem, isFree, words, notThere = [], isAgain = false } = failure;
  // Nobody's fault spends a try: a person is asked before it is tried for ever.
  const isTooOften = isFree && item.freeTries >= step.ctx.policy.run.freeTriesMax;
  // Nobody's work is at fault, and yet the next attempt may end the same way.
  const isTold = !isFree || code === 'ROUTING_FAILED';
  const failed = setItem(rule(step, `failed:${code}`), name, {
    triesSpent: item.triesSpent + (isFree ? 0 : 1),
    freeTries: item.freeTries + (isFree ? 1 : 0),
    failures: isTold ? [...item.failures, { code, problem }] : item.failures,
    failedOn:
      words !== null || item.worker === null
        ? item.failedOn
        : [...new Set([...item.failedOn, item.worker.workerId, ...notThere])],
    from: item.output.commit ?? item.from,
    result: null,
    words: words ?? item.words,
  });
  const told = record(words === null ? freeWorker(failed, item) : failed, { kind: 'error', code, item: name, problem });
  const plan = planOf(step.run, stageName(name));
  const after = itemOf(told.run, name);
  if (step.run.ending !== null) return settleItem(told, name, { as: 'failed', why: problem });
  if ('tries' in plan && after.triesSpent >= plan.tries) return lose(told, name, { code: 'STAGE_FAILED', problem });
  if (isAgain || isTooOften) return askAboutLoss(told, name, problem);
  return holdAlike(wait(told, name, { on: 'turn', why: problem }), name);
}

/** Frees the worker of an item, also one that is not up: it would come back with the item. */
export function freeWorker(step: RunStep, { name, worker }: Item): RunStep {
  return worker === null ? step : release(setItem(step, name, { worker: null }), name, worker.workerId);
}

const AFRESH = { placeTries: 0, routingTries: 0 };

/** Tries again what no worker can do, then with any profile, then gives it to the loss table. */
export function unroutable(step: RunStep, item: Item, text: string): RunStep {
  const { now, random, policy } = step.ctx;
  const { triesMax, ...pauses } = policy.run.routing;
  const { name } = item;
  const routingTries = item.routingTries + 1;
  if (routingTries < triesMax) {
    const retryAt = now + backoffDelay(pauses, routingTries, random);
    return wait(setItem(step, name, { routingTries }), name, { on: 'worker', why: text, retryAt });
  }
  const plan = planOf(step.run, stageName(name));
  if ('profile' in plan && plan.profile !== null && !item.isProfileOpen) {
    const open = setItem(rule(step, 'routing:any-profile'), name, { ...AFRESH, isProfileOpen: true });
    return wait(open, name, { on: 'turn', why: `${text} Any profile will do now.` });
  }
  return lose(setItem(step, name, AFRESH), name, { code: 'ROUTING_FAILED', problem: text });
}

/** Applies the loss table to an item that nobody can do any more. */
export function lose(step: RunStep, name: string, { code, problem }: Pick<Failure, 'code' | 'problem'>): RunStep {
  const told = record(rule(step, `lost:${code}`), { kind: 'error', code, item: name, problem });
  const plan = planOf(step.run, stageName(name));
  const { continueWithoutReviewer, continueWithoutResearcher } = step.ctx.policy.degradation;
  switch (lossOf(plan)) {
    case 'reviewer':
      return continueWithoutReviewer
        ? settleItem(told, name, { as: 'skipped', why: `Nobody could review the work: ${problem}` })
        : askAboutLoss(told, name, problem);
    case 'reader':
      return continueWithoutResearcher
        ? settleItem(told, name, { as: 'skipped', why: `The stage of a lost role is left out: ${problem}` })
        : askAboutLoss(told, name, problem);
    case 'author':
      if (code === 'ROUTING_FAILED') return askAboutLoss(told, name, problem);
      return bestRound(told, name) ?? settleItem(told, name, { as: 'failed', why: problem });
  }
}

function lossOf(plan: Stage): 'reviewer' | 'reader' | 'author' {
  if (plan.kind === 'review') return 'reviewer';
  const isReader = (plan.kind === 'task' || plan.kind === 'each') && plan.returns === 'report';
  return isReader || ('role' in plan && plan.role === 'researcher') ? 'reader' : 'author';
}

/** Lets an item wait for the word of a person. */
export function askAboutLoss(step: RunStep, name: string, problem: string): RunStep {
  const waiting = wait(step, name, { on: 'person', why: problem });
  const text = `${name} could not be done: ${problem}`;
  return ask(waiting, { about: 'lost', item: name, text }, ['again', 'without', 'stop']);
}

/** Holds the rest of a stage once its first items have failed alike. */
function holdAlike(step: RunStep, name: string): RunStep {
  const stage = stageOf(step.run, stageName(name));
  const last = itemOf(step.run, name).failures.at(-1);
  const isFirst = stage.items.every(({ progress }) => progress.kind !== 'settled' || progress.as !== 'passed');
  if (last === undefined || stage.heldFor !== null || !isFirst) return step;
  const alike = stage.items.filter(({ failures }) => failures.some((one) => signature(one) === signature(last)));
  if (alike.length < step.ctx.policy.run.alikeMax || alike.length === stage.items.length) return step;
  const held = setStage(rule(step, 'hold'), stage.name, { heldFor: { code: last.code, isAllowed: false } });
  const text = `The first ${alike.length} items of ${stage.name} failed alike (${last.code}): ${last.problem} The others are held.`;
  return ask(held, { about: 'hold', item: stage.name, text }, ['go-on', 'stop']);
}

/** Returns what makes two failures alike: numbers and commits differ from one to the next. */
function signature({ code, problem }: Item['failures'][number]): string {
  return `${code} ${problem.replaceAll(/[0-9a-f]{7,64}|\d+/g, '#').slice(0, 200)}`;
}
