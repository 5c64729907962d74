// Machines over SSH: how they are added, and which gateway speaks for them.
import { sql } from 'kysely';
import type { NewSshMachine, SshMachine } from '../../port/machines.ts';
import type { Trx } from '../db.ts';
import { change, insertion, writes } from '../steps/rows.ts';

/** The key of a machine that no gateway has taken yet: nothing is signed by it. */
function noKey(id: string): string {
  return `none ${id}`;
}

/** Adds a machine over SSH. @returns false when the name is taken. */
export async function addSshMachine(db: Trx, { now: createdAt, ...machine }: NewSshMachine): Promise<boolean> {
  const row = { ...machine, publicKey: noKey(machine.id), createdAt };
  return writes(db, insertion('machines', [row], sql`on conflict (name) do nothing`));
}

/** Replaces the SSH facts of a machine. @returns false for an unknown machine. */
export async function saveSsh(db: Trx, id: string, ssh: SshMachine): Promise<boolean> {
  return writes(db, change('machines', { id }, { ssh }));
}

/** Replaces the key of a machine; its sessions and its access token end. @returns false for an unknown machine. */
export async function handMachineOver(db: Trx, id: string, publicKey: string): Promise<boolean> {
  const ended = { accessTokenSha256: null, accessTokenExpiresAt: null, sessionEpoch: sql<number>`session_epoch + 1` };
  return writes(db, change('machines', { id }, { publicKey, rotateSince: null, ...ended }));
}
