// Agent profiles beside those of the build.
import { sql } from 'kysely';
import type { ProfileSet } from '../port/profiles.ts';
import type { Db, Trx } from './db.ts';
import { insertion, one, setting } from './steps/rows.ts';

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
  const values = { document, updatedAt: now };
  const again = sql`on conflict (name) do update set ${setting('profiles', values)}, revision = nextval('profile_revision')
    returning revision`;
  return (await one(db, insertion('profiles', [{ name, ...values }], again))).revision;
}
