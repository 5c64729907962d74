// Due work: what is due, and which replica does it.
import { sql } from 'kysely';
import type { Kysely } from 'kysely';
import { LEASE_DOUBLINGS_MAX } from '../port/due-work.ts';
import type { DueWork, FailingWork } from '../port/due-work.ts';
import type { Database } from '../tables/database.ts';
import { send } from '../connection/pipeline.ts';
import { instant, json } from '../connection/values.ts';
import type { Db } from './db.ts';
import { rowsOf } from './given.ts';
import type { Columns } from './given.ts';

/** A worker's deadlines are its rows of kind `worker-deadline`. One statement. */
export async function setDeadlines(
  db: Db,
  workerId: string,
  deadlines: Readonly<Record<string, number>>,
): Promise<void> {
  await send(db, sql`with given as (${rowsOf(DEADLINES, [{ worker: workerId, deadlines }])}), ${deadlineSteps} select`);
}

/** What is `given` of a worker whose deadlines are replaced: their times in epoch milliseconds, by their names. */
export const DEADLINES = { worker: 'uuid', deadlines: 'jsonb' } satisfies Columns;

/** The parts of a statement (named `armed`, `gone` and `timed`) that replace the deadlines of the workers that are `given`, at least one. */
export const deadlineSteps = sql`armed as (
      select worker, worker::text || ':' || name as key, to_timestamp(due::double precision / 1000) as due_at,
        jsonb_build_object('workerId', worker, 'name', name) as payload
      from given, jsonb_each_text(deadlines) as deadline (name, due)
    ), gone as (
      delete from due_work using given
      where kind = 'worker-deadline' and worker_id = given.worker and key not in (select key from armed)
    ), timed as (
      insert into due_work (kind, key, worker_id, due_at, payload)
      select 'worker-deadline', key, worker, due_at, payload from armed
      on conflict (kind, key) do update
        set due_at = excluded.due_at, payload = excluded.payload, lease_until = null, attempts = 0, problem = null
        where due_work.due_at <> excluded.due_at
    )`;

/** An existing row is armed again only if its time changed, so that a lease that is held stays held. */
export async function schedule(db: Db, work: readonly DueWork[]): Promise<void> {
  if (work.length === 0) return;
  await send(
    db,
    db
      .insertInto('due_work')
      .values(
        work.map(({ kind, key, workerId, dueAt, payload }) => ({
          kind,
          key,
          worker_id: workerId ?? null,
          due_at: instant(dueAt),
          payload: json<unknown>(payload),
          lease_until: null,
        })),
      )
      .onConflict((conflict) =>
        conflict
          .columns(['kind', 'key'])
          .doUpdateSet((set) => ({
            due_at: set.ref('excluded.due_at'),
            payload: set.ref('excluded.payload'),
            lease_until: null,
            attempts: 0,
            problem: null,
          }))
          .where('due_work.due_at', '!=', sql<number>`excluded.due_at`),
      ),
  );
}

/** Removes what was done. A row that was armed for another time meanwhile stays. */
export async function finishDueWork(db: Db, { kind, key, dueAt }: DueWork): Promise<void> {
  await send(
    db,
    db.deleteFrom('due_work').where('kind', '=', kind).where('key', '=', key).where('due_at', '=', instant(dueAt)),
  );
}

/** Takes the oldest due rows that are not leased, and leases them for `leaseMs`, doubled with each try. */
export async function claimDueWork(
  db: Kysely<Database>,
  now: number,
  { limit, leaseMs }: { limit: number; leaseMs: number },
): Promise<readonly DueWork[]> {
  const rows = await db
    .with('due', (due) =>
      due
        .selectFrom('due_work')
        .select(['kind', 'key'])
        .where('due_at', '<=', instant(now))
        .where((where) => where.or([where('lease_until', 'is', null), where('lease_until', '<', instant(now))]))
        .orderBy('due_at')
        .limit(limit)
        .forUpdate()
        .skipLocked(),
    )
    .updateTable('due_work')
    .from('due')
    .set({
      lease_until: sql`${instant(now)} + ${leaseMs} * power(2, least(due_work.attempts, ${LEASE_DOUBLINGS_MAX})) * interval '1 ms'`,
      attempts: sql<number>`due_work.attempts + 1`,
    })
    .whereRef('due_work.kind', '=', 'due.kind')
    .whereRef('due_work.key', '=', 'due.key')
    .returning(['due_work.kind', 'due_work.key', 'due_work.worker_id', 'due_work.due_at', 'due_work.payload'])
    .execute();
  return rows
    .map((row) => ({
      kind: row.kind as DueWork['kind'],
      key: row.key,
      ...(row.worker_id !== null && { workerId: row.worker_id }),
      dueAt: row.due_at,
      payload: row.payload,
    }))
    .toSorted((one, other) => one.dueAt - other.dueAt);
}

/** When the next row can be claimed, in epoch milliseconds; null when the table is empty. Each part is read by its own index. */
export async function nextDueAt(db: Db, now: number): Promise<number | null> {
  const at = instant(now);
  const { rows } = await sql<{ due: number | null }>`select least(
    (select due_at from due_work where lease_until is null or lease_until < ${at} order by due_at limit 1),
    (select min(lease_until) from due_work where lease_until >= ${at})) as due`.execute(db);
  return rows[0]?.due ?? null;
}

/** Keeps why a row was not done, if it is still armed for that time. */
export async function noteDueProblem(db: Db, { kind, key, dueAt }: DueWork, problem: string): Promise<void> {
  const row = db.updateTable('due_work').set({ problem }).where('kind', '=', kind).where('key', '=', key);
  await send(db, row.where('due_at', '=', instant(dueAt)));
}

/** Rows that were taken this often or more, oldest first. */
export async function listFailingWork(db: Db, triesMin: number, limit: number): Promise<readonly FailingWork[]> {
  const rows = await db
    .selectFrom('due_work')
    .select(['kind', 'key', 'due_at', 'attempts', 'problem', 'lease_until'])
    .where('attempts', '>=', triesMin)
    .orderBy('due_at')
    .limit(limit)
    .execute();
  return rows.map((row) => ({
    kind: row.kind as DueWork['kind'],
    key: row.key,
    dueAt: row.due_at,
    tries: row.attempts,
    problem: row.problem,
    nextTryAt: Math.max(row.due_at, row.lease_until ?? 0),
  }));
}

/** The time of the server, whole epoch milliseconds, at this statement and not at the begin of its transaction. */
export async function readClock(db: Db): Promise<number> {
  const { rows } = await sql<{ now: number }>`select clock_timestamp() as now`.execute(db);
  const now = rows[0]?.now;
  if (now === undefined) throw new Error('The database did not say what time it is');
  return now;
}
