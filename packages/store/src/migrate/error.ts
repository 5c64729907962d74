// Lists the ways in which migrations can be refused.
import { messageOf } from '@drover/base';

/** Reasons of a refusal, and whether a retry can help. */
export const MIGRATION_ERRORS = {
  'bad-name': { retry: false }, // a file in the directory is not NNNN_name.sql
  gap: { retry: false }, // a number is missing or there twice
  'own-transaction': { retry: false }, // a file begins or ends a transaction by itself
  'other-build': { retry: false }, // the first migration that the database has seen is not this build's
  edited: { retry: false }, // an applied file was changed, renamed or replaced
  'older-build': { retry: false }, // the database has migrations that this build lacks
  failed: { retry: false }, // the SQL did not run
} as const satisfies Record<string, { retry: boolean }>;

/** The database cannot be brought to what this build expects. */
export class MigrationError extends Error {
  override readonly name = 'MigrationError';
  readonly code: keyof typeof MIGRATION_ERRORS;

  constructor(code: keyof typeof MIGRATION_ERRORS, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }

  /** Names the file, and the line where the server tells a position (in characters, counted from 1). */
  static failed(file: { readonly name: string; readonly sql: string }, cause: unknown): MigrationError {
    const position = cause instanceof Error && 'position' in cause ? Number(cause.position) : Number.NaN;
    const line = position > 0 ? `, line ${file.sql.slice(0, position - 1).split('\n').length}` : '';
    const reason = messageOf(cause);
    return new MigrationError('failed', `The migration "${file.name}"${line} failed: ${reason}`, { cause });
  }
}
