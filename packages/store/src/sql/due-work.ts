// Reads and claims due work, so that one replica does it.
import { sql } from 'kysely';
import { LEASE_DOUBLINGS_MAX } from '../port/due-work.ts';
import type { DueWork, FailingWork } from '../port/due-work.ts';
import { send } from '../connection/pipeline.ts';
import { instant } from '../connection/values.ts';
import { columnsOf } from '../tables/columns.ts';
import type { Db, Trx } from './db.ts';
import { rowsOf } from './given.ts';
import { DEADLINES, deadlineSteps } from './steps/deadlines.ts';

/** Replaces the whole set of a worker's deadlines, its rows of kind `worker-deadline`, in one statement. */
export async function setDeadlines(
  db: Trx,
  workerId: string,
  deadlines: Readonly<Record<string, number>>,
): Promise<void> {
  await send(db, sql`with given as (${rowsOf(DEADLINES, [{ worker: workerId, deadlines }])}), ${deadlineSteps} select`);
}

/** An existing row is armed again only if its time changed, so that a lease that is held stays held. */
export async function schedule(db: Trx, work: readonly DueWork[]): Promise<void> {
  if (work.length === 0) return;
  await send(
    db,
    db
      .insertInto('dueWork')
      .values(
        work.map(({ workerId = null, projectId = null, ...row }) =>
          columnsOf('dueWork', { ...row, workerId, projectId, leaseUntil: null }),
        ),
      )
      .onConflict((conflict) =>
        conflict
          .columns(['kind', 'key'])
          .doUpdateSet((set) => ({
            dueAt: set.ref('excluded.dueAt'),
            payload: set.ref('excluded.payload'),
            leaseUntil: null,
            attempts: 0,
            problem: null,
          }))
          .where('dueWork.dueAt', '!=', sql<number>`excluded.due_at`),
      ),
  );
}

/** Removes the row unless it was armed for another time since. */
export async function finishDueWork(db: Trx, { kind, key, dueAt }: DueWork): Promise<void> {
  await send(
    db,
    db.deleteFrom('dueWork').where('kind', '=', kind).where('key', '=', key).where('dueAt', '=', instant(dueAt)),
  );
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
  const rows = await db
    .with('due', (due) =>
      due
        .selectFrom('dueWork')
        .select(['kind', 'key'])
        .where('dueAt', '<=', instant(now))
        .where((where) => where.or([where('leaseUntil', 'is', null), where('leaseUntil', '<', instant(now))]))
        .orderBy('dueAt')
        .limit(limit)
        .forUpdate()
        .skipLocked(),
    )
    .updateTable('dueWork')
    .from('due')
    .set({
      leaseUntil: sql`${instant(now)} + ${leaseMs} * power(2, least(due_work.attempts, ${LEASE_DOUBLINGS_MAX})) * interval '1 ms'`,
      attempts: sql<number>`due_work.attempts + 1`,
    })
    .whereRef('dueWork.kind', '=', 'due.kind')
    .whereRef('dueWork.key', '=', 'due.key')
    .returning([
      'dueWork.kind',
      'dueWork.key',
      'dueWork.workerId',
      'dueWork.projectId',
      'dueWork.dueAt',
      'dueWork.payload',
    ])
    .execute();
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
  const row = db.updateTable('dueWork').set({ problem }).where('kind', '=', kind).where('key', '=', key);
  await send(db, row.where('dueAt', '=', instant(dueAt)));
}

/** Rows that were taken this often or more, oldest first. */
export async function listFailingWork(db: Db, triesMin: number, limit: number): Promise<readonly FailingWork[]> {
  const rows = await db
    .selectFrom('dueWork')
    .select(['kind', 'key', 'dueAt', 'attempts', 'problem', 'leaseUntil'])
    .where('attempts', '>=', triesMin)
    .orderBy('dueAt')
    .limit(limit)
    .execute();
  return rows.map((row) => ({
    kind: row.kind,
    key: row.key,
    dueAt: row.dueAt,
    tries: row.attempts,
    problem: row.problem,
    nextTryAt: Math.max(row.dueAt, row.leaseUntil ?? 0),
  }));
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
