/** Uses of the budgets of `drover.toml`, and what people allow beyond them: for a worker at tasks of its own, and for a run. */
import { duration } from '../taxonomy/wording.ts';
import type { Budget } from './flow.ts';
import { shareOf } from './usage.ts';
import type { Spent } from './usage.ts';

/** Scope of a budget: one task outside of runs, the worker, its project, or the day of its project. All but the day count 14 days. */
export const BUDGET_SCOPES = ['task', 'worker', 'project', 'day'] as const;

export type BudgetScope = (typeof BUDGET_SCOPES)[number];

/** Use of a budget. */
export interface BudgetUse {
  readonly scope: BudgetScope;
  /** Part of the budget that is spent; 1 is all. */
  readonly share: number;
  /** Words for people, such as "1200 of 1000 tokens". */
  readonly words: string;
}

/** A person's leave to spend more. */
export interface Allowance {
  /** Part of the budget up to which this worker, or this run, may spend; null: without a limit. */
  readonly share: number | null;
  /** Epoch milliseconds; null: for good. */
  readonly until: number | null;
}

/** Leave that people gave, and the day for which some of it counts. */
export interface Allowed {
  readonly allowed: Readonly<Partial<Record<BudgetScope, Allowance>>>;
  /** End of the day of the project, as last told; 0: not told. */
  readonly dayEndsAt: number;
}

export const NOTHING_ALLOWED: Allowed = { allowed: {}, dayEndsAt: 0 };

/** A budget that forbids a turn of a worker for a run. `dayEndsAt`: the end of the day of the project, at which it may have room again. */
export interface BudgetSpent {
  readonly use: BudgetUse;
  readonly workerId: string;
  readonly dayEndsAt: number;
}

/** Leave that people gave a run. */
export interface RunBudgets {
  readonly allowed: Allowed['allowed'];
  /** Leave beyond the own budgets of workers, by their ids. */
  readonly workers: Readonly<Record<string, Allowance>>;
}

/** Returns the leave of a run for the work of one worker. What people allowed the worker for tasks of its own does not count. */
export function allowedFor({ budgets }: { readonly budgets?: RunBudgets }, workerId: string): Pick<Allowed, 'allowed'> {
  const own = budgets?.workers[workerId];
  return { allowed: { ...budgets?.allowed, ...(own !== undefined && { worker: own }) } };
}

/** Notes the end of the day, and forgets leave that is over. */
export function noteDay<A extends Allowed>(budget: A, dayEndsAt: number, now: number): A {
  const lasting = Object.entries(budget.allowed).filter(([, { until }]) => until === null || until > now);
  return { ...budget, dayEndsAt, allowed: Object.fromEntries(lasting) };
}

/** Part of a budget by which an answer raises it. */
const RAISE = 0.5;

/** Returns the leave that a person's answer gives: more of a budget, or no limit for today. */
export function leaveFor(
  { scope, share }: BudgetUse,
  option: 'raise' | 'today',
  dayEndsAt: Allowed['dayEndsAt'],
): Allowance {
  if (option === 'today') return { share: null, until: dayEndsAt };
  return { share: Math.max(1, share) + RAISE, until: scope === 'day' ? dayEndsAt : null };
}

/** Returns the use that is nearest to the end of what may be spent, with its part of that; null: none has a limit. */
export function mostSpent(
  { allowed }: Pick<Allowed, 'allowed'>,
  uses: readonly BudgetUse[],
  now: number,
): { readonly use: BudgetUse; readonly part: number } | null {
  const parts = uses.flatMap((use) => {
    const given = allowed[use.scope];
    if (given === undefined || (given.until !== null && given.until <= now)) return [{ use, part: use.share }];
    return given.share === null ? [] : [{ use, part: use.share / given.share }];
  });
  return parts.reduce<(typeof parts)[number] | null>((most, one) => (one.part > (most?.part ?? -1) ? one : most), null);
}

/** Words for people and agents: how much is left of which budget. */
export function leftWords({ scope, words }: BudgetUse, part: number): string {
  return `${Math.max(0, Math.round((1 - part) * 100))} % of the budget of the ${scope} is left (${words})`;
}

/** Words for people: which budget, and what was spent of it. */
export function spentWords({ scope, words }: BudgetUse): string {
  return `The budget of the ${scope} is spent: ${words}.`;
}

/** Returns the use of a budget, in the words of the limit that is nearest. */
export function useOf(scope: BudgetScope, budget: Budget, spent: Spent): BudgetUse {
  const none = { timeMs: null, tokens: null, money: null };
  const [first, ...others] = (['money', 'tokens', 'timeMs'] as const).map((kind) => ({
    share: shareOf({ ...none, [kind]: budget[kind] }, spent),
    words: WORDS[kind](spent[kind] ?? 0, budget[kind] ?? 0),
  }));
  return {
    scope,
    ...others.reduce((most, one) => (one.share > most.share ? one : most), first ?? { share: 0, words: '' }),
  };
}

const WORDS = {
  money: (spent: number, limit: number): string => `$${spent.toFixed(2)} of $${limit.toFixed(2)}`,
  tokens: (spent: number, limit: number): string => `${spent} of ${limit} tokens`,
  timeMs: (spent: number, limit: number): string => `${duration(spent)} of ${duration(limit)} at work`,
} as const;
