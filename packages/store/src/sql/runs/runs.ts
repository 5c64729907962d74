// Runs, their events and messages, read and written.
import { sql } from 'kysely';
import { send } from '../../connection/pipeline.ts';
import { instant } from '../../connection/values.ts';
import type { FlowRow, RunEventRow, RunFilter, RunMessageRow, RunRow, RunReservation } from '../../port/runs/runs.ts';
import type { Db, Trx } from '../db.ts';
import { change, find, insertion, KEEP, LOCK, writes } from '../steps/rows.ts';

/** Keeps a flow; one of the same digest is the same flow. */
export async function keepFlow(db: Trx, flow: FlowRow): Promise<void> {
  await send(db, insertion('flows', [flow], KEEP));
}

/** @returns null when there is none. */
export async function readFlow(db: Db, digest: string): Promise<FlowRow | null> {
  return find(db, 'flows', { digest });
}

/** Adds a run. @returns `repeated` when there is one of this id. */
export async function insertRun(db: Trx, row: RunRow): Promise<'added' | 'repeated'> {
  return (await writes(db, insertion('runs', [row], KEEP))) ? 'added' : 'repeated';
}

/** @returns null when there is none. */
export async function readRun(db: Db, id: string): Promise<RunRow | null> {
  return find(db, 'runs', { id });
}

/** Locks the row until the end of the transaction. */
export async function lockRun(db: Trx, id: string): Promise<RunRow | null> {
  return find(db, 'runs', { id }, { end: LOCK });
}

/** Writes everything that can change. The caller holds the row's lock. */
export async function saveRun(db: Trx, { id, status, state, seq, updatedAt, endedAt }: RunRow): Promise<void> {
  await send(db, change('runs', { id }, { status, state, seq, updatedAt, endedAt }));
}

/** Lists runs, newest first. */
export async function listRuns(db: Db, filter: RunFilter): Promise<readonly RunRow[]> {
  const { projectId, open, retryOf, idPart, after, limit } = filter;
  let query = db.selectFrom('runs').selectAll().orderBy('createdAt', 'desc').orderBy('id', 'desc');
  if (projectId !== undefined) query = query.where('projectId', '=', projectId);
  if (open === true) query = query.where('endedAt', 'is', null);
  if (retryOf !== undefined) query = query.where(sql<boolean>`state #>> '{terms,retryOf}' = ${retryOf}`);
  if (idPart !== undefined) {
    const [start, end] = [`${escaped(idPart)}%`, `${escaped([...idPart].toReversed().join(''))}%`];
    query = query.where(
      sql<boolean>`((id::text) collate "C" like ${start} or reverse(id::text) collate "C" like ${end})`,
    );
  }
  if (after !== undefined)
    query = query.where(sql<boolean>`(created_at, id) < (${instant(after.createdAt)}, ${after.id}::uuid)`);
  return query.limit(limit).execute();
}

function escaped(part: string): string {
  return part.replaceAll(/[\\%_]/gu, String.raw`\$&`);
}

/** Lists the workers that requests of runs have reserved, while commits are on their way to them. */
export async function listReservations(db: Db): Promise<readonly RunReservation[]> {
  const { rows } = await sql<RunReservation>`
    select key, payload ->> 'reserved' as worker_id from due_work where kind = 'run-request' and payload ->> 'reserved' is not null`.execute(
    db,
  );
  return rows;
}

/** Adds an event. The caller holds the lock of its run. */
export async function insertRunEvent(db: Trx, row: RunEventRow): Promise<void> {
  await send(db, insertion('runEvents', [row]));
}

/** Tells whether the run has heard this event. */
export async function hasRunEvent(db: Trx, runId: string, eventId: string): Promise<boolean> {
  return (await find(db, 'runEvents', { runId, eventId }, { columns: ['seq'] })) !== null;
}

/** Lists events of a run after a number, oldest first. */
export async function listRunEvents(
  db: Db,
  runId: string,
  { after, limit }: { readonly after: number; readonly limit: number },
): Promise<readonly RunEventRow[]> {
  const query = db.selectFrom('runEvents').selectAll().where('runId', '=', runId).where('seq', '>', after);
  return query.orderBy('seq').limit(limit).execute();
}

/** Adds a message; one of this id stays as it is. */
export async function insertRunMessage(db: Trx, row: RunMessageRow): Promise<void> {
  await send(db, insertion('runMessages', [row], KEEP));
}

/** Notes the outcome of a message that still waits. @returns the message; null: none of this id waits. */
export async function settleRunMessage(
  db: Trx,
  id: string,
  { state, why, updatedAt }: Pick<RunMessageRow, 'state' | 'why' | 'updatedAt'>,
): Promise<RunMessageRow | null> {
  const row = await find(db, 'runMessages', { id, state: 'queued' });
  if (row !== null) await send(db, change('runMessages', { id }, { state, why, updatedAt }));
  return row;
}

/** Lists the messages of a run, oldest first. */
export async function listRunMessages(db: Db, runId: string, limit: number): Promise<readonly RunMessageRow[]> {
  const query = db.selectFrom('runMessages').selectAll().where('runId', '=', runId);
  return query.orderBy('createdAt').orderBy('id').limit(limit).execute();
}
