// Measures whether a second replica takes work off the first. Workers report as fast as they are acknowledged would allow, to one
// coordinator or to two, each of which has a fifth of a processor, so that the database and the machines have the rest also where there are
// only two.
import { cpus } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import type { BenchPostgres } from '../src/postgres.ts';
import { Ration } from './ration.ts';
import { LoadRun } from './run.ts';

/** Observations a second, and how many of them a second of each processor's time was good for. */
export interface Throughput {
  readonly replicas: number;
  /** Share of the processors that was busy while it was measured: near 1, something else than the coordinators set the limit. */
  readonly busy: number;
  readonly perSecond: number;
  readonly perCoordinatorSecond: number;
  readonly perDatabaseSecond: number;
}

/** Time between two reports of a worker, in milliseconds: far more than one coordinator takes. */
const FLOOD_MS = 50;
const MACHINES = 40;
/** Share of a processor for each coordinator. */
const SHARE = 0.2;

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
  await using stack = new AsyncDisposableStack();
  stack.use(new Ration(run.coordinatorPids, SHARE));
  run.setActive(true);
  await delay(3_000);
  const before = busySeconds();
  const { told, seconds: took, coordinatorCpu, databaseCpu } = await run.phase(() => delay(seconds * 1_000));
  return {
    replicas,
    busy: (busySeconds() - before) / took / cpus().length,
    perSecond: told.acknowledged / took,
    perCoordinatorSecond: told.acknowledged / coordinatorCpu,
    perDatabaseSecond: told.acknowledged / databaseCpu,
  };
}

/** Seconds that all processors of this machine have worked, for whomever. */
function busySeconds(): number {
  return cpus().reduce((sum, { times: { user, nice, sys, irq } }) => sum + user + nice + sys + irq, 0) / 1_000;
}
