// Use by tasks, written, read and added up.
import { sql } from 'kysely';
import { send } from '../../connection/pipeline.ts';
import { instant } from '../../connection/values.ts';
import type { UsageFilter, UsageRow, UsageSpan, UsageSum } from '../../port/runs/usage.ts';
import type { Db, Trx } from '../db.ts';
import { has, insertion, isSince, list, setting } from '../steps/rows.ts';

/** Writes what was used on a day; the caller holds the worker's row. */
export async function saveUsage(db: Trx, row: UsageRow): Promise<void> {
  const again = sql`on conflict (task_id, worker_id, since, day) do update set ${setting('usage', row)}`;
  await send(db, insertion('usage', [row], again));
}

/** Lists what was used, the newest day first. */
export async function listUsage(db: Db, { sinceDay, limit, ...of }: UsageFilter): Promise<readonly UsageRow[]> {
  const which = sql<boolean>`${has('usage', of)} and ${isSince('day', sinceDay)}`;
  return list(db, 'usage', which, { end: sql`order by day desc, task_id, since limit ${limit}` });
}

/** Adds up in the database: a few rows for each worker, however much a project has used. Sums are floats, as limits of them are. */
export async function sumUsage(
  db: Db,
  { projectId, sinceDay, today, taskIds }: UsageSpan,
): Promise<readonly UsageSum[]> {
  const { rows } = await sql<UsageSum>`
    select worker_id, case when task_id::text = any(${taskIds}::text[]) then task_id end as task_id,
      day >= ${instant(today)} as is_today, sum(input)::float8 as input, sum(cached)::float8 as cached,
      sum(output)::float8 as output, sum(money) as money, sum(worked_ms)::float8 as worked_ms
    from usage where project_id = ${projectId} and ${isSince('day', sinceDay)} group by 1, 2, 3`.execute(db);
  return rows;
}
