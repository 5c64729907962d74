// The tokens of people and workers in memory: the same as sql/people/tokens.ts.
import type { ApiToken, ListedToken, WorkerToken } from '../../../port/people.ts';
import type { MemoryDatabase } from '../engine/database.ts';

type NewToken = ApiToken & { readonly sha256: string };

/** Adds a token, or gives the one of this name a new secret and a new end. */
export function createApiToken(db: MemoryDatabase, token: NewToken, now: number): void {
  const before = db.apiTokens.get(token.name);
  const { id = token.id, createdAt = now, lastUsedAt = null } = before ?? {};
  db.put(db.apiTokens, token.name, { ...token, id, createdAt, lastUsedAt });
}

/** @returns `name-taken` when a person's token has this name; then nothing was written. */
export function insertApiToken(db: MemoryDatabase, token: NewToken, now: number): 'inserted' | 'name-taken' {
  if (db.apiTokens.has(token.name)) return 'name-taken';
  createApiToken(db, token, now);
  return 'inserted';
}

/** Lists tokens by name. */
export function listApiTokens(db: MemoryDatabase): readonly ListedToken[] {
  return [...db.apiTokens.values()]
    .toSorted((one, other) => (one.name < other.name ? -1 : 1))
    .map(({ sha256: _secret, ...token }) => token);
}

/** A token by its id; null for an unknown one. */
export function readApiToken(db: MemoryDatabase, id: string): ListedToken | null {
  return listApiTokens(db).find((token) => token.id === id) ?? null;
}

/** Deletes a token; ignores one that is gone. */
export function deleteApiToken(db: MemoryDatabase, id: string): void {
  for (const [key, token] of db.apiTokens) if (token.id === id) db.remove(db.apiTokens, key);
}

/** Says until when it is good; null: until it is revoked. */
export function setApiTokenEnd(db: MemoryDatabase, id: string, expiresAt: number | null): void {
  for (const [key, token] of db.apiTokens) if (token.id === id) db.put(db.apiTokens, key, { ...token, expiresAt });
}

/** Notes that it is used. */
export function touchApiToken(db: MemoryDatabase, id: string, now: number): void {
  for (const [key, token] of db.apiTokens)
    if (token.id === id) db.put(db.apiTokens, key, { ...token, lastUsedAt: now });
}

/** Gives a worker a token: see the port. People's tokens are known by their names, which hold no colon. */
export function issueWorkerToken(db: MemoryDatabase, token: WorkerToken, now: number): void {
  const blank = { role: 'worker' as const, expiresAt: null, createdAt: now, lastUsedAt: null };
  db.put(db.apiTokens, tokenKey(token.workerId), { ...token, ...blank });
}

/** The key of a worker's token. */
export function tokenKey(workerId: string): string {
  return `worker:${workerId}`;
}
