// One process of `npm run sim`: it is told ranges of seeds, and answers each with what their schedules came to.
import { runSchedule } from './schedule.ts';
import { addTally, emptySums } from './sums.ts';
import type { Sums } from './sums.ts';

/** Some seeds to run, one after the other. */
export interface Range {
  readonly first: number;
  readonly count: number;
}

/** What a child answers to a `Range`. */
export interface RangeDone {
  readonly range: Range;
  readonly sums: Sums;
}

/** Runs the schedules of a range. */
export async function runRange({ first, count }: Range): Promise<Sums> {
  const sums = emptySums();
  const before = process.cpuUsage();
  for (let seed = first; seed < first + count; seed += 1)
    addTally(sums, seed, await runSchedule(seed, { keepLines: false }));
  const { user, system } = process.cpuUsage(before);
  sums.cpuSeconds = (user + system) / 1_000_000;
  return sums;
}

if (process.send !== undefined && import.meta.main) {
  // Thousands of failures are thrown on purpose, and nobody reads where.
  Error.stackTraceLimit = 0;
  // Whoever asked is gone: nobody reads the rest.
  process.on('disconnect', () => process.exit());
  process.on('message', (range: Range) => {
    void runRange(range).then((sums) => process.send?.({ range, sums } satisfies RangeDone));
  });
}
