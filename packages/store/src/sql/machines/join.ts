// How machines and gateways join: each token is used once.
import type { Kysely } from 'kysely';
import type { NewJoinToken, NewMachine } from '../../port/machines.ts';
import type { Database } from '../../tables/database.ts';
import { send } from '../../connection/pipeline.ts';
import { instant, json } from '../../connection/values.ts';
import type { Db } from '../db.ts';
import { appendAudit } from '../people/audit.ts';

/** Adds a join token that is good until `expiresAt`, epoch milliseconds. */
export async function createJoinToken(
  db: Db,
  { sha256, expiresAt, now, forGateway = false }: NewJoinToken,
): Promise<void> {
  await send(
    db,
    db.insertInto('join_tokens').values({
      token_sha256: sha256,
      for_gateway: forGateway,
      expires_at: instant(expiresAt),
      used_at: null,
      created_at: instant(now),
    }),
  );
}

/** A machine whose answer was lost asks again with the same key, perhaps beside its first try, and gets the same id. */
export async function joinMachine(
  db: Kysely<Database>,
  join: NewMachine,
): Promise<{ kind: 'joined'; machineId: string } | { kind: 'bad-token' | 'name-taken' }> {
  return db.transaction().execute(async (trx) => {
    const known = await joinedWith(trx, join.publicKey);
    if (known?.revokedAt === null) return { kind: 'joined', machineId: known.machineId };
    const token = await useToken(trx, join, known?.revokedAt ?? null);
    if (known !== null && token !== null) return readmit(trx, known.machineId, join);
    // The update waited for another try that used it: what that one committed is seen now.
    if (token === null) return (await joinedNow(trx, join)) ?? { kind: 'bad-token' };
    const added = await trx
      .insertInto('machines')
      .values({
        ...EMPTY,
        id: join.id,
        name: join.name,
        public_key: join.publicKey,
        is_gateway: token.forGateway,
        created_at: instant(join.now),
      })
      .onConflict((conflict) => conflict.column('name').doNothing())
      .executeTakeFirst();
    if (added.numInsertedOrUpdatedRows === 0n) {
      await send(
        trx,
        trx.updateTable('join_tokens').set({ used_at: null }).where('token_sha256', '=', join.tokenSha256),
      );
      return (await joinedNow(trx, join)) ?? { kind: 'name-taken' };
    }
    if (join.audit !== undefined) await appendAudit(trx, join.audit);
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
    .updateTable('join_tokens')
    .set({ used_at: instant(now) })
    .where('token_sha256', '=', tokenSha256)
    .where('used_at', 'is', null)
    .where('expires_at', '>', instant(now))
    .returning('for_gateway');
  const used = await (madeAfter === null ? good : good.where('created_at', '>', instant(madeAfter))).executeTakeFirst();
  return used === undefined ? null : { forGateway: used.for_gateway };
}

async function readmit(
  db: Db,
  machineId: string,
  { audit }: NewMachine,
): Promise<{ kind: 'joined'; machineId: string }> {
  await send(db, db.updateTable('machines').set({ revoked_at: null, rotate_since: null }).where('id', '=', machineId));
  if (audit !== undefined) await appendAudit(db, audit);
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
    .select(['id', 'revoked_at'])
    .where('public_key', '=', publicKey)
    .executeTakeFirst();
  return known === undefined ? null : { machineId: known.id, revokedAt: known.revoked_at };
}

/** What is known of a machine that has said no hello. */
export const EMPTY = {
  facts: json<unknown>(null),
  places: json<unknown>(null),
  access_token_sha256: null,
  access_token_expires_at: null,
  dialled_url: null,
  revoked_at: null,
  rotate_since: null,
  cordon: json<unknown>(null),
  labels: json<unknown>([]),
  capacity: null,
  address: null,
  condition: json<unknown>(null),
  ssh: json<unknown>(null),
  agent_epoch: null,
  version: null,
  last_seen_at: null,
};
