// Measures how much room a day of history takes, and what it costs to remove it. Uses rows of a real fleet, many times over.
import { setTimeout as delay } from 'node:timers/promises';
import { connect, createSqlStore } from '@drover/store';
import type { Database } from '@drover/store';
import { databaseUrl, withClient } from '../recovery/fleet.ts';
import type { BenchPostgres } from '../src/postgres.ts';
import { serverSeconds } from './database.ts';
import { LoadRun } from './run.ts';

/** Rows of each kind that one transaction removes, as the patrol does. */
const AT_ONCE = 2_000;
const NAME = 'history';

/** Result of a removal. `rows`: decisions, and as many observations. */
export interface Removed {
  readonly rows: number;
  /** Bytes of a decision and its observation, with their indexes. */
  readonly bytesEach: number;
  readonly transactions: number;
  readonly longestMs: number;
  /** Microseconds of the database's processor for a decision and its observation. */
  readonly cpuEach: number;
}

/** Removes so many old rows of each kind from among as many that stay. */
export async function measureHistory(postgres: BenchPostgres, rows: number): Promise<Removed> {
  await collectRows(postgres);
  const url = databaseUrl(postgres.server.superuserConnectionString, NAME);
  const bytesEach = await withClient(url, async (client) => {
    for (const hours of [25, 1])
      for (const statement of [multiplied('events', rows, hours), multiplied('observations', rows, hours)])
        await client.query(statement);
    await client.query('vacuum analyze');
    const size = `select (pg_total_relation_size('events') + pg_total_relation_size('observations'))::float8 as bytes`;
    return ((await client.query<{ bytes: number }>(size)).rows[0]?.bytes ?? 0) / (2 * rows);
  });
  const { db } = connect<Database>(url, { log: () => {}, maxConnections: 2 });
  try {
    const store = createSqlStore(db, { sleep: (ms) => delay(ms), random: Math.random });
    const before = Date.now() - 24 * 3_600_000;
    const begun = serverSeconds(postgres.server.pid);
    let [transactions, longestMs] = [0, 0];
    for (let isDone = false; !isDone; transactions += 1) {
      const at = performance.now();
      isDone = await store.transaction((tx) => tx.thinHistory(before, AT_ONCE));
      longestMs = Math.max(longestMs, performance.now() - at);
    }
    const cpuEach = ((serverSeconds(postgres.server.pid) - begun) / rows) * 1e6;
    return { rows, bytesEach, transactions, longestMs, cpuEach };
  } finally {
    await db.destroy();
  }
}

/** A fleet at work for some seconds. */
async function collectRows(postgres: BenchPostgres): Promise<void> {
  const size = { machines: 20, workersEach: 10, oneOf: 10 };
  await using run = await LoadRun.start(postgres, { size, name: NAME, withinMs: 1_000, progressMs: 500 });
  await run.connected(size.machines);
  run.setActive(true);
  await delay(10_000);
}

/** The rows that are there, in turns, as if they were of then; each observation has a number of its own. */
function multiplied(table: 'events' | 'observations', rows: number, hours: number): string {
  const number = `${hours}::bigint * 100000000 + n`;
  const at = `now() - interval '${hours} h' + n * interval '1 ms'`;
  const changed = table === 'events' ? { id: number, at } : { seq: number, stored_at: at };
  const patch = Object.entries(changed)
    .map(([column, value]) => `'${column}', ${value}`)
    .join(', ');
  return `with known as materialized (select to_jsonb(one) as whole, row_number() over () - 1 as place from ${table} one)
    insert into ${table}
    select (jsonb_populate_record(null::${table}, whole || jsonb_build_object(${patch}))).*
    from (select n, n % (select count(*) from known) as place from generate_series(1, ${rows}) n) as numbered join known using (place)`;
}
