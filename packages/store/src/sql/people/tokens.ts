// The tokens of people and workers.
import { sql } from 'kysely';
import type { ApiToken, ListedToken, WorkerToken } from '../../port/people.ts';
import { send } from '../../connection/pipeline.ts';
import { columnsWithout } from '../../tables/columns.ts';
import type { Db, Trx } from '../db.ts';
import { change, find, insertion, removal, setting, writes } from '../steps/rows.ts';

const READ = columnsWithout('apiTokens', 'tokenSha256');

/** Adds a token, or gives the one of this name a new secret and a new end. */
export async function createApiToken(
  db: Db,
  token: ApiToken & { readonly sha256: string },
  now: number,
): Promise<void> {
  const row = rowOf(token, now);
  const { tokenSha256, role, projectId, channels, expiresAt } = row;
  const again = setting('apiTokens', { tokenSha256, role, projectId, channels, expiresAt });
  await send(db, insertion('apiTokens', [row], sql`${NAMED} do update set ${again}`));
}

/** A person's token of this name is there. */
const NAMED = sql`on conflict (name) where worker_id is null`;

/** Gives a worker a token of its own; the previous one is invalid. The token is removed with the worker. */
export async function issueWorkerToken(db: Trx, token: WorkerToken, now: number): Promise<void> {
  const { id, name, workerId, projectId, sha256: tokenSha256 } = token;
  const own = { id, name, tokenSha256, createdAt: now, lastUsedAt: null };
  const again = sql`on conflict (worker_id) where worker_id is not null do update set ${setting('apiTokens', own)}`;
  await send(db, insertion('apiTokens', [{ ...own, role: 'worker', projectId, workerId }], again));
}

/** Unlike `createApiToken` it replaces nothing. @returns `name-taken` when a person's token has this name; then nothing was written. */
export async function insertApiToken(
  db: Trx,
  token: ApiToken & { readonly sha256: string },
  now: number,
): Promise<'inserted' | 'name-taken'> {
  const added = await writes(db, insertion('apiTokens', [rowOf(token, now)], sql`${NAMED} do nothing`));
  return added ? 'inserted' : 'name-taken';
}

/** A token that was never used. */
function rowOf(token: ApiToken & { readonly sha256: string }, now: number) {
  const { sha256: tokenSha256, channels = null, ...rest } = token;
  return { ...rest, tokenSha256, channels, lastUsedAt: null, createdAt: now };
}

/** Lists tokens of people and of workers, by name. */
export async function listApiTokens(db: Db): Promise<readonly ListedToken[]> {
  return db.selectFrom('apiTokens').select(READ).orderBy('name').orderBy('id').execute();
}

/** Deletes a token; ignores one that is gone. */
export async function deleteApiToken(db: Db, id: string): Promise<void> {
  await send(db, removal('apiTokens', { id }));
}

/** Says until when it is good; null: until it is revoked. */
export async function setApiTokenEnd(db: Trx, id: string, expiresAt: number | null): Promise<void> {
  await send(db, change('apiTokens', { id }, { expiresAt }));
}

/** Notes the last use of a token, now or a moment ago. */
export async function touchApiToken(db: Db, id: string, now: number): Promise<void> {
  await send(db, change('apiTokens', { id }, { lastUsedAt: now }));
}

/** A token by its id; null for an unknown one. Expired ones are returned too. */
export async function readApiToken(db: Db, id: string): Promise<ListedToken | null> {
  return find(db, 'apiTokens', { id }, { columns: READ });
}

/** The owner of a token; null for an unknown token. Expired ones are returned too: the caller knows the time. */
export async function apiTokenBySha256(db: Db, sha256: string): Promise<ListedToken | null> {
  return find(db, 'apiTokens', { tokenSha256: sha256 }, { columns: READ });
}
