// Joins machines and gateways: each token is used once.
import type { NewJoinToken, NewMachine } from '../../port/machines.ts';
import { sql } from 'kysely';
import { send } from '../../connection/pipeline.ts';
import { instant } from '../../connection/values.ts';
import type { Db, Pool, Trx } from '../db.ts';
import { change, find, insertion, writes } from '../steps/rows.ts';
import { audit } from '../people/audit.ts';

/** Adds a join token that is good until `expiresAt`, epoch milliseconds. */
export async function createJoinToken(
  db: Pool,
  { sha256: tokenSha256, expiresAt, now: createdAt, forGateway = false, audit: entry }: NewJoinToken,
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await send(trx, insertion('joinTokens', [{ tokenSha256, forGateway, expiresAt, createdAt }]));
    if (entry !== undefined) await audit(trx, entry);
  });
}

/**
 * Uses the token and adds the machine, or says why not. A known key keeps its machine: a machine whose answer was lost
 * asks again, perhaps beside its first try. A revoked machine comes back by a token that was made after its
 * revocation.
 */
export async function joinMachine(
  db: Pool,
  join: NewMachine,
): Promise<{ readonly kind: 'joined'; readonly machineId: string } | { readonly kind: 'bad-token' | 'name-taken' }> {
  return db.transaction().execute(async (trx) => {
    const known = await joinedWith(trx, join.publicKey);
    if (known?.revokedAt === null) return { kind: 'joined', machineId: known.id };
    const token = await useToken(trx, join, known?.revokedAt ?? null);
    if (known !== null && token !== null) return readmit(trx, known.id, join);
    // The update waited for another try that used it: what that one committed is seen now.
    if (token === null) return (await joinedNow(trx, join)) ?? { kind: 'bad-token' };
    const { id, name, publicKey } = join;
    const { forGateway: isGateway } = token;
    const row = { id, name, publicKey, isGateway, createdAt: join.now };
    if (!(await writes(trx, insertion('machines', [row], sql`on conflict (name) do nothing`)))) {
      await send(trx, change('joinTokens', { tokenSha256: join.tokenSha256 }, { usedAt: null }));
      return (await joinedNow(trx, join)) ?? { kind: 'name-taken' };
    }
    if (join.audit !== undefined) await audit(trx, join.audit);
    return { kind: 'joined', machineId: join.id };
  });
}

/** @param madeAfter Epoch milliseconds; null: it may be of any age. @returns null for a token that is not good. */
async function useToken(
  db: Db,
  { tokenSha256, now }: NewMachine,
  madeAfter: number | null,
): Promise<{ readonly forGateway: boolean } | null> {
  const { rows } = await sql<{ forGateway: boolean }>`update join_tokens set used_at = ${instant(now)}
    where token_sha256 = ${tokenSha256} and used_at is null and expires_at > ${instant(now)}
      and (${madeAfter}::double precision is null or created_at > ${instant(madeAfter ?? 0)})
    returning for_gateway`.execute(db);
  return rows[0] ?? null;
}

async function readmit(
  db: Trx,
  machineId: string,
  { audit: entry }: NewMachine,
): Promise<{ kind: 'joined'; machineId: string }> {
  await send(db, change('machines', { id: machineId }, { revokedAt: null, rotateSince: null }));
  if (entry !== undefined) await audit(db, entry);
  return { kind: 'joined', machineId };
}

async function joinedNow(db: Db, { publicKey }: NewMachine): Promise<{ kind: 'joined'; machineId: string } | null> {
  const known = await joinedWith(db, publicKey);
  return known?.revokedAt === null ? { kind: 'joined', machineId: known.id } : null;
}

async function joinedWith(db: Db, publicKey: string) {
  return find(db, 'machines', { publicKey }, { columns: ['id', 'revokedAt'] });
}
