// Repairs a restored database before coordinators work on it again, and reads what it holds.
import type { Log } from '@drover/base';
import { Client } from 'pg';
import { CONNECT_TIMEOUT_MS } from './connection/connect.ts';

/**
 * Number added to that of every worker's last command: machines refuse numbers below the last that they saw, and no
 * worker was given a million commands since any backup. Source: docs/adr/0001-one-postgres-everywhere.md.
 */
const COMMANDS_AHEAD = 1_000_000;

/**
 * Number added to the last id of the history: a follower goes on after an id that was given since the backup, and ids
 * never repeat. In a week, the age of the oldest backup, 1,000 lines a second are fewer.
 */
const EVENTS_AHEAD = 1_000_000_000;

/** Content of a restored database; `lastEventAt` is epoch milliseconds, null without any event. */
export type RestoredContent = { readonly workers: number; readonly tasks: number; readonly lastEventAt: number | null };

/** Repairs a restored database. Call it once, after a backup took the database's place and before a coordinator starts on it. */
export async function afterRestore(connectionString: string, { log }: { log: Log }): Promise<RestoredContent> {
  const client = new Client({ connectionString, connectionTimeoutMillis: CONNECT_TIMEOUT_MS });
  client.on('error', (error) => log('debug', `The connection was lost: ${error.message}`));
  await client.connect();
  try {
    const { rows: tables } = await client.query(`select from pg_class where oid = to_regclass('workers')`);
    if (tables.length === 0) return { workers: 0, tasks: 0, lastEventAt: null };
    await client.query(
      `update workers set state = jsonb_set(state, '{command,seq}', to_jsonb((state #>> '{command,seq}')::bigint + $1))`,
      [COMMANDS_AHEAD],
    );
    await client.query(`select setval('events_id_seq', (select last_value from events_id_seq) + $1)`, [EVENTS_AHEAD]);
    const { rows } = await client.query<{ workers: number; tasks: number; last: number | null }>(
      `select (select count(*)::int from workers) as workers, (select count(*)::int from tasks) as tasks,
       (select (extract(epoch from max(at)) * 1000)::double precision from events) as last`,
    );
    const { workers = 0, tasks = 0, last = null } = rows[0] ?? {};
    return { workers, tasks, lastEventAt: last === null ? null : Math.round(last) };
  } finally {
    await client.end();
  }
}
