// Machines over SSH: how they are added, and which gateway speaks for them.
import { sql } from 'kysely';
import type { NewSshMachine, SshMachine } from '../../port/machines.ts';
import { instant, json } from '../../connection/values.ts';
import type { Db } from '../db.ts';
import { EMPTY } from './join.ts';

/** The key of a machine that no gateway has taken yet: nothing is signed by it. */
function noKey(id: string): string {
  return `none ${id}`;
}

/** @returns false when the name is taken. */
export async function addSshMachine(
  db: Db,
  { id, name, ssh, labels, capacity, address, now }: NewSshMachine,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('machines')
    .values({
      ...EMPTY,
      id,
      name,
      public_key: noKey(id),
      ssh: json<unknown>(ssh),
      labels: json<unknown>(labels),
      capacity,
      address,
      created_at: instant(now),
    })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows === 1n;
}

/** In the place of what was there. @returns false for an unknown machine. */
export async function saveSsh(db: Db, id: string, ssh: SshMachine): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('machines')
    .set({ ssh: json<unknown>(ssh) })
    .where('id', '=', id)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Known by another key from now on; sessions and the access token of before are over. @returns false for an unknown machine. */
export async function handMachineOver(db: Db, id: string, publicKey: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('machines')
    .set({
      public_key: publicKey,
      rotate_since: null,
      access_token_sha256: null,
      access_token_expires_at: null,
      session_epoch: sql<number>`session_epoch + 1`,
    })
    .where('id', '=', id)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}
