// Compares the database with what this build makes. Runs while the database works, and changes nothing.
import type { Log } from '@drover/base';
import { openClient } from '../connection/servers.ts';
import { CONNECT_TIMEOUT_MS } from '../connection/connect.ts';
import { readMigrationFiles } from './files.ts';
import { isOfThisLine, readFirstMigration } from './origin.ts';

/** Differences; empty lists where all is well. */
export type SchemaFacts = {
  readonly applied: number;
  /** The first migration of a database that another build made; null: this build, or one of its line, did. */
  readonly otherBuild: string | null;
  /** Migrations of this build that the database has not seen. */
  readonly missing: readonly string[];
  /** Migrations that the database has seen and this build does not know, or knows otherwise. */
  readonly strange: readonly string[];
  /** Indexes and constraints that Postgres itself does not trust: they may let the same row in twice. */
  readonly untrusted: readonly string[];
};

/** @throws what Postgres says when it cannot be asked. */
export async function examineSchema(
  connectionString: string,
  { directory, log }: { directory: string; log: Log },
): Promise<SchemaFacts> {
  const files = await readMigrationFiles(directory);
  const client = await openClient(connectionString, { connectionTimeoutMillis: CONNECT_TIMEOUT_MS }, (error) =>
    log('debug', `The connection was lost: ${error.message}`),
  );
  try {
    const first = await readFirstMigration(client);
    const seen = await client.query<{ name: string; sha256: string }>('select name, sha256 from schema_migration');
    const { rows: untrusted } = await client.query<{ name: string }>(
      `select indexrelid::regclass::text as name from pg_index join pg_class on pg_class.oid = indexrelid
       where relnamespace = current_schema()::regnamespace and not (indisvalid and indisready)
       union all select conname::text from pg_constraint
       where connamespace = current_schema()::regnamespace and not convalidated`,
    );
    const known = new Map(files.map(({ name, sha256 }) => [name, sha256]));
    const applied = new Set(seen.rows.map(({ name }) => name));
    return {
      applied: seen.rows.length,
      otherBuild: first === null || isOfThisLine(files, first) ? null : first.name,
      missing: files.map(({ name }) => name).filter((name) => !applied.has(name)),
      strange: seen.rows.filter(({ name, sha256 }) => known.get(name) !== sha256).map(({ name }) => name),
      untrusted: untrusted.map(({ name }) => name),
    };
  } finally {
    await client.end();
  }
}
