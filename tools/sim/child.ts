// Runs as one process of `npm run sim`: gets ranges of seeds, and answers each with the results of their schedules. With the argument
// `--sql` it runs them on a Postgres of its own, with `--plain` on a plain fleet, with `--runs` with runs in each.
import { runSchedule } from './schedule.ts';
import { addTally, emptySums } from './runs/sums.ts';
import type { Sums } from './runs/sums.ts';
import { SqlWorlds } from './coordinator/world.ts';
import type { OpenWorld } from './coordinator/world.ts';

/** Range of seeds to run, one after the other. */
export interface Range {
  readonly first: number;
  readonly count: number;
}

/** Ranges that follow one another: small enough that a run which is stopped loses seconds. */
export function* rangesOf(first: number, seeds: number, size: number): Generator<Range> {
  for (let at = first; at < first + seeds; at += size) yield { first: at, count: Math.min(size, first + seeds - at) };
}

/** Answer of a child to a `Range`. */
export interface RangeDone {
  readonly range: Range;
  readonly sums: Sums;
}

/** Options that a range's schedules run with: in memory by default. */
export interface Manner {
  readonly open?: OpenWorld | undefined;
  readonly isPlain: boolean;
  /** Tells whether runs are started; without it the seed decides. */
  readonly runs?: true | undefined;
}

/** Runs the schedules of a range. */
export async function runRange({ first, count }: Range, { open, isPlain, runs }: Manner): Promise<Sums> {
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
  const worlds = process.argv.includes('--sql') ? new SqlWorlds() : null;
  const isPlain = process.argv.includes('--plain');
  const runs = process.argv.includes('--runs') || undefined;
  // The parent has ended, or needs no more.
  process.on('disconnect', () => void end(worlds));
  process.on('message', (range: Range) => {
    void runRange(range, { open: worlds?.open, isPlain, runs }).then((sums) =>
      process.send?.({ range, sums } satisfies RangeDone),
    );
  });
}

async function end(worlds: SqlWorlds | null): Promise<void> {
  // A schedule that still runs loses its database; that error is of no use.
  process.on('uncaughtException', () => {});
  await worlds?.[Symbol.asyncDispose]();
  process.exit();
}
