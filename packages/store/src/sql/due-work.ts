// Reads and claims due work, so that one replica does it.
import { sql } from 'kysely';
import { LEASE_DOUBLINGS_MAX } from '../port/due-work.ts';
import type { DueWork, FailingWork } from '../port/due-work.ts';
import { send } from '../connection/pipeline.ts';
import { instant } from '../connection/values.ts';
import type { Db, Trx } from './db.ts';
import { change, has, insertion, list, removal } from './steps/rows.ts';
import { rowsOf } from './steps/given.ts';
import { DEADLINES, deadlineSteps, REARMED } from './steps/deadlines.ts';

/** Replaces the whole set of a worker's deadlines, its rows of kind `worker-deadline`, in one statement. */
export async function setDeadlines(
  db: Trx,
  workerId: string,
  deadlines: Readonly<Record<string, number>>,
): Promise<void> {
  await send(db, sql`with given as (${rowsOf(DEADLINES, [{ workerId, deadlines }])}), ${deadlineSteps} select`);
}

/** An existing row is armed again only if its time changed, so that a lease that is held stays held. */
export async function schedule(db: Trx, work: readonly DueWork[]): Promise<void> {
  if (work.length === 0) return;
  const rows = work.map(({ workerId = null, projectId = null, ...row }) => ({ ...row, workerId, projectId }));
  await send(db, insertion('dueWork', rows, REARMED));
}

/**
 * Makes a row due now, if there is one, also one that is being done: its time is an earlier one then in any case, so that whoever does it finds
 * it changed.
 */
export async function hastenDueWork(db: Trx, { kind, key }: Pick<DueWork, 'kind' | 'key'>, now: number): Promise<void> {
  const dueAt = sql`least(${instant(now)}, due_at - interval '1 ms')`;
  await send(
    db,
    sql`update due_work set due_at = ${dueAt}, lease_until = null, attempts = 0 where ${has('dueWork', { kind, key })}`,
  );
}

/** Locks the row. @returns false if it is done, or was armed for another time since: then whoever claimed it leaves it alone. */
export async function lockDueWork(db: Trx, { kind, key, dueAt }: DueWork): Promise<boolean> {
  const [row] = await list(db, 'dueWork', { kind, key, dueAt }, { columns: ['key'], end: sql`for update` });
  return row !== undefined;
}

/** Removes the row unless it was armed for another time since. */
export async function finishDueWork(db: Trx, { kind, key, dueAt }: DueWork): Promise<void> {
  await send(db, removal('dueWork', { kind, key, dueAt }));
}

/**
 * Leases due rows to the caller, oldest first. A row whose lease ran out can be claimed again, and is leased for twice as long: so one that
 * fails each time, or ends its process, is tried ever more seldom.
 */
export async function claimDueWork(
  db: Db,
  now: number,
  { limit, leaseMs }: { limit: number; leaseMs: number },
): Promise<readonly DueWork[]> {
  const at = instant(now);
  const { rows } = await sql<Required<DueWork> & { workerId: string | null; projectId: string | null }>`
    with due as (select kind, key from due_work
      where due_at <= ${at} and (lease_until is null or lease_until < ${at}) order by due_at limit ${limit} for update skip locked)
    update due_work set attempts = due_work.attempts + 1,
      lease_until = ${at} + ${leaseMs} * power(2, least(due_work.attempts, ${LEASE_DOUBLINGS_MAX})) * interval '1 ms'
    from due where due_work.kind = due.kind and due_work.key = due.key
    returning due_work.kind, due_work.key, due_work.worker_id, due_work.project_id, due_work.due_at, due_work.payload`.execute(
    db,
  );
  return rows
    .map(({ workerId, projectId, ...row }) => ({
      ...row,
      ...(workerId !== null && { workerId }),
      ...(projectId !== null && { projectId }),
    }))
    .toSorted((one, other) => one.dueAt - other.dueAt);
}

/** Epoch milliseconds at which the next row can be claimed; null when the table is empty. Each part is read by its own index. */
export async function nextDueAt(db: Db, now: number): Promise<number | null> {
  const at = instant(now);
  const { rows } = await sql<{ due: number | null }>`select least(
    (select due_at from due_work where lease_until is null or lease_until < ${at} order by due_at limit 1),
    (select min(lease_until) from due_work where lease_until >= ${at})) as due`.execute(db);
  return rows[0]?.due ?? null;
}

/** Keeps why a row was not done, if it is still armed for that time. */
export async function noteDueProblem(db: Db, { kind, key, dueAt }: DueWork, problem: string): Promise<void> {
  await send(db, change('dueWork', { kind, key, dueAt }, { problem }));
}

/** Rows that were taken this often or more, oldest first. */
export async function listFailingWork(db: Db, triesMin: number, limit: number): Promise<readonly FailingWork[]> {
  const { rows } = await sql<FailingWork>`
    select kind, key, due_at, attempts as tries, problem, greatest(due_at, lease_until) as next_try_at
    from due_work where attempts >= ${triesMin} order by due_at limit ${limit}`.execute(db);
  return rows;
}

/**
 * The clock of the database, whole epoch milliseconds, at this statement and not at the begin of its transaction: the one time that all
 * replicas share (docs/adr/0004).
 */
export async function readClock(db: Db): Promise<number> {
  const { rows } = await sql<{ now: number }>`select clock_timestamp() as now`.execute(db);
  const now = rows[0]?.now;
  if (now === undefined) throw new Error('The database did not say what time it is');
  return now;
}
