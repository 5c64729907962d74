// Sums up many schedules. The sums are plain data, so that they cross processes and lie in a file.
import type { Counts, Tally } from './tally.ts';

const COUNTED = ['faults', 'recoveries', 'rules', 'statuses', 'records', 'checks'] as const;

/** The tallies of many schedules, added up: how often each thing was seen, by name. */
export interface Sums extends Readonly<Record<(typeof COUNTED)[number], Record<string, number>>> {
  schedules: number;
  /** Processor time that they took, in seconds. */
  cpuSeconds: number;
  /** Schedules that broke a promise. */
  readonly broken: { readonly seed: number; readonly what: string }[];
}

export function emptySums(): Sums {
  return {
    schedules: 0,
    cpuSeconds: 0,
    broken: [],
    faults: {},
    recoveries: {},
    rules: {},
    statuses: {},
    records: {},
    checks: {},
  };
}

/** Adds one schedule. */
export function addTally(sums: Sums, seed: number, tally: Tally): void {
  sums.schedules += 1;
  for (const name of COUNTED) addCounts(sums[name], tally[name]);
  if (tally.violation !== null) sums.broken.push({ seed, what: tally.violation });
}

/** Adds the sums of other schedules. */
export function addSums(sums: Sums, part: Sums): void {
  sums.schedules += part.schedules;
  sums.cpuSeconds += part.cpuSeconds;
  sums.broken.push(...part.broken);
  for (const name of COUNTED) addCounts(sums[name], Object.entries(part[name]));
}

function addCounts(sum: Record<string, number>, part: Iterable<readonly [string, number]>): void {
  for (const [name, by] of part) sum[name] = (sum[name] ?? 0) + by;
}

/** Counts as a map. */
export function countsOf(counts: Readonly<Record<string, number>>): Counts {
  return new Map(Object.entries(counts));
}
