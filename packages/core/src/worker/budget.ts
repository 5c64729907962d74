/** The slice `budget`: tells whether a budget above this worker's own task is spent, and what people allowed beyond it. */
import { NOTHING_ALLOWED } from '../run/allowance.ts';
import type { Allowed, BudgetUse } from '../run/allowance.ts';
import type { Text } from './mailbox.ts';
import { keep } from './slice.ts';
import type { Slice } from './slice.ts';

/** Mark that the budgets have come to. */
export type BudgetMark =
  | { readonly kind: 'open' }
  /** The agent was told that little is left. */
  | { readonly kind: 'near' }
  /** The agent was interrupted, and has one turn to report what it has. `kept`: texts of people that go out after it. */
  | { readonly kind: 'handing-back'; readonly use: BudgetUse; readonly kept: readonly Text[] }
  /** Nothing is typed until a person answers, or the budget has room again. */
  | { readonly kind: 'spent'; readonly use: BudgetUse };

export interface Budgets extends Allowed {
  readonly mark: BudgetMark;
}

/** A new task has a budget of its own. The other budgets outlive tasks, sessions and worktrees. */
function ofNextTask(budget: Budgets): Budgets {
  const { task: _over, ...allowed } = budget.allowed;
  const { mark } = budget;
  const isSpent = mark.kind === 'spent' || mark.kind === 'handing-back';
  const goesOn = isSpent && mark.use.scope !== 'task';
  return { ...budget, allowed, mark: goesOn ? { kind: 'spent', use: mark.use } : { kind: 'open' } };
}

/** Slice of a worker that was told nothing. */
export const BUDGET = {
  initial: { mark: { kind: 'open' }, ...NOTHING_ALLOWED },
  on: {
    'task-begun': ofNextTask,
    'task-ended': ofNextTask,
    'session-opened': keep,
    'session-lost': keep,
    'worktree-lost': keep,
    'restore-begun': keep,
    'budget-renewed': keep,
    'person-resumed': keep,
    'given-up': keep,
  },
} satisfies Slice<Budgets>;

export function setMark(budget: Budgets, mark: BudgetMark): Budgets {
  return { ...budget, mark };
}
