// Measures what a fleet costs: machines that speak the real protocol, a coordinator on one processor, and its Postgres.
//
// npm run bench -- load [--smoke] [--set only=curve|outage] [--set machines=50,100,250,500] [--set seconds=60]
//   [--set progressMs=5000] [--set top=10]
import { cpus } from 'node:os';
import type { Benchmark } from '../src/benchmark.ts';
import { measureParts, percent, planOf, type Figure } from '../src/figures.ts';
import { openBenchPostgres } from '../src/postgres.ts';
import type { BenchPostgres } from '../src/postgres.ts';
import { measureCurve } from './curve.ts';
import { COUNTED } from './database.ts';
import { measureReturn } from './outage.ts';

/** All parts, or with `--set only=PART` one of them. */
export const benchmark: Benchmark = {
  about: 'load: what a fleet costs its coordinator and its database, by its size, on the real protocol',
  run: (choice) => {
    const sizes = (choice.settings['machines'] ?? (choice.smoke ? '5' : '50,100,250,500')).split(',').map(Number);
    const plan = { ...planOf({ seconds: choice.smoke ? 5 : 60, progressMs: 5_000, top: 0 }, choice), sizes };
    const curve = (): Promise<readonly Figure[]> => onPostgres((postgres) => measureCurve(postgres, plan));
    const outage = (): Promise<readonly Figure[]> =>
      onPostgres((postgres) => outageFigures(postgres, sizes.at(-1) ?? 0));
    return measureParts(choice.smoke ? { curve } : { curve, outage }, choice);
  },
};

async function onPostgres<T>(measure: (postgres: BenchPostgres) => Promise<T>): Promise<T> {
  await using postgres = await openBenchPostgres(COUNTED);
  return await measure(postgres);
}

async function outageFigures(postgres: BenchPostgres, size: number): Promise<readonly Figure[]> {
  const { machines, firstMs, allMs, dropped, databaseShare, trouble } = await measureReturn(postgres, size);
  for (const one of trouble) console.error(`  said: ${one}`);
  return [
    {
      what: `${machines} machines after an outage`,
      measured: `first back after ${seconds(firstMs)}, all after ${seconds(allMs)}, ${dropped} dropped`,
      aim: { is: 'all after 60 s, 0 dropped', isKept: allMs <= 60_000 && dropped === 0 },
    },
    {
      what: '  the database, most of a processor',
      measured: percent(databaseShare),
      aim: { is: `${80 * cpus().length} %`, isKept: databaseShare < 0.8 * cpus().length },
    },
  ];
}

function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`;
}
