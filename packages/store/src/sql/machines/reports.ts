// Reports of machines, and records of reports that were refused.
import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { NewObservation } from '../../port/machines.ts';
import type { RefusalRecord, RefusedReports, Reporting } from '../../port/history.ts';
import { compiledOnce } from '../../connection/compiled.ts';
import { send } from '../../connection/pipeline.ts';
import { instant } from '../../connection/values.ts';
import { columnsWithout } from '../../tables/columns.ts';
import type { Db, Trx } from '../db.ts';
import { givenAs, listed, listedFrom, rowsIn, rowsOf, textOf } from '../steps/given.ts';

/**
 * Notes that the machine's buffer is taken through the last of these numbers. The session is the machine's present one until the end of the
 * transaction: the first statement holds the machine's row: a hello that would end the session, and another connection that brings the same reports,
 * wait for the end of the transaction. The second sees what such a connection has stored.
 *
 * @returns those of which no observation is stored; `superseded` when the machine has said hello since: then nothing was written.
 */
export async function receiveReports(
  db: Trx,
  { machineId, epoch, agentEpoch }: Reporting,
  seqs: readonly number[],
): Promise<readonly number[] | 'superseded'> {
  await send(db, noteThrough(db, { machineId, epoch, agentEpoch, through: Math.max(...seqs) }));
  const { rows } = await db.executeQuery(findFresh(db, { machineId, epoch, agentEpoch, seqs }));
  return rows[0]?.fresh ?? 'superseded';
}

const noteThrough = compiledOnce(
  (_: Trx, { machineId, epoch, agentEpoch, through }: Reporting & { readonly through: number }) =>
    sql`update machines set stored_through = greatest(stored_through, ${through}::bigint) where ${isPresent({ machineId, epoch, agentEpoch })}`,
);

const findFresh = compiledOnce(
  (_: Trx, { machineId, epoch, agentEpoch, seqs }: Reporting & { readonly seqs: readonly number[] }) =>
    sql<{ fresh: readonly number[] }>`
      select coalesce((select jsonb_agg(seq) from unnest(${seqs}::bigint[]) as given (seq)
        where not exists (select from observations known
          where machine_id = ${machineId} and agent_epoch = ${agentEpoch} and known.seq = given.seq)), '[]') as fresh
      from machines where ${isPresent({ machineId, epoch, agentEpoch })}`,
);

function isPresent({ machineId, epoch, agentEpoch }: Reporting): RawBuilder<unknown> {
  return sql`id = ${machineId} and session_epoch = ${epoch} and agent_epoch = ${agentEpoch} and revoked_at is null`;
}

/** Stores observations that were received in this transaction. */
export async function insertObservations(db: Trx, seen: readonly NewObservation[]): Promise<void> {
  const [first] = seen;
  if (first === undefined) return;
  const { machineId, agentEpoch, now } = first;
  const rows = textOf(seen.map(({ seq, workerId, body, seenAt }) => ({ seq, workerId, body: kept(body), seenAt })));
  await send(db, addObservations(db, { machineId, agentEpoch, now, rows }));
}

/** Columns of an observation that are given; its kind is that of its body. */
const OBSERVATION = ['seq', 'workerId', 'body', 'seenAt'];

type Batch = Pick<NewObservation, 'machineId' | 'agentEpoch' | 'now'> & { readonly rows: string };

const addObservations = compiledOnce(
  (_: Trx, { machineId, agentEpoch, now, rows }: Batch) =>
    sql`insert into observations (machine_id, agent_epoch, stored_at, kind, ${listed(OBSERVATION)})
      select ${machineId}, ${agentEpoch}, ${instant(now)}, body->>'kind', ${listedFrom('observations', OBSERVATION)}
      from (${rowsIn(givenAs('observations', OBSERVATION), rows)}) as given
      on conflict do nothing`,
);

/**
 * A screen is kept whole in the line of the decision on it, a result in its command: a second copy would be a third of what a worker at work
 * stores.
 */
function kept(body: NewObservation['body']): unknown {
  if (body.kind === 'screen') return { kind: body.kind, reading: { state: { kind: body.reading.state.kind } } };
  if (body.kind !== 'result' && body.kind !== 'answer') return body;
  return { kind: body.kind, commandId: body.commandId, result: { kind: body.result.kind } };
}

/** Adds to the refused reports of the machine. @returns the reasons that were not on record. */
export async function countRefusedReports(
  db: Trx,
  machineId: string,
  refused: readonly RefusedReports[],
  now: number,
): Promise<readonly string[]> {
  const { rows } = await sql<{ reason: string; isNew: boolean }>`
    insert into refused_reports as known (machine_id, reason, count, bytes, last_sha256, first_at, last_at)
    select ${machineId}, reason, count, bytes, sha256, ${instant(now)}, ${instant(now)}
    from (${rowsOf(REFUSED, refused)}) as refused
    on conflict (machine_id, reason) do update set count = known.count + excluded.count,
      bytes = known.bytes + excluded.bytes, last_sha256 = excluded.last_sha256, last_at = excluded.last_at
    returning reason, xmax = 0 as "isNew"`.execute(db);
  return rows.flatMap(({ reason, isNew }) => (isNew ? [reason] : []));
}

const REFUSED = { reason: 'text', count: 'bigint', bytes: 'bigint', sha256: 'text' };

/** Reports that were refused, by machine and reason. */
export async function listRefusedReports(db: Db): Promise<readonly RefusalRecord[]> {
  return db
    .selectFrom('refusedReports')
    .select([...columnsWithout('refusedReports', 'lastSha256'), 'lastSha256 as sha256'])
    .orderBy('machineId')
    .orderBy('reason')
    .execute();
}
