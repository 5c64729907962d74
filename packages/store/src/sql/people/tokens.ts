// The tokens of people and workers.
import { sql } from 'kysely';
import type { ApiToken, ListedToken, WorkerToken } from '../../port/people.ts';
import { send } from '../../connection/pipeline.ts';
import { columnsOf, columnsWithout } from '../../tables/columns.ts';
import type { Db, Trx } from '../db.ts';

const READ = columnsWithout('apiTokens', 'tokenSha256');

/** Adds a token, or gives the one of this name a new secret and a new end. */
export async function createApiToken(
  db: Db,
  token: ApiToken & { readonly sha256: string },
  now: number,
): Promise<void> {
  const row = rowOf(token, now);
  const { tokenSha256, role, projectId, channels, expiresAt } = row;
  await send(
    db,
    db
      .insertInto('apiTokens')
      .values(row)
      .onConflict((conflict) =>
        conflict
          .column('name')
          .where(sql<boolean>`worker_id is null`)
          .doUpdateSet({ tokenSha256, role, projectId, channels, expiresAt }),
      ),
  );
}

/** Gives a worker a token of its own; the previous one is invalid. The token is removed with the worker. */
export async function issueWorkerToken(db: Trx, token: WorkerToken, now: number): Promise<void> {
  const { id, name, workerId, projectId, sha256: tokenSha256 } = token;
  const own = columnsOf('apiTokens', { id, name, tokenSha256, createdAt: now });
  await send(
    db,
    db
      .insertInto('apiTokens')
      .values({
        ...own,
        role: 'worker',
        projectId,
        workerId,
        channels: null,
        expiresAt: null,
        lastUsedAt: null,
      })
      .onConflict((conflict) =>
        conflict
          .column('workerId')
          .where(sql<boolean>`worker_id is not null`)
          .doUpdateSet({ ...own, lastUsedAt: null }),
      ),
  );
}

/** Unlike `createApiToken` it replaces nothing. @returns `name-taken` when a person's token has this name; then nothing was written. */
export async function insertApiToken(
  db: Trx,
  token: ApiToken & { readonly sha256: string },
  now: number,
): Promise<'inserted' | 'name-taken'> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('apiTokens')
    .values(rowOf(token, now))
    .onConflict((conflict) =>
      conflict
        .column('name')
        .where(sql<boolean>`worker_id is null`)
        .doNothing(),
    )
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows === 0n ? 'name-taken' : 'inserted';
}

/** A token that was never used. */
function rowOf(token: ApiToken & { readonly sha256: string }, now: number) {
  const { sha256: tokenSha256, channels = null, ...rest } = token;
  return columnsOf('apiTokens', { ...rest, tokenSha256, channels, lastUsedAt: null, createdAt: now });
}

/** Lists tokens of people and of workers, by name. */
export async function listApiTokens(db: Db): Promise<readonly ListedToken[]> {
  return db.selectFrom('apiTokens').select(READ).orderBy('name').orderBy('id').execute();
}

/** Deletes a token; ignores one that is gone. */
export async function deleteApiToken(db: Db, id: string): Promise<void> {
  await send(db, db.deleteFrom('apiTokens').where('id', '=', id));
}

/** Says until when it is good; null: until it is revoked. */
export async function setApiTokenEnd(db: Trx, id: string, expiresAt: number | null): Promise<void> {
  await send(db, db.updateTable('apiTokens').set(columnsOf('apiTokens', { expiresAt })).where('id', '=', id));
}

/** Notes the last use of a token, now or a moment ago. */
export async function touchApiToken(db: Db, id: string, now: number): Promise<void> {
  await send(
    db,
    db
      .updateTable('apiTokens')
      .set(columnsOf('apiTokens', { lastUsedAt: now }))
      .where('id', '=', id),
  );
}

/** A token by its id; null for an unknown one. Expired ones are returned too. */
export async function readApiToken(db: Db, id: string): Promise<ListedToken | null> {
  return (await db.selectFrom('apiTokens').select(READ).where('id', '=', id).executeTakeFirst()) ?? null;
}

/** The owner of a token; null for an unknown token. Expired ones are returned too: the caller knows the time. */
export async function apiTokenBySha256(db: Db, sha256: string): Promise<ListedToken | null> {
  return (await db.selectFrom('apiTokens').select(READ).where('tokenSha256', '=', sha256).executeTakeFirst()) ?? null;
}
