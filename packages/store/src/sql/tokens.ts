// Who may speak for people?
import type { Kysely } from 'kysely';
import type { ApiToken } from '../port.ts';
import type { Database } from '../schema.ts';
import { instant } from '../values.ts';

/** A token of that name gets the new secret: an embedded Drover makes its own at every start. */
export async function createApiToken(
  db: Kysely<Database>,
  token: ApiToken & { readonly sha256: string },
  now: number,
): Promise<void> {
  const secret = {
    token_sha256: token.sha256,
    role: token.role,
    expires_at: token.expiresAt === null ? null : instant(token.expiresAt),
  };
  await db
    .insertInto('api_tokens')
    .values({ id: token.id, name: token.name, ...secret, last_used_at: null, created_at: instant(now) })
    .onConflict((conflict) => conflict.column('name').doUpdateSet(secret))
    .execute();
}

/** Whose token this is; null for nobody's. Expired ones are returned too: the caller knows the time. */
export async function apiTokenBySha256(db: Kysely<Database>, sha256: string): Promise<ApiToken | null> {
  const row = await db.selectFrom('api_tokens').selectAll().where('token_sha256', '=', sha256).executeTakeFirst();
  return row === undefined ? null : { id: row.id, name: row.name, role: row.role, expiresAt: row.expires_at };
}
