/**
 * Keeps the budgets of `drover.toml` in a run: of a worker, the project and its day. Near the end an agent is told, and at the end it hands back,
 * as at the end of the run's own budgets. Then its item waits, and a person is asked once, until the budget has room again.
 */
import { allowMore, leftWords, mostSpent, noteDay, NOTHING_ALLOWED, spentWords } from '../allowance.ts';
import type { BudgetUse } from '../allowance.ts';
import type { BudgetSpent, RunAnswered, RunEvent } from '../event.ts';
import { allItems, itemOf, stageName } from '../find.ts';
import type { RunQuestion } from '../request.ts';
import type { Item, Run, RunBudgets } from '../run.ts';
import { change, record, request, rule, setItem, wait } from '../step.ts';
import type { RunStep } from '../step.ts';
import { ask, forget } from './ask.ts';
import { FINISH, handBack } from './budgets.ts';
import { release } from './release.ts';

function budgetsOf(run: Run): RunBudgets {
  return run.budgets ?? { ...NOTHING_ALLOWED, spent: null };
}

/** Hears what is spent for a worker. What was spent by others counts for the answer of a person, too. */
export function budgetTold(
  step: RunStep,
  { workerId, uses, dayEndsAt }: Extract<RunEvent, { kind: 'budget-told' }>,
): RunStep {
  const { now, policy } = step.ctx;
  const budgets = noteDay(budgetsOf(step.run), dayEndsAt, now);
  const most = mostSpent(budgets, uses, now);
  const isSpent = most !== null && most.part >= 1;
  const heard = change(rule(step, isSpent ? 'budget:spent' : 'budget:told'), {
    budgets: isSpent ? { ...budgets, spent: most.use } : budgets,
  });
  if (most === null || most.part < policy.run.nearShare || step.run.ending !== null) return heard;
  const theirs = allItems(step.run).filter(({ worker }) => worker !== null && worker.workerId === workerId);
  return theirs.reduce((so, item) => (isSpent ? stop(so, item, most.use) : tellNear(so, item, most)), heard);
}

function stop(step: RunStep, item: Item, use: BudgetUse): RunStep {
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

const GO_ON_TEXT =
  'A budget was spent, so you were interrupted. It has room again: look at the state of your work, and go on with your task where you stopped.';

/** Lets an item that handed back wait until the budget has room; no try is spent. An agent that did not end its turn is stopped. */
export function awaitBudget(step: RunStep, name: string, isLate: boolean): RunStep {
  const { words, from, output, worker } = itemOf(step.run, name);
  const kept = setItem(step, name, {
    from: output.commit ?? from,
    words: words.endsWith(GO_ON_TEXT) ? words : `${words}\n\n${GO_ON_TEXT}`.trimStart(),
    ...(isLate && { worker: null }),
  });
  const freed = isLate && worker !== null ? release(kept, name, worker.workerId) : kept;
  return waitAndAsk(freed, name, budgetsOf(step.run).dayEndsAt);
}

/** Hears that work was not begun, because a budget is spent. */
export function notBegun(
  step: RunStep,
  name: string,
  { use, dayEndsAt, retryAt }: BudgetSpent & { readonly retryAt: number },
): RunStep {
  const budgets = { ...noteDay(budgetsOf(step.run), dayEndsAt, step.ctx.now), spent: use };
  return waitAndAsk(change(step, { budgets }), name, retryAt);
}

const WAITS_TEXT =
  'The run waits, and what its agents have made is kept. Without an answer it goes on by itself once the budget has room: it looks when a day ends, and when [budget] of drover.toml changes.';

function waitAndAsk(step: RunStep, name: string, retryAt: number): RunStep {
  const { spent } = budgetsOf(step.run);
  const why = spent === null ? 'A budget was spent.' : spentWords(spent);
  const waiting = wait(step, name, { on: 'budget', why, retryAt });
  if (step.run.ending !== null) return waiting;
  const text = `${why}\n${WAITS_TEXT}`;
  return ask(waiting, { about: 'budget', item: stageName(name), text }, ['raise', 'today', 'stop']);
}

/** Lets the run spend more, as the person says. */
export function answerBudget(step: RunStep, question: RunQuestion, { option, by }: RunAnswered): RunStep {
  const budgets = budgetsOf(step.run);
  const isRaise = option === 'raise' ? 'raise' : 'today';
  const { spent } = budgets;
  const allowed = spent === null ? step : change(step, { budgets: allowMore(budgets, spent, isRaise) });
  return goOn(forget(allowed, question), `${by} lets it spend more.`);
}

/** Has work that waits for a budget begin; if there is still no room, it waits again. */
export function goOn(step: RunStep, why: string): RunStep {
  return allItems(step.run).reduce((so, { name, progress }) => {
    return progress.kind === 'waiting' && progress.on === 'budget' ? wait(so, name, { on: 'turn', why }) : so;
  }, step);
}
