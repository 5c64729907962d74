// Turns `[budget]` into the form in which it is stored and decided upon.
import type { Budget, BudgetScope } from '@drover/core';
import { BUDGET_SCOPES } from '@drover/core';
import { money, time, tokens, type Reader } from './flow/values.ts';
import type { Config } from './schema/schema.ts';

/** Budgets by what they are for; one without any limit is left out. */
export function budgetsOf({ budget }: Pick<Config, 'budget'>): Readonly<Partial<Record<BudgetScope, Budget>>> {
  return Object.fromEntries(
    BUDGET_SCOPES.map((scope) => [scope, limitsOf(budget[scope])] as const).filter(([, limits]) =>
      Object.values(limits).some((limit) => limit !== null),
    ),
  );
}

function limitsOf(given: Config['budget'][BudgetScope] = {}): Budget {
  return {
    timeMs: readBy(time, given.time),
    tokens: readBy(tokens, given.tokens),
    money: readBy(money, given.money),
  };
}

/** The schema has checked the value. */
function readBy(reader: Reader<number>, value: string | number | undefined): number | null {
  if (value === undefined) return null;
  const read = reader(value);
  return read.kind === 'read' ? read.value : null;
}
