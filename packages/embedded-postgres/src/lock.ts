// Ensures that one data directory has one Drover, by a lock that the kernel drops when its holder dies.
import { chmodSync, chownSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { isRoot } from './account.ts';
import { EmbeddedPostgresError } from './errors.ts';

const SQLITE_BUSY = 5; // https://www.sqlite.org/rescode.html#busy

/**
 * Takes the exclusive lock in `file`, created if missing, and holds it until disposed or until this process ends in any way.
 * SQLite's file lock, because Node has none of its own; pid files and sockets were tried and raced (docs/adr/0001).
 *
 * @returns `undefined` when another holds it, be it in this process.
 */
export function tryLock(file: string): Disposable | undefined {
  const database = new DatabaseSync(file);
  try {
    database.exec('pragma locking_mode = exclusive; begin exclusive');
    return { [Symbol.dispose]: () => database.close() };
  } catch (error) {
    database.close();
    if (error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY) return undefined;
    throw error;
  }
}

/**
 * Takes the data directory for this Drover.
 *
 * @throws {EmbeddedPostgresError} `in-use` when another Drover has it; the message names its process where known.
 */
export function lockDataDirectory(dataDir: string): Disposable {
  const holderFile = join(dataDir, 'drover.pid');
  const file = join(dataDir, 'drover.lock');
  const lock = tryLock(file);
  if (lock === undefined) {
    throw new EmbeddedPostgresError(
      'in-use',
      `Another Drover${holder(holderFile)} uses the data directory "${dataDir}". ` +
        'Stop it first (drover down), or give this one its own data directory.',
    );
  }
  writeFileSync(holderFile, `${process.pid}\n`);
  chmodSync(file, 0o600);
  if (isRoot()) leaveToOwner([file, holderFile]);
  return lock;
}

function holder(file: string): string {
  try {
    return ` (process ${readFileSync(file, 'utf8').trim()})`;
  } catch {
    return '';
  }
}

/** Gives the files to the owner of their directory: files that root leaves in another user's directory must not lock its owner out later. */
function leaveToOwner(files: readonly string[]): void {
  for (const file of files) {
    const { uid, gid } = statSync(dirname(file));
    chownSync(file, uid, gid);
  }
}
