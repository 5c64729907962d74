// Measures decisions, what they cost on Postgres, and how late due work is done.
//
// npm run bench -- recovery [--smoke] [--set only=PART] [--set rounds=N] [--set observations=N] [--set timers=N]
//   [--set withinMs=N] [--set atOnce=N]
import type { EmbeddedPostgres } from '@drover/embedded-postgres';
import type { Benchmark } from '../src/benchmark.ts';
import { measureParts, planOf, type Figure } from '../src/figures.ts';
import { COMMIT_TIMES, openBenchPostgres } from '../src/postgres.ts';
import { decisionFigures, lateFigure, savedFigures } from './figures.ts';
import { measureDecisions } from './decisions.ts';
import { measureLateness } from './due.ts';
import { measureSaved } from './saved.ts';

const FULL = {
  decisions: 100_000,
  rounds: 3,
  /** Sizes of fleets. */
  fleets: [100, 5_000],
  observations: 500,
  warmUp: 300,
  timers: 5_000,
  withinMs: 60_000,
  /** Deadlines at one moment. */
  atOnce: 1_000,
  replicas: [1, 2],
  startMs: 25_000,
};
/** A few of everything, to see that it still runs: its figures mean little. */
const SMOKE: typeof FULL = {
  decisions: 2_000,
  rounds: 1,
  fleets: [20],
  observations: 20,
  warmUp: 5,
  timers: 50,
  withinMs: 2_000,
  atOnce: 20,
  replicas: [1],
  startMs: 3_000,
};

/** Observations in one message: alone, and as many as one transaction takes. */
const TOGETHER = [1, 20];

/** The whole table, or with `--set only=PART` a part of it. */
export const benchmark: Benchmark = {
  about: 'recovery: decisions, their cost on Postgres beside its bare SQL, lateness of what is due',
  run: (choice) => {
    const plan = planOf(choice.smoke ? SMOKE : FULL, choice);
    const seeds = Array.from({ length: plan.rounds }, (_, index) => index + 1);
    return measureParts(
      {
        decisions: () =>
          Promise.resolve(decisionFigures(seeds.map((seed) => measureDecisions({ count: plan.decisions, seed })))),
        saved: () =>
          onPostgres(async (postgres) => {
            const { fleets, observations, warmUp } = plan;
            const figures: Figure[] = [];
            for (const workers of fleets)
              for (const together of TOGETHER) {
                const rounds = [];
                for (const seed of seeds)
                  rounds.push(await measureSaved(postgres, { workers, observations, warmUp, seed, together }));
                figures.push(...savedFigures(workers, together, rounds));
              }
            return figures;
          }),
        due: () =>
          onPostgres(async (postgres) => {
            const figures: Figure[] = [];
            const spread = { timers: plan.timers, withinMs: plan.withinMs };
            for (const burst of [spread, { timers: plan.atOnce, withinMs: 0 }])
              for (const replicas of plan.replicas) {
                const given = { ...burst, replicas, startMs: plan.startMs };
                figures.push(lateFigure(given, await measureLateness(postgres, given)));
              }
            return figures;
          }),
      },
      choice,
    );
  },
};

/** A server of its own, with the durability of production, gone afterwards. */
async function onPostgres<T>(measure: (postgres: EmbeddedPostgres) => Promise<T>): Promise<T> {
  await using postgres = await openBenchPostgres(COMMIT_TIMES);
  return await measure(postgres.server);
}
