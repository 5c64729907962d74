// Measures how late due work is done when many deadlines fall into one minute.
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { EmbeddedPostgres } from '@drover/embedded-postgres';
import { until } from '../src/wait.ts';
import { databaseUrl, withClient } from '../src/client.ts';
import { makeFleet } from './fleet.ts';

/** The longest wait for the last deadline, in milliseconds after it was due. */
const LATE_MAX_MS = 120_000;

/** The longest time that replicas may need to start, in milliseconds. */
const START_MAX_MS = 100_000;

/** Deadlines that fall due. */
export interface Burst {
  readonly timers: number;
  /** Spread evenly over so long, in milliseconds; 0: all at one moment, as after an account's limit. */
  readonly withinMs: number;
  readonly replicas: number;
  /** Time for replicas to start and settle before the first deadline, in milliseconds. */
  readonly startMs: number;
}

/**
 * Each worker has one deadline, `check`; each is decided on, and asks for an observation.
 *
 * @returns milliseconds from when each was due until what followed was committed.
 */
export async function measureLateness(postgres: EmbeddedPostgres, burst: Burst): Promise<readonly number[]> {
  const { timers, withinMs, replicas, startMs } = burst;
  const name = `due_${timers}_${withinMs}_${replicas}_${startMs}`;
  const now = Date.now();
  const step = withinMs / timers;
  const from = now + startMs + timers; // and a millisecond for putting each of them in
  const deadlinesOf = (index: number): { check: number } => ({ check: Math.round(from + index * step) });
  const { workers } = await makeFleet(postgres.superuserConnectionString, name, { count: timers, now, deadlinesOf });
  const dueOf = new Map(workers.map(({ id, worker }) => [id, worker.deadlines.check ?? 0]));
  const url = databaseUrl(postgres.superuserConnectionString, name);
  await using stack = new AsyncDisposableStack();
  for (let index = 0; index < replicas; index += 1) stack.use(await startReplica(url));
  if (Date.now() > from) {
    if (startMs > START_MAX_MS) throw new Error('The replicas were not up before the first deadline');
    // Replicas start late on a busy machine: measure again with more time.
    await stack.disposeAsync();
    return await measureLateness(postgres, { ...burst, startMs: startMs * 2 });
  }
  return await withClient(url, async (client) => {
    const done =
      "select count(*)::int as count from events where kind = 'deadline-expired' and event->>'name' = 'check'";
    const waitMs = from + withinMs - Date.now() + LATE_MAX_MS;
    await until(`${timers} deadlines`, waitMs, async () => {
      const { rows } = await client.query<{ count: number }>(done);
      if ((rows[0]?.count ?? 0) >= timers) return true;
      await client.query('select pg_sleep(1)');
      return undefined;
    });
    const { rows } = await client.query<{ worker: string; at: string }>(`
      select distinct on (worker_id) worker_id as worker, extract(epoch from pg_xact_commit_timestamp(xmin)) * 1000 as at
      from events where kind = 'deadline-expired' and event->>'name' = 'check' order by worker_id, id`);
    return rows.map(({ worker, at }) => Number(at) - (dueOf.get(worker) ?? 0));
  });
}

async function startReplica(url: string): Promise<AsyncDisposable> {
  const child = fork(join(import.meta.dirname, 'due-replica.ts'), { env: { ...process.env, DATABASE_URL: url } });
  await once(child, 'message');
  return { [Symbol.asyncDispose]: () => stopped(child) };
}

async function stopped(child: ChildProcess): Promise<void> {
  const gone = once(child, 'exit');
  child.send('stop');
  await gone;
}
