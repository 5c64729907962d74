// Policies under which decisions were taken, and the facts to take them again.
import type { RecordedDecision } from '@drover/core';
import { sql, type NotNull } from 'kysely';
import type { PolicyRow } from '../port/policies.ts';
import { send } from '../connection/pipeline.ts';
import { instant } from '../connection/values.ts';
import type { Db, Trx } from './db.ts';
import { insertion, KEEP } from './steps/rows.ts';

/** Keeps a policy under its version, if it is not kept yet. */
export async function keepPolicy(db: Trx, policy: PolicyRow): Promise<void> {
  await send(db, insertion('policies', [policy], KEEP));
}

/** Policies that were decided under, the newest first. */
export async function listPolicies(db: Db): Promise<readonly PolicyRow[]> {
  return db.selectFrom('policies').selectAll().orderBy('createdAt', 'desc').execute();
}

/** Lists every decision of a worker from an id on, the quiet ones too, oldest first. Rows that keep no facts any more are left out. */
export async function listDecisions(
  db: Db,
  workerId: string,
  { from, limit }: { readonly from: number; readonly limit: number },
): Promise<readonly RecordedDecision[]> {
  return db
    .selectFrom('events')
    .select(['id', 'event', 'facts', 'policy', 'outcome', 'stateBefore as before'])
    .where('workerId', '=', workerId)
    .where('id', '>=', from)
    .where('outcome', 'is not', null)
    .$narrowType<{ facts: NotNull; outcome: NotNull }>()
    .orderBy('id')
    .limit(limit)
    .execute();
}

/** The last row before a time, in epoch milliseconds, from which history can be decided again; else the first. */
export async function replayableFrom(db: Db, workerId: string, since: number | null): Promise<number | null> {
  const isKept = sql<boolean>`worker_id = ${workerId} and state_before is not null`;
  const kept = db.selectFrom('events').select('id').where(isKept).limit(1);
  const before =
    since === null ? undefined : await kept.where('at', '<=', instant(since)).orderBy('id', 'desc').executeTakeFirst();
  return (before ?? (await kept.orderBy('id').executeTakeFirst()))?.id ?? null;
}
