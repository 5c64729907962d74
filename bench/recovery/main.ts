// Measures the numbers of recovery by one command: decisions, what they cost on Postgres, crashes, and what is due.
//
// npm run bench -- recovery [--smoke] [--set only=PART] [--set rounds=N] [--set observations=N] [--set timers=N]
//   [--set withinMs=N] [--set atOnce=N]
import { cpus, loadavg } from 'node:os';
import type { EmbeddedPostgres } from '@drover/embedded-postgres';
import type { Benchmark } from '../src/benchmark.ts';
import { COMMIT_TIMES, openBenchPostgres } from '../src/postgres.ts';
import { table } from '../src/table.ts';
import { crashLines, decisionLines, lateLine, savedLines, type Line } from './lines.ts';
import { measureCrashes } from './crash.ts';
import { measureDecisions } from './decisions.ts';
import { measureLateness } from './due.ts';
import { measureSaved } from './saved.ts';

interface Plan {
  readonly decisions: number;
  readonly rounds: number;
  /** Sizes of fleets. */
  readonly fleets: readonly number[];
  readonly observations: number;
  readonly warmUp: number;
  readonly crashing: { readonly workers: number; readonly times: number };
  readonly timers: number;
  readonly withinMs: number;
  /** Deadlines at one moment. */
  readonly atOnce: number;
  readonly replicas: readonly number[];
  /** Time for replicas to start before the first deadline, in milliseconds. */
  readonly startMs: number;
}

const FULL: Plan = {
  decisions: 100_000,
  rounds: 3,
  fleets: [100, 5_000],
  observations: 500,
  warmUp: 300,
  crashing: { workers: 10, times: 2 },
  timers: 5_000,
  withinMs: 60_000,
  atOnce: 1_000,
  replicas: [1, 2],
  startMs: 25_000,
};

/** Observations in one message: alone, and as many as one transaction takes. */
const TOGETHER = [1, 20];

/** A few of everything, to see that it still runs: its figures mean little, and no aim is judged. */
const SMOKE: Plan = {
  decisions: 2_000,
  rounds: 1,
  fleets: [20],
  observations: 20,
  warmUp: 5,
  crashing: { workers: 1, times: 1 },
  timers: 50,
  withinMs: 2_000,
  atOnce: 20,
  replicas: [1],
  startMs: 12_000,
};

const PARTS: Readonly<Record<string, (plan: Plan) => Promise<readonly Line[]>>> = {
  decisions: ({ decisions, rounds }) =>
    Promise.resolve(decisionLines(ofRounds(rounds, (seed) => measureDecisions({ count: decisions, seed })))),
  saved: ({ fleets, rounds, observations, warmUp }) =>
    onPostgres(async (postgres) => {
      const lines: Line[] = [];
      for (const workers of fleets) {
        for (const together of TOGETHER) {
          const measured = [];
          for (let seed = 1; seed <= rounds; seed += 1)
            measured.push(await measureSaved(postgres, { workers, observations, warmUp, seed, together }));
          lines.push(...savedLines(workers, together, measured));
        }
      }
      return lines;
    }),
  crash: async ({ crashing }) => crashLines(await measureCrashes(crashing)),
  due: ({ timers, withinMs, atOnce, replicas, startMs }) =>
    onPostgres(async (postgres) => {
      const lines: Line[] = [];
      const spread = { timers, withinMs };
      const burst = { timers: atOnce, withinMs: 0 };
      for (const what of [spread, burst])
        for (const count of replicas) {
          const given = { ...what, replicas: count, startMs };
          const line = lateLine(given, await measureLateness(postgres, given));
          console.error(`  ${line.what}: ${line.drover}`);
          lines.push(line);
        }
      return lines;
    }),
};

/** The whole table, or with `--set only=PART` a part of it. */
export const benchmark: Benchmark = {
  about: 'recovery: decisions, their cost on Postgres beside its bare SQL, crashes on tmux, lateness of what is due',
  async run({ smoke, settings }) {
    const plan = planOf(smoke ? SMOKE : FULL, settings);
    const parts = settings['only'] === undefined ? Object.keys(PARTS) : [settings['only']];
    const lines: Line[] = [];
    for (const part of parts) {
      const measure = PARTS[part];
      if (measure === undefined)
        throw new Error(`There is no part "${part}": there are ${Object.keys(PARTS).join(', ')}`);
      const startedAt = performance.now();
      lines.push(...(await measure(plan)));
      console.error(`  ${part}: ${((performance.now() - startedAt) / 1_000).toFixed(0)} s, load ${load()}`);
    }
    console.log(`${cpus().length} processors (${cpus()[0]?.model ?? 'unknown'}), load ${load()} (1, 5, 15 minutes)\n`);
    console.log(
      table(
        ['what', 'Drover', 'beside it', 'aim', 'met'],
        lines.map(({ what, drover, beside, aim, met }) => [what, drover, beside, aim, verdict(smoke ? null : met)]),
      ),
    );
    return smoke || lines.every(({ met }) => met !== false);
  },
};

/** Names that `--set NAME=NUMBER` may set. */
const NUMBERS = ['rounds', 'observations', 'warmUp', 'timers', 'withinMs', 'atOnce'] as const;

function planOf(base: Plan, settings: Readonly<Record<string, string>>): Plan {
  const given = NUMBERS.flatMap((name) => (settings[name] === undefined ? [] : [[name, Number(settings[name])]]));
  return { ...base, ...Object.fromEntries(given) };
}

function verdict(met: boolean | null): string {
  return met === null ? '' : met ? 'yes' : 'no';
}

function ofRounds<T>(rounds: number, measure: (seed: number) => T): readonly T[] {
  return Array.from({ length: rounds }, (_, index) => measure(index + 1));
}

/** A server of its own, with the durability of production, gone afterwards. */
async function onPostgres<T>(measure: (postgres: EmbeddedPostgres) => Promise<T>): Promise<T> {
  await using postgres = await openBenchPostgres(COMMIT_TIMES);
  return await measure(postgres.server);
}

function load(): string {
  return loadavg()
    .map((one) => one.toFixed(1))
    .join(', ');
}
