// Joins machines and gateways: each token is used once.
import type { NewJoinToken, NewMachine } from '../../port/machines.ts';
import { send } from '../../connection/pipeline.ts';
import { instant } from '../../connection/values.ts';
import { columnsOf } from '../../tables/columns.ts';
import type { Db, Pool, Trx } from '../db.ts';
import { audit } from '../people/audit.ts';
import { NEW_MACHINE } from '../steps/new-machine.ts';

/** Adds a join token that is good until `expiresAt`, epoch milliseconds. */
export async function createJoinToken(
  db: Pool,
  { sha256: tokenSha256, expiresAt, now: createdAt, forGateway = false, audit: entry }: NewJoinToken,
): Promise<void> {
  const row = columnsOf('joinTokens', { tokenSha256, forGateway, expiresAt, usedAt: null, createdAt });
  await db.transaction().execute(async (trx) => {
    await send(trx, trx.insertInto('joinTokens').values(row));
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
    if (known?.revokedAt === null) return { kind: 'joined', machineId: known.machineId };
    const token = await useToken(trx, join, known?.revokedAt ?? null);
    if (known !== null && token !== null) return readmit(trx, known.machineId, join);
    // The update waited for another try that used it: what that one committed is seen now.
    if (token === null) return (await joinedNow(trx, join)) ?? { kind: 'bad-token' };
    const { id, name, publicKey } = join;
    const { forGateway: isGateway } = token;
    const added = await trx
      .insertInto('machines')
      .values(columnsOf('machines', { ...NEW_MACHINE, id, name, publicKey, isGateway, createdAt: join.now }))
      .onConflict((conflict) => conflict.column('name').doNothing())
      .executeTakeFirst();
    if (added.numInsertedOrUpdatedRows === 0n) {
      await send(trx, trx.updateTable('joinTokens').set({ usedAt: null }).where('tokenSha256', '=', join.tokenSha256));
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
  const good = db
    .updateTable('joinTokens')
    .set({ usedAt: instant(now) })
    .where('tokenSha256', '=', tokenSha256)
    .where('usedAt', 'is', null)
    .where('expiresAt', '>', instant(now))
    .returning('forGateway');
  const used = await (madeAfter === null ? good : good.where('createdAt', '>', instant(madeAfter))).executeTakeFirst();
  return used ?? null;
}

async function readmit(
  db: Trx,
  machineId: string,
  { audit: entry }: NewMachine,
): Promise<{ kind: 'joined'; machineId: string }> {
  await send(db, db.updateTable('machines').set({ revokedAt: null, rotateSince: null }).where('id', '=', machineId));
  if (entry !== undefined) await audit(db, entry);
  return { kind: 'joined', machineId };
}

async function joinedNow(db: Db, { publicKey }: NewMachine): Promise<{ kind: 'joined'; machineId: string } | null> {
  const known = await joinedWith(db, publicKey);
  return known?.revokedAt === null ? { kind: 'joined', machineId: known.machineId } : null;
}

async function joinedWith(
  db: Db,
  publicKey: string,
): Promise<{ readonly machineId: string; readonly revokedAt: number | null } | null> {
  const known = await db
    .selectFrom('machines')
    .select(['id as machineId', 'revokedAt'])
    .where('publicKey', '=', publicKey)
    .executeTakeFirst();
  return known ?? null;
}
