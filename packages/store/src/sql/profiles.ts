// Agent profiles beside those of the build.
import { sql } from 'kysely';
import type { Kysely } from 'kysely';
import type { ProfileSet } from '../port/profiles.ts';
import type { Database } from '../tables/database.ts';
import { instant, json } from '../connection/values.ts';
import type { Db } from './db.ts';

/** Documents that were taken back count for the revision only. */
export async function readProfiles(db: Kysely<Database>): Promise<ProfileSet> {
  const rows = await db.selectFrom('profiles').select(['name', 'revision', 'document']).orderBy('name').execute();
  return {
    revision: Math.max(0, ...rows.map(({ revision }) => revision)),
    documents: rows.filter(({ document }) => document !== null),
  };
}

/** Every change has a revision of its own, also one that takes a document back. */
export async function putProfile(
  db: Db,
  { name, document, now }: { readonly name: string; readonly document: unknown; readonly now: number },
): Promise<number> {
  const values = { document: document === null ? null : json(document), updated_at: instant(now) };
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
