// Agent profiles beside those of the build.
import { sql } from 'kysely';
import type { ProfileSet } from '../port/profiles.ts';
import { columnsOf } from '../tables/columns.ts';
import type { Db, Trx } from './db.ts';

/**
 * Reads profile documents beside those of the build, with the newest revision among them; 0 when there never was one.
 * Withdrawn documents count for the revision only.
 */
export async function readProfiles(db: Db): Promise<ProfileSet> {
  const rows = await db.selectFrom('profiles').select(['name', 'revision', 'document']).orderBy('name').execute();
  return {
    revision: Math.max(0, ...rows.map(({ revision }) => revision)),
    documents: rows.filter(({ document }) => document !== null),
  };
}

/** Replaces a document; null takes it back. Every change has a revision of its own. @returns the new revision. */
export async function putProfile(db: Trx, name: string, document: unknown, now: number): Promise<number> {
  const values = columnsOf('profiles', { document, updatedAt: now });
  const { revision } = await db
    .insertInto('profiles')
    .values({ name, ...values })
    .onConflict((conflict) =>
      conflict.column('name').doUpdateSet({ ...values, revision: sql<number>`nextval('profile_revision')` }),
    )
    .returning('revision')
    .executeTakeFirstOrThrow();
  return revision;
}
