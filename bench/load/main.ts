// Measures what a fleet costs: machines that speak the real protocol, a coordinator on one processor, and its Postgres.
//
// npm run bench -- load [--smoke] [--set only=curve|hello|history|outage|replicas] [--set machines=50,100,250,500] [--set seconds=60]
//   [--set progressMs=5000] [--set top=10] [--set rows=200000]
import { cpus, loadavg } from 'node:os';
import type { Benchmark } from '../src/benchmark.ts';
import { openBenchPostgres } from '../src/postgres.ts';
import type { BenchPostgres } from '../src/postgres.ts';
import { measureCurve } from './curve.ts';
import { COUNTED } from './database.ts';
import { measureHello } from './hello.ts';
import { measureHistory } from './history.ts';
import { measureReturn } from './outage.ts';
import { measureReplicas } from './replica.ts';

function seconds(ms: number): string {
  return (ms / 1_000).toFixed(1);
}

interface Plan {
  readonly sizes: readonly number[];
  readonly seconds: number;
  readonly progressMs: number;
  readonly top: number;
  /** Rows of history. */
  readonly rows: number;
}

/** Prints what it found. @returns whether its aim is kept. */
const PARTS: Readonly<Record<string, (postgres: BenchPostgres, plan: Plan) => Promise<boolean>>> = {
  curve: async (postgres, plan) => {
    const { isKept, text } = await measureCurve(postgres, plan);
    console.log(text);
    return isKept;
  },
  hello: async (postgres, plan) => {
    console.log(await measureHello(postgres, plan));
    return true;
  },
  history: async (postgres, { rows }) => {
    const { bytesEach, transactions, longestMs, cpuEach } = await measureHistory(postgres, rows);
    console.log(
      `${rows} old decisions and observations of ${2 * rows}: ${(bytesEach / 1_024).toFixed(1)} KiB for each two, removed in ${transactions} transactions, ` +
        `the longest ${longestMs.toFixed(0)} ms, with ${cpuEach.toFixed(0)} µs of the database's processor for each two`,
    );
    return true;
  },
  outage: async (postgres, { sizes }) => {
    const found = await measureReturn(postgres, sizes.at(-1) ?? 0);
    const { machines, firstMs, allMs, dropped, databaseShare, trouble } = found;
    console.log(
      `${machines} machines after an outage: the first is back after ${seconds(firstMs)} s, all after ${seconds(allMs)} s, ` +
        `${dropped} dropped; the database used ${(databaseShare * 100).toFixed(0)} % of a processor at most`,
    );
    for (const one of trouble) console.log(`  said: ${one}`);
    return allMs <= 60_000 && dropped === 0 && databaseShare < 0.8 * cpus().length;
  },
  replicas: async (postgres, { seconds: each }) => {
    const [one, two] = [await measureReplicas(postgres, 1, each), await measureReplicas(postgres, 2, each)];
    for (const { replicas, busy, perSecond, perCoordinatorSecond, perDatabaseSecond } of [one, two])
      console.log(
        `${replicas} replicas, a fifth of a processor each: ${perSecond.toFixed(0)} observations/s, the machine ${(busy * 100).toFixed(0)} % busy; ${perCoordinatorSecond.toFixed(0)} for each second of a coordinator's processor, ${perDatabaseSecond.toFixed(0)} of the database's`,
      );
    console.log(`throughput with a second replica: ${(two.perSecond / one.perSecond).toFixed(2)} times`);
    return two.perSecond / one.perSecond >= 1.7;
  },
};

/** All parts, or with `--set only=PART` one of them. */
export const benchmark: Benchmark = {
  about: 'load: what a fleet costs its coordinator and its database, by its size, on the real protocol',
  async run({ smoke, settings }) {
    const plan = {
      sizes: (settings['machines'] ?? (smoke ? '5' : '50,100,250,500')).split(',').map(Number),
      seconds: Number(settings['seconds'] ?? (smoke ? 5 : 60)),
      progressMs: Number(settings['progressMs'] ?? 5_000),
      top: Number(settings['top'] ?? 0),
      rows: Number(settings['rows'] ?? 200_000),
    };
    const names = settings['only'] === undefined ? (smoke ? ['curve'] : Object.keys(PARTS)) : [settings['only']];
    let isKept = true;
    for (const name of names) {
      const measure = PARTS[name];
      if (measure === undefined)
        throw new Error(`There is no part "${name}": there are ${Object.keys(PARTS).join(', ')}`);
      await using postgres = await openBenchPostgres(COUNTED);
      if (!(await measure(postgres, plan))) isKept = false;
    }
    const load = loadavg().map((one) => one.toFixed(1));
    console.log(`\n${cpus().length} processors (${cpus()[0]?.model ?? 'unknown'}), load ${load.join(', ')}`);
    return smoke || isKept;
  },
};
