// Lists the ways in which the embedded Postgres can refuse to start, and what a person should do about each.
import { DatabaseError } from 'pg';

/** Failures of the launcher, and whether a retry can help. */
export const EMBEDDED_POSTGRES_ERRORS = {
  'no-binaries': { retry: false }, // no server program on this machine can be run
  'no-account': { retry: false }, // we are root, and no other user can run the server
  'data-directory-unusable': { retry: false }, // read-only, not ours, or not a directory
  'disk-full': { retry: false },
  'in-use': { retry: false }, // another Drover holds the data directory
  'version-mismatch': { retry: false }, // the data was written by another major version
  'still-stopping': { retry: true }, // processes of a killed server are not gone yet
  'start-failed': { retry: false }, // anything else; the message ends with the server's own words
} as const satisfies Record<string, { retry: boolean }>;

export type EmbeddedPostgresErrorCode = keyof typeof EMBEDDED_POSTGRES_ERRORS;

/** The embedded Postgres cannot be had. The message says why and what to do. */
export class EmbeddedPostgresError extends Error {
  override readonly name = 'EmbeddedPostgresError';
  readonly code: EmbeddedPostgresErrorCode;

  constructor(code: EmbeddedPostgresErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

const UNUSABLE = new Set(['EACCES', 'EPERM', 'EROFS', 'ENOTDIR', 'EEXIST', 'ENOENT', 'ELOOP', 'ENAMETOOLONG']);
const FULL = new Set(['ENOSPC', 'EDQUOT']);

/** Turns a failed file operation on `path` into a typed error; anything else is handed back as it is. */
export function storageError(path: string, error: unknown): unknown {
  if (error instanceof EmbeddedPostgresError || !(error instanceof Error) || !('code' in error)) return error;
  const code = String(error.code);
  if (FULL.has(code)) return diskFull(path, { cause: error });
  if (!UNUSABLE.has(code)) return error;
  return new EmbeddedPostgresError(
    'data-directory-unusable',
    `Cannot write to "${path}" (${error.message}). Drover keeps its database there: ` +
      `make it writable, choose another data directory, or set DATABASE_URL to a Postgres server of your own.`,
    { cause: error },
  );
}

/**
 * Finds the reason in the words of `initdb` or the server. Both run with `LC_ALL=C`, so the words are English.
 *
 * @param action Action that failed, such as `start the server`.
 */
export function serverError(action: string, path: string, output: string): EmbeddedPostgresError {
  const tail = output.trim().split('\n').slice(-12).join('\n');
  if (/No space left on device|Disk quota exceeded/i.test(output)) return diskFull(path, { cause: new Error(tail) });
  if (/pre-existing shared memory block|lock file "[^"\n]*" already exists/.test(output)) {
    return new EmbeddedPostgresError(
      'still-stopping',
      `Cannot ${action} on "${path}": processes of an earlier, killed server still run there. Try again shortly.\n${tail}`,
    );
  }
  if (/Read-only file system|Permission denied|has wrong ownership/.test(output)) {
    return new EmbeddedPostgresError(
      'data-directory-unusable',
      `Cannot ${action} on "${path}": the server has no write permission there. ` +
        `Make it writable, choose another data directory, or set DATABASE_URL.\n${tail}`,
    );
  }
  const advice =
    'If its files are damaged, "drover doctor" lists the backups: "drover doctor --repair --restore DATE" puts one in its place; without a backup, "drover doctor --repair --new-database" starts with an empty database, and the work stays.';
  return new EmbeddedPostgresError('start-failed', `Cannot ${action} on "${path}". ${advice} Its last words:\n${tail}`);
}

/** Turns what a started server says of the database itself into a typed error; anything else is handed back as it is. */
export function unreadable(path: string, error: unknown): unknown {
  return error instanceof DatabaseError ? serverError('read the database', path, error.message) : error;
}

function diskFull(path: string, options: ErrorOptions): EmbeddedPostgresError {
  const message = `No space is left on the disk that holds "${path}". Free some, then start Drover again: nothing saved is lost.`;
  return new EmbeddedPostgresError('disk-full', message, options);
}
