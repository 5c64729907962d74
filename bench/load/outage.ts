// Measures an outage: all machines lose their coordinator, and it comes back. Reports how soon they are all back, and what the database
// does meanwhile.
import { setTimeout as delay } from 'node:timers/promises';
import type { BenchPostgres } from '../src/postgres.ts';
import { LoadRun } from './run.ts';

/** Measured return of the machines. Times in milliseconds from the start of the coordinator that comes back. */
export interface Return {
  readonly machines: number;
  readonly firstMs: number;
  readonly allMs: number;
  /** Connections that were made and lost again within the minute after it. */
  readonly dropped: number;
  /** The largest share of one processor that the database used in any second. */
  readonly databaseShare: number;
  readonly trouble: readonly string[];
}

/** Milliseconds for which the coordinator is away: the machines are at their longest pauses by then. */
const AWAY_MS = 45_000;
const BACK_WITHIN_MS = 180_000;

/** Measures one outage. */
export async function measureReturn(postgres: BenchPostgres, machines: number): Promise<Return> {
  const size = { machines, workersEach: 10, oneOf: 10 };
  const name = `outage_${machines}`;
  await using run = await LoadRun.start(postgres, { size, name, withinMs: machines * 20, progressMs: 5_000 });
  await run.connected(machines);
  run.setActive(true);
  await run.killCoordinator();
  await delay(AWAY_MS);
  await run.read();
  const begun = performance.now();
  await run.startCoordinator();
  let [firstMs, allMs, databaseShare] = [0, 0, 0];
  let last = { at: performance.now(), seconds: run.databaseSeconds() };
  while (allMs === 0) {
    await delay(1_000);
    const now = { at: performance.now(), seconds: run.databaseSeconds() };
    databaseShare = Math.max(databaseShare, (now.seconds - last.seconds) / ((now.at - last.at) / 1_000));
    last = now;
    const { connected } = await run.read();
    if (connected > 0 && firstMs === 0) firstMs = now.at - begun;
    if (connected >= machines) allMs = now.at - begun;
    if (now.at - begun > BACK_WITHIN_MS) throw new Error(`Only ${connected} of ${machines} are back`);
  }
  await delay(Math.max(0, 60_000 - allMs));
  const { connected, lost, trouble } = await run.read();
  return { machines, firstMs, allMs, dropped: lost + machines - connected, databaseShare, trouble };
}
