// Measures the database: its statements by pg_stat_statements, and its processor's time.
import type { Client } from 'pg';
import { treeCpuMs } from '../src/cpu.ts';

/** Settings that the server of a measurement is started with. */
export const COUNTED = {
  shared_preload_libraries: 'pg_stat_statements',
  'pg_stat_statements.max': '2000',
  max_connections: '200',
} as const;

/** Kind of statement. */
export interface Counted {
  readonly text: string;
  readonly calls: number;
  readonly ms: number;
}

/** Sets all counts to zero. */
export async function countFromNow(client: Client): Promise<void> {
  await client.query('create extension if not exists pg_stat_statements');
  await client.query('select pg_stat_statements_reset()');
}

/** All that was counted in this database since, the most frequent first. The measurement's own is not. */
export async function counted(client: Client): Promise<readonly Counted[]> {
  const { rows } = await client.query<Counted>(`
    select regexp_replace(left(query, 400), '\\s+', ' ', 'g') as text, calls::int, total_exec_time::float8 as ms
    from pg_stat_statements where dbid = (select oid from pg_database where datname = current_database())
      and query not like '%pg_stat_statements%'
    order by calls desc`);
  return rows;
}

/** Seconds of a processor that the server and all of its connections, present and past, have used. */
export function serverSeconds(postmaster: number): number {
  return treeCpuMs(postmaster) / 1_000;
}
