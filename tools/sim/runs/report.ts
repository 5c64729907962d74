// Reports a run: faults, recoveries, promises, and which edges of the decision trees it reached.
import { edges, neverHappened } from './coverage.ts';
import type { Edge } from './coverage.ts';
import { countsOf } from './sums.ts';
import type { Sums } from './sums.ts';

/** A run of at least so many schedules must reach every edge. */
export const COMPLETE_FROM = 10_000;

/** A run of at least so many schedules must have met everything that happens to a fleet. */
const MET_FROM = 300;

/** Prints everything. @returns the edges that are missing, though the run was long enough to reach them. */
export function report(
  sums: Sums,
  { seconds, isPlain }: { readonly seconds: number; readonly isPlain: boolean },
): readonly string[] {
  table('Faults injected', sums.faults);
  table('Recoveries, and what people were told', sums.recoveries);
  table('Promises checked', sums.checks);
  const all = edges(sums);
  console.log('\nEdges of the decision trees');
  for (const edge of all) console.log(line(edge));
  const missing = all.filter(({ times, excuse }) => times === 0 && excuse === null).map(({ name }) => name);
  const reached = all.filter(({ times }) => times > 0).length;
  const perSecond = (sums.schedules / Math.max(seconds, 0.001)).toFixed(0);
  const perCore = (sums.schedules / Math.max(sums.cpuSeconds, 0.001)).toFixed(0);
  const checks = Object.values(sums.checks).reduce((sum, times) => sum + times, 0);
  console.log(
    `\n${sums.schedules} schedules in ${seconds.toFixed(1)} s (${perSecond}/s; ${perCore} for each second of a core), ` +
      `${checks} checks, ${reached} of ${all.length} edges reached, ${sums.broken.length} schedules with a broken promise`,
  );
  const never = sums.schedules >= MET_FROM && !isPlain ? neverHappened(countsOf(sums.faults)) : [];
  return [...never, ...(sums.schedules >= COMPLETE_FROM ? missing : [])];
}

function line({ kind, name, times, excuse }: Edge): string {
  const words = times > 0 ? '' : excuse === null ? '   MISSING' : `   not reached: ${excuse}`;
  return `  ${String(times).padStart(9)}  ${kind.padEnd(6)} ${name}${words}`;
}

function table(title: string, counts: Readonly<Record<string, number>>): void {
  console.log(`\n${title}`);
  for (const [name, times] of Object.entries(counts).toSorted(([one], [other]) => (one < other ? -1 : 1)))
    console.log(`  ${String(times).padStart(9)}  ${name}`);
}
