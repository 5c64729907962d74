// Agent profiles in memory: the same as sql/profiles.ts.
import type { FleetProfile, ProfileSet } from '../../port/profiles.ts';
import type { MemoryDatabase } from './engine/database.ts';

export function readProfiles(db: MemoryDatabase): ProfileSet {
  const documents = [...db.profiles.values()].toSorted((one, other) => (one.name < other.name ? -1 : 1));
  return { revision: Math.max(0, ...documents.map(({ revision }) => revision)), documents };
}

export function putProfile(db: MemoryDatabase, name: string, profile: FleetProfile): number {
  const revision = db.nextId();
  db.put(db.profiles, name, { name, revision, ...profile });
  return revision;
}

export function renewStagedProfiles(db: MemoryDatabase): void {
  for (const row of db.profiles.values())
    if (row.staged !== null) db.put(db.profiles, row.name, { ...row, revision: db.nextId() });
}
