// Policies under which decisions were taken, and the facts to take them again.
import type { RecordedDecision } from '@drover/core';
import type { PolicyRow } from '../port/policies.ts';
import { send } from '../connection/pipeline.ts';
import { instant, json } from '../connection/values.ts';
import type { Db } from './db.ts';

/** Keeps a policy under its version, if it is not kept yet. */
export async function keepPolicy(db: Db, { version, document, createdAt }: PolicyRow): Promise<void> {
  await send(
    db,
    db
      .insertInto('policies')
      .values({ version, document: json<unknown>(document), created_at: instant(createdAt) })
      .onConflict((conflict) => conflict.doNothing()),
  );
}

/** Policies that were decided under, the newest first. */
export async function listPolicies(db: Db): Promise<readonly PolicyRow[]> {
  const rows = await db.selectFrom('policies').selectAll().orderBy('created_at', 'desc').execute();
  return rows.map(({ version, document, created_at: createdAt }) => ({ version, document, createdAt }));
}

/** Every decision of a worker from an id on, oldest first. Rows of a build that did not keep them are left out. */
export async function listDecisions(
  db: Db,
  workerId: string,
  { from, limit }: { from: number; limit: number },
): Promise<readonly RecordedDecision[]> {
  const rows = await db
    .selectFrom('events')
    .select(['id', 'event', 'facts', 'policy', 'outcome', 'state_before'])
    .where('worker_id', '=', workerId)
    .where('id', '>=', from)
    .where('outcome', 'is not', null)
    .orderBy('id')
    .limit(limit)
    .execute();
  return rows.map((row) => ({
    id: row.id,
    event: row.event as RecordedDecision['event'],
    facts: row.facts as RecordedDecision['facts'],
    policy: row.policy ?? '',
    outcome: row.outcome ?? '',
    before: row.state_before as RecordedDecision['before'],
  }));
}

/** The last row before a time, in epoch milliseconds, from which history can be decided again; else the first. */
export async function replayableFrom(db: Db, workerId: string, since: number | null): Promise<number | null> {
  const kept = db
    .selectFrom('events')
    .select('id')
    .where('worker_id', '=', workerId)
    .where('state_before', 'is not', null)
    .limit(1);
  const before =
    since === null ? undefined : await kept.where('at', '<=', instant(since)).orderBy('id', 'desc').executeTakeFirst();
  return (before ?? (await kept.orderBy('id').executeTakeFirst()))?.id ?? null;
}
