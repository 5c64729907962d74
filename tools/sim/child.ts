// Runs as one process of `npm run sim`: gets ranges of seeds, and answers each with the results of their schedules.
import { runSchedule } from './schedule.ts';
import { addTally, emptySums } from './runs/sums.ts';
import type { Sums } from './runs/sums.ts';
import { SqlWorlds } from './coordinator/world.ts';
import type { OpenWorld } from './coordinator/world.ts';

/** Options that schedules run with. */
export interface Manner {
  /** Tells whether the fleet is a plain one. */
  readonly isPlain: boolean;
  /** Tells whether runs are started; without it the seed decides. */
  readonly runs?: true | undefined;
  /** Tells whether the state is in a Postgres of the process's own. */
  readonly sql: boolean;
}

/** Range of seeds to run, one after the other. */
export interface Range extends Manner {
  readonly first: number;
  readonly count: number;
}

/** Runs the schedules of a range, in memory unless `open` gives them another world. */
export async function runRange({ first, count, isPlain, runs }: Range, open?: OpenWorld): Promise<Sums> {
  const sums = emptySums();
  const before = process.cpuUsage();
  for (let seed = first; seed < first + count; seed += 1)
    addTally(
      sums,
      seed,
      await runSchedule(seed, { keepLines: false, isPlain, runs, ...(open !== undefined && { open }) }),
    );
  const { user, system } = process.cpuUsage(before);
  sums.cpuSeconds = (user + system) / 1_000_000;
  return sums;
}

if (process.send !== undefined && import.meta.main) {
  // Thousands of errors are thrown on purpose, and their stacks are not read.
  Error.stackTraceLimit = 0;
  let worlds: SqlWorlds | undefined;
  process.on('message', (range: Range) => {
    if (range.sql) worlds ??= new SqlWorlds();
    void runRange(range, worlds?.open).then((sums) => process.send?.(sums));
  });
  // The parent has ended, or needs no more. A schedule that still runs loses its database; that error is of no use.
  process.on('disconnect', () => {
    process.on('uncaughtException', () => {});
    void Promise.resolve(worlds?.[Symbol.asyncDispose]()).then(() => process.exit());
  });
}
