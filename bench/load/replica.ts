// Does a second replica take work off the first? Workers report as fast as they are acknowledged would allow, to one coordinator or to two.
import { setTimeout as delay } from 'node:timers/promises';
import type { BenchPostgres } from '../src/postgres.ts';
import { LoadRun } from './run.ts';

/** Observations a second, and how many of them a second of each processor's time was good for. */
export interface Throughput {
  readonly replicas: number;
  readonly perSecond: number;
  readonly perCoordinatorSecond: number;
  readonly perDatabaseSecond: number;
}

/** Time between two reports of a worker, in milliseconds: far more than one coordinator takes. */
const FLOOD_MS = 50;
const MACHINES = 40;

/** Measures one number of replicas. */
export async function measureReplicas(postgres: BenchPostgres, replicas: number, seconds: number): Promise<Throughput> {
  const size = { machines: MACHINES, workersEach: 2, oneOf: 2 };
  await using run = await LoadRun.start(postgres, {
    size,
    name: `replicas_${replicas}`,
    withinMs: 2_000,
    progressMs: FLOOD_MS,
    replicas,
  });
  await run.connected(MACHINES);
  run.setActive(true);
  await delay(3_000);
  const { told, seconds: took, coordinatorCpu, databaseCpu } = await run.phase(() => delay(seconds * 1_000));
  return {
    replicas,
    perSecond: told.acknowledged / took,
    perCoordinatorSecond: told.acknowledged / coordinatorCpu,
    perDatabaseSecond: told.acknowledged / databaseCpu,
  };
}
