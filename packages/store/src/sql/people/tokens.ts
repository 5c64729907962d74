// The tokens of people and workers.
import { sql } from 'kysely';
import type { Selectable } from 'kysely';
import type { ApiToken, ListedToken, WorkerToken } from '../../port/people.ts';
import type { ApiTokenTable } from '../../tables/people.ts';
import { send } from '../../connection/pipeline.ts';
import { instant, json } from '../../connection/values.ts';
import type { Db } from '../db.ts';

/** Adds a token, or gives the one of this name a new secret and a new end. */
export async function createApiToken(
  db: Db,
  token: ApiToken & { readonly sha256: string },
  now: number,
): Promise<void> {
  const row = rowOf(token, now);
  const { token_sha256, role, project_id, channels, expires_at } = row;
  await send(
    db,
    db
      .insertInto('api_tokens')
      .values(row)
      .onConflict((conflict) =>
        conflict
          .column('name')
          .where(sql<boolean>`worker_id is null`)
          .doUpdateSet({ token_sha256, role, project_id, channels, expires_at }),
      ),
  );
}

/** See the port. */
export async function issueWorkerToken(db: Db, token: WorkerToken, now: number): Promise<void> {
  const own = { id: token.id, name: token.name, token_sha256: token.sha256, created_at: instant(now) };
  await send(
    db,
    db
      .insertInto('api_tokens')
      .values({
        ...own,
        role: 'worker',
        project_id: token.projectId,
        worker_id: token.workerId,
        channels: null,
        expires_at: null,
        last_used_at: null,
      })
      .onConflict((conflict) =>
        conflict
          .column('worker_id')
          .where(sql<boolean>`worker_id is not null`)
          .doUpdateSet({ ...own, last_used_at: null }),
      ),
  );
}

/** @returns `name-taken` when a person's token has this name; then nothing was written. */
export async function insertApiToken(
  db: Db,
  token: ApiToken & { readonly sha256: string },
  now: number,
): Promise<'inserted' | 'name-taken'> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('api_tokens')
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
  return {
    id: token.id,
    name: token.name,
    token_sha256: token.sha256,
    role: token.role,
    project_id: token.projectId,
    worker_id: token.workerId,
    channels: token.channels === undefined || token.channels === null ? null : json(token.channels),
    expires_at: token.expiresAt === null ? null : instant(token.expiresAt),
    last_used_at: null,
    created_at: instant(now),
  };
}

/** By name. */
export async function listApiTokens(db: Db): Promise<readonly ListedToken[]> {
  return (await db.selectFrom('api_tokens').selectAll().orderBy('name').orderBy('id').execute()).map(toToken);
}

/** One that is gone does not matter. */
export async function deleteApiToken(db: Db, id: string): Promise<void> {
  await send(db, db.deleteFrom('api_tokens').where('id', '=', id));
}

/** Says until when it is good; null: until it is revoked. */
export async function setApiTokenEnd(db: Db, id: string, expiresAt: number | null): Promise<void> {
  const end = expiresAt === null ? null : instant(expiresAt);
  await send(db, db.updateTable('api_tokens').set({ expires_at: end }).where('id', '=', id));
}

/** Notes that it is used, as of now or a moment ago. */
export async function touchApiToken(db: Db, id: string, now: number): Promise<void> {
  await send(
    db,
    db
      .updateTable('api_tokens')
      .set({ last_used_at: instant(now) })
      .where('id', '=', id),
  );
}

/** The owner of a token; null for an unknown token. Expired ones are returned too: the caller knows the time. */
export async function apiTokenBySha256(db: Db, sha256: string): Promise<ListedToken | null> {
  const row = await db.selectFrom('api_tokens').selectAll().where('token_sha256', '=', sha256).executeTakeFirst();
  return row === undefined ? null : toToken(row);
}

function toToken(row: Selectable<ApiTokenTable>): ListedToken {
  return {
    id: row.id,
    name: row.name,
    role: row.role,
    projectId: row.project_id,
    workerId: row.worker_id,
    channels: row.channels,
    expiresAt: row.expires_at,
    createdAt: row.created_at,
    lastUsedAt: row.last_used_at,
  };
}
