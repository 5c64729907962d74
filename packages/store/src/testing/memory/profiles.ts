// Agent profiles in memory: the same as sql/profiles.ts.
import type { ProfileSet } from '../../port/profiles.ts';
import type { MemoryDatabase } from './engine/database.ts';

/** Documents that were taken back count for the revision only. */
export function readProfiles(db: MemoryDatabase): ProfileSet {
  const rows = [...db.profiles.values()].toSorted((one, other) => (one.name < other.name ? -1 : 1));
  return {
    revision: Math.max(0, ...rows.map(({ revision }) => revision)),
    documents: rows.filter(({ document }) => document !== null),
  };
}

/** Saves a document with a revision of its own; so does a change that withdraws a document. */
export function putProfile(db: MemoryDatabase, name: string, document: unknown): number {
  const revision = db.nextId();
  db.put(db.profiles, name, { name, revision, document });
  return revision;
}
