// As which user does the server run? Postgres refuses to run as root.
import { chown, stat } from 'node:fs/promises';
import { EmbeddedPostgresError } from './errors.ts';
import { runProgram } from './run-program.ts';
import type { Account } from './run-program.ts';

export type { Account };

/** Ourselves. */
export const SELF: Account = { kind: 'self' };

/** The users as which root runs the server, best first. Debian and others create `postgres` with their server package. */
const STAND_INS = ['postgres', 'nobody'] as const;

const ID_TIMEOUT_MS = 5_000;

/** Whether this process is root, who may not run Postgres. Always false on Windows. */
export function isRoot(): boolean {
  return process.getuid?.() === 0;
}

/** @throws {EmbeddedPostgresError} `no-account` if we are root and no stand-in exists. */
export async function accountForNewCluster(): Promise<Account> {
  if (!isRoot()) return SELF;
  for (const name of STAND_INS) {
    const [uid, gid] = [await idOf('-u', name), await idOf('-g', name)];
    if (uid !== undefined && gid !== undefined && uid !== 0) return { kind: 'other', name, uid, gid };
  }
  throw new EmbeddedPostgresError(
    'no-account',
    `Postgres does not run as root, and this machine has no user named ${STAND_INS.join(' or ')} to run it as. ` +
      'Create one (useradd --system postgres), start Drover as a normal user, or set DATABASE_URL.',
  );
}

/** The user who owns an existing cluster: the server accepts no other. Root can become him; others are found out later. */
export async function accountOfCluster(directory: string): Promise<Account> {
  if (!isRoot()) return SELF;
  const { uid, gid } = await stat(directory);
  return { kind: 'other', name: `user ${uid}`, uid, gid };
}

/** Gives a file or directory that root made to the server's user. Does nothing when we are that user. */
export async function giveTo(account: Account, path: string): Promise<void> {
  if (account.kind === 'other') await chown(path, account.uid, account.gid);
}

/** Whether the server's user can come as far as this directory, tried by doing it: modes do not tell of mounts and ACLs. */
export async function canReach(account: Account, directory: string): Promise<boolean> {
  if (account.kind === 'self') return true;
  const tried = await runProgram('/bin/sh', ['-c', 'cd -- "$1"', 'sh', directory], { account, timeoutMs: 5_000 });
  return tried.kind === 'exited' && tried.status === 0;
}

async function idOf(what: '-u' | '-g', name: string): Promise<number | undefined> {
  const answer = await runProgram('id', [what, name], { account: SELF, timeoutMs: ID_TIMEOUT_MS });
  if (answer.kind !== 'exited' || answer.status !== 0) return undefined;
  const id = Number.parseInt(answer.stdout, 10);
  return Number.isNaN(id) ? undefined : Math.trunc(id) | 0; // macOS prints -2 as 4294967294
}
