// Prints what a benchmark of several parts measured, each figure beside its aim.
import { cpus, loadavg } from 'node:os';
import type { Choice } from './benchmark.ts';
import { median, ms, percentile, table } from './table.ts';

/** Line of the table. */
export interface Figure {
  readonly what: string;
  readonly measured: string;
  /** Value measured beside it in the same run; left out where there is none. */
  readonly beside?: string;
  /** Promised value, and whether it is kept; left out where the line only explains another. */
  readonly aim?: { readonly is: string; readonly isKept: boolean };
}

/** Parts of a benchmark by name, each with what it measures. */
export type Parts = Readonly<Record<string, () => Promise<readonly Figure[]>>>;

/**
 * Measures all parts, or with `--set only=PART` one of them, and prints their figures.
 *
 * @returns whether all aims are kept. A smoke run judges none: a few rounds on a busy machine say only that everything still runs.
 */
export async function measureParts(parts: Parts, { smoke, settings }: Choice): Promise<boolean> {
  const names = settings['only'] === undefined ? Object.keys(parts) : [settings['only']];
  const figures: Figure[] = [];
  for (const name of names) {
    const measure = parts[name];
    if (measure === undefined)
      throw new Error(`There is no part "${name}": there are ${Object.keys(parts).join(', ')}`);
    const begun = performance.now();
    figures.push(...(await measure()));
    console.error(`  ${name}: ${((performance.now() - begun) / 1_000).toFixed(0)} s, load ${load()}`);
  }
  const rows = figures.map(({ what, measured, beside = '', aim }) => {
    const kept = aim === undefined || smoke ? '' : aim.isKept ? 'yes' : 'no';
    return [what, measured, beside, aim?.is ?? '', kept];
  });
  console.log(table(['what', 'measured', 'beside it', 'aim', 'kept'], rows));
  console.log(`\n${cpus().length} processors (${cpus()[0]?.model ?? 'unknown'}), load ${load()} (1, 5, 15 minutes)`);
  return smoke || figures.every(({ aim }) => aim?.isKept !== false);
}

/** A plan with the numbers that `--set NAME=NUMBER` gives. */
export function planOf<Plan extends Readonly<Record<string, unknown>>>(plan: Plan, { settings }: Choice): Plan {
  const numbers = Object.keys(plan).filter((name) => typeof plan[name] === 'number' && settings[name] !== undefined);
  return { ...plan, ...Object.fromEntries(numbers.map((name) => [name, Number(settings[name])])) };
}

/** `p50 12.0 ms, p99 40.0 ms (200)` of values in milliseconds. */
export function spread(values: readonly number[]): string {
  if (values.length === 0) return 'nothing measured';
  return `p50 ${ms(median(values))}, p99 ${ms(percentile(values, 0.99))} (${values.length})`;
}

/** A share of one core as a percentage. */
export function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}

function load(): string {
  return loadavg()
    .map((one) => one.toFixed(1))
    .join(', ');
}
