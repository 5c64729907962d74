// Machines over SSH: how they are added, and which gateway speaks for them.
import { sql } from 'kysely';
import type { NewSshMachine, SshMachine } from '../../port/machines.ts';
import { columnsOf } from '../../tables/columns.ts';
import type { Trx } from '../db.ts';
import { NEW_MACHINE } from '../steps/new-machine.ts';

/** The key of a machine that no gateway has taken yet: nothing is signed by it. */
function noKey(id: string): string {
  return `none ${id}`;
}

/** Adds a machine over SSH. @returns false when the name is taken. */
export async function addSshMachine(db: Trx, { now: createdAt, ...machine }: NewSshMachine): Promise<boolean> {
  const row = { ...NEW_MACHINE, ...machine, publicKey: noKey(machine.id), createdAt };
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('machines')
    .values(columnsOf('machines', row))
    .onConflict((conflict) => conflict.column('name').doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows === 1n;
}

/** Replaces the SSH facts of a machine. @returns false for an unknown machine. */
export async function saveSsh(db: Trx, id: string, ssh: SshMachine): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('machines')
    .set(columnsOf('machines', { ssh }))
    .where('id', '=', id)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Replaces the key of a machine; its sessions and its access token end. @returns false for an unknown machine. */
export async function handMachineOver(db: Trx, id: string, publicKey: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('machines')
    .set({
      publicKey: publicKey,
      rotateSince: null,
      accessTokenSha256: null,
      accessTokenExpiresAt: null,
      sessionEpoch: sql<number>`session_epoch + 1`,
    })
    .where('id', '=', id)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}
