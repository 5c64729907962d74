// Lists the migrations that this build knows.
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { MigrationError } from './error.ts';

/** Migration file. `sha256` is of the text with line ends as `\n`, so that a checkout on Windows is the same file. */
export type MigrationFile = {
  readonly number: number;
  readonly name: string;
  readonly sql: string;
  readonly sha256: string;
};

const NAME = /^(\d{4})_[a-z0-9_]+\.sql$/;

/** Statements that would end our transaction in the middle. A bare `begin` without `;` is PL/pgSQL and fine. */
const OWN_TRANSACTION = /^[ \t]*(begin|commit|rollback|start\s+transaction)(\s+(transaction|work))?\s*;/im;

/**
 * Reads `0001_….sql`, `0002_….sql`, … in order. Names that begin with a dot and README.md are passed over.
 *
 * @throws {MigrationError} `bad-name`, `gap`, `own-transaction`.
 */
export async function readMigrationFiles(directory: string): Promise<readonly MigrationFile[]> {
  const names = (await readdir(directory)).filter((name) => !name.startsWith('.') && name !== 'README.md').sort();
  return Promise.all(names.map((name, index) => readMigrationFile(directory, name, index + 1)));
}

async function readMigrationFile(directory: string, name: string, expected: number): Promise<MigrationFile> {
  const digits = NAME.exec(name)?.[1];
  if (digits === undefined) {
    throw new MigrationError('bad-name', `"${join(directory, name)}" is not named like 0001_what_it_does.sql`);
  }
  const number = Number(digits);
  if (number !== expected) {
    throw new MigrationError('gap', `Expected migration ${expected} in "${directory}", found "${name}"`);
  }
  const sql = (await readFile(join(directory, name), 'utf8')).replaceAll(/\r\n?/g, '\n');
  if (OWN_TRANSACTION.test(sql)) {
    throw new MigrationError(
      'own-transaction',
      `"${name}" begins or ends a transaction; each file already runs in one`,
    );
  }
  return { number, name, sql, sha256: createHash('sha256').update(sql).digest('hex') };
}
