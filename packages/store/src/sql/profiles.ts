// Agent profiles beside those of the build.
import { sql } from 'kysely';
import type { FleetProfile, ProfileSet } from '../port/profiles.ts';
import type { Db, Trx } from './db.ts';
import { insertion, one, setting } from './steps/rows.ts';

/** Reads all names that ever had a document of the fleet's, with the newest revision among them; 0 when there never was one. */
export async function readProfiles(db: Db): Promise<ProfileSet> {
  const rows = await db.selectFrom('profiles').selectAll().orderBy('name').execute();
  const documents = rows.map(({ updatedAt: _updatedAt, ...profile }) => profile);
  return { revision: Math.max(0, ...rows.map(({ revision }) => revision)), documents };
}

/** Saves what the fleet has under a name. Every change has a revision of its own. @returns the new revision. */
export async function putProfile(db: Trx, name: string, profile: FleetProfile, now: number): Promise<number> {
  const values = { ...profile, updatedAt: now };
  const again = sql`on conflict (name) do update set ${setting('profiles', values)}, revision = nextval('profile_revision')
    returning revision`;
  return (await one(db, insertion('profiles', [{ name, ...values }], again))).revision;
}

/** Gives staged profiles a new revision: a machine whose labels have changed asks again for what it should have. */
export async function renewStagedProfiles(db: Trx): Promise<void> {
  await sql`update profiles set revision = nextval('profile_revision') where staged is not null`.execute(db);
}
