// Chooses the user as which the server runs. Postgres refuses to run as root.
import { chown, stat } from 'node:fs/promises';
import type { Log } from '@drover/base';
import { EmbeddedPostgresError } from './errors.ts';
import { runProgram } from './run-program.ts';
import type { Account } from './run-program.ts';

export type { Account };

/** Account of this process. */
export const SELF: Account = { kind: 'self' };

/**
 * User as which root runs the server. A user of its own, because each program of that user could write to the
 * database: neither `postgres`, as whom other servers run, nor `nobody`, as whom anything may.
 */
export const SERVER_USER = 'drover-postgres';

/** A user as whom no person can log in: without a password, a shell and a home. The second line is for busybox. */
const MAKE_USER = `PATH=$PATH:/usr/sbin:/sbin
useradd --system --user-group --no-create-home --home-dir /nonexistent --shell /usr/sbin/nologin "$1" ||
  { addgroup -S "$1" && adduser -S -D -H -h /nonexistent -s /sbin/nologin -G "$1" "$1"; }`;

const MAKE_TIMEOUT_MS = 20_000;
const ID_TIMEOUT_MS = 5_000;

/** Tells whether this process is root, who may not run Postgres. Always false on Windows. */
export function isRoot(): boolean {
  return process.getuid?.() === 0;
}

/** @throws {EmbeddedPostgresError} `no-account` if we are root, and the server's user is not there and cannot be made. */
export async function accountForNewCluster(log: Log): Promise<Account> {
  if (!isRoot()) return SELF;
  const known = await serverUser();
  if (known !== undefined) return known;
  const made = await runProgram('/bin/sh', ['-c', MAKE_USER, 'sh', SERVER_USER], {
    account: SELF,
    timeoutMs: MAKE_TIMEOUT_MS,
  });
  // Looks again: another Drover may have made the user at the same time.
  const user = await serverUser();
  if (user !== undefined) {
    log('info', `Made the user "${SERVER_USER}" on this machine: Postgres does not run as root.`);
    return user;
  }
  const why = made.kind === 'exited' ? made.output.trim() : made.reason;
  throw new EmbeddedPostgresError(
    'no-account',
    `Postgres does not run as root, and the user "${SERVER_USER}" to run it as could not be made (${why}). ` +
      `Make it (useradd --system --shell /usr/sbin/nologin ${SERVER_USER}), start Drover as a normal user, or set DATABASE_URL.`,
  );
}

async function serverUser(): Promise<Account | undefined> {
  const [uid, gid] = [await idOf('-u', SERVER_USER), await idOf('-g', SERVER_USER)];
  if (uid === undefined || gid === undefined || uid === 0) return undefined;
  return { kind: 'other', name: SERVER_USER, uid, gid };
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

/** Tells whether the server's user can enter this directory, by trying it: modes do not tell of mounts and ACLs. */
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
