/**
 * Keeps the budgets of `drover.toml` in a run: of a worker, the project and its day. Near the end an agent is told, and at the end it hands back,
 * as at the end of the run's own budgets. Then its item waits, and a person is asked once, until the budget has room again.
 */
import { allowedFor, leaveFor, leftWords, mostSpent, spentWords } from '../allowance.ts';
import type { BudgetSpent, BudgetUse } from '../allowance.ts';
import type { RunAnswered, RunEvent } from '../event.ts';
import { allItems, itemOf, stageName } from '../find.ts';
import type { RunQuestion } from '../request.ts';
import { GO_ON_TEXT } from '../result-texts.ts';
import type { Item } from '../run.ts';
import { change, record, request, rule, setItem, wait } from '../step.ts';
import type { RunStep } from '../step.ts';
import { ask, forget } from './ask.ts';
import { FINISH, handBack } from './budgets.ts';
import { release } from './release.ts';

/** Hears what is spent for a worker. */
export function budgetTold(step: RunStep, { workerId, uses }: Extract<RunEvent, { kind: 'budget-told' }>): RunStep {
  const { now, policy } = step.ctx;
  const most = mostSpent(allowedFor(step.run, workerId), uses, now);
  const isSpent = most !== null && most.part >= 1;
  const heard = rule(step, isSpent ? 'budget:spent' : 'budget:told');
  if (most === null || most.part < policy.run.nearShare || step.run.ending !== null) return heard;
  const theirs = allItems(step.run).filter(({ worker }) => worker !== null && worker.workerId === workerId);
  return theirs.reduce((so, item) => (isSpent ? stop(so, item, most.use) : tellNear(so, item, most)), heard);
}

/** Interrupts an agent. One whose machine is away cannot hand back: a report of its machine tells again once it is back. */
function stop(step: RunStep, item: Item, use: BudgetUse): RunStep {
  if (item.progress.kind === 'running' && item.progress.isAway) return step;
  const stopped = handBack(step, item);
  return stopped === step ? step : record(stopped, { kind: 'notice', text: `${item.name}: ${spentWords(use)}` });
}

function tellNear(
  step: RunStep,
  { name, attempt, returns, worker, progress }: Item,
  { use, part }: NonNullable<ReturnType<typeof mostSpent>>,
): RunStep {
  if (worker === null || progress.kind !== 'running' || progress.isNear === true) return step;
  const item = { runId: step.run.terms.id, item: name, attempt, returns };
  const said = leftWords(use, part);
  const { workerId } = worker;
  const told = request(step, { kind: 'tell', workerId, item, text: `${said}: ${FINISH}`, from: null });
  const noted = record(told, { kind: 'notice', text: `${name}: ${said}.` });
  return setItem(noted, name, { progress: { ...progress, isNear: true } });
}

/** Has an item that handed back go on, if there is room by now; no try is spent. An agent that did not end its turn is stopped. */
export function awaitBudget(step: RunStep, name: string, isLate: boolean): RunStep {
  const { words, from, output, worker } = itemOf(step.run, name);
  const kept = setItem(step, name, {
    from: output.commit ?? from,
    words: words.endsWith(GO_ON_TEXT) ? words : `${words}\n\n${GO_ON_TEXT}`.trimStart(),
    ...(isLate && { worker: null }),
  });
  const freed = isLate && worker !== null ? release(kept, name, worker.workerId) : kept;
  return wait(freed, name, { on: 'turn', why: 'A budget was spent.' });
}

const WAITS_TEXT =
  'The run waits, and the commits of its agents are kept. Without an answer it goes on by itself once the budget has room: it looks when a day ends, and when [budget] of drover.toml changes.';

/** Hears that work was not begun, because a budget is spent. A person is asked, unless the refusal is older than the budgets. */
export function notBegun(step: RunStep, { name, progress }: Item, spent: BudgetSpent): RunStep {
  if (progress.kind === 'placing' && progress.isStale === true)
    return wait(step, name, { on: 'turn', why: 'The budgets have changed.' });
  const why = spentWords(spent.use);
  const waiting = wait(step, name, { on: 'budget', why, retryAt: spent.dayEndsAt });
  if (step.run.ending !== null) return waiting;
  const text = `${why}\n${WAITS_TEXT}`;
  return ask(waiting, { about: 'budget', item: stageName(name), text, spent }, ['raise', 'today', 'stop']);
}

/** Lets the run spend more of the budget that the question is about, as the person says. */
export function answerBudget(step: RunStep, question: RunQuestion, { option, by, spent }: RunAnswered): RunStep {
  const allowed = allow(step, spent ?? question.spent, option === 'raise' ? 'raise' : 'today');
  return goOn(forget(allowed, question), `${by} lets it spend more.`);
}

function allow(step: RunStep, spent: BudgetSpent | undefined, option: 'raise' | 'today'): RunStep {
  if (spent === undefined) return step;
  const { use, workerId, dayEndsAt } = spent;
  const { allowed, workers } = step.run.budgets ?? { allowed: {}, workers: {} };
  const leave = leaveFor(use, option, dayEndsAt);
  return change(step, {
    budgets:
      use.scope === 'worker'
        ? { allowed, workers: { ...workers, [workerId]: leave } }
        : { allowed: { ...allowed, [use.scope]: leave }, workers },
  });
}

/** Has work that waits for a budget begin; if there is still no room, it waits again. */
export function goOn(step: RunStep, why: string): RunStep {
  return allItems(step.run).reduce((so, { name, progress }) => {
    if (progress.kind === 'placing') return setItem(so, name, { progress: { ...progress, isStale: true } });
    return progress.kind === 'waiting' && progress.on === 'budget' ? wait(so, name, { on: 'turn', why }) : so;
  }, step);
}
