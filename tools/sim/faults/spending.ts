// Sets what agents may spend in a schedule with runs, and when the accounts run dry that pay for them.
import type { Project } from '@drover/store';

export type Budgets = NonNullable<Project['config']['budget']>;

const NO_LIMIT = { timeMs: null, money: null } as const;

/** Budgets of `drover.toml`, of which schedules have one after the other. An agent uses some thousand tokens in a turn. */
const BUDGETS: readonly Budgets[] = [
  {},
  { project: { ...NO_LIMIT, tokens: 80_000 } },
  { day: { ...NO_LIMIT, tokens: 60_000 }, task: { ...NO_LIMIT, tokens: 12_000 } },
  { worker: { ...NO_LIMIT, tokens: 25_000 } },
];

export function budgetsIn(seed: number): Budgets {
  return BUDGETS[seed % BUDGETS.length] ?? {};
}

/** Schedules per schedule in which accounts run dry. */
const DRY_IN_EVERY = 2;
/** Items of runs on one machine at which its account runs dry at the latest. */
const DRY_AT_MAX = 6;

/** Returns the number of items of runs that begin on a machine until its account runs dry, and until it does so again. */
export function dryEveryIn(seed: number): number {
  return seed % DRY_IN_EVERY === 0 ? Infinity : 1 + (Math.floor(seed / DRY_IN_EVERY) % DRY_AT_MAX);
}
