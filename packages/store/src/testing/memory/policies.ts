// Policies and decisions in memory: the same as sql/policies.ts.
import type { RecordedDecision } from '@drover/core';
import type { PolicyRow } from '../../port/policies.ts';
import type { EventRecord, MemoryDatabase } from './engine/database.ts';

/** Adds a policy; an existing one stays as it is. */
export function keepPolicy(db: MemoryDatabase, policy: PolicyRow): void {
  if (!db.policies.has(policy.version)) db.put(db.policies, policy.version, policy);
}

/** The newest first. */
export function listPolicies(db: MemoryDatabase): readonly PolicyRow[] {
  return [...db.policies.values()].toSorted((one, other) => other.createdAt - one.createdAt);
}

/** Lists decisions from an id on, oldest first. */
export function listDecisions(
  db: MemoryDatabase,
  workerId: string,
  { from, limit }: { from: number; limit: number },
): readonly RecordedDecision[] {
  return decisionsOf(db, workerId)
    .filter(({ id }) => id >= from)
    .flatMap(({ id, event, decided }) => (decided === null ? [] : [{ id, event, ...decided }]))
    .slice(0, limit);
}

/** The last before a time from which history can be decided again; else the first. */
export function replayableFrom(db: MemoryDatabase, workerId: string, since: number | null): number | null {
  const kept = decisionsOf(db, workerId).filter(({ decided }) => decided !== null && decided.before !== null);
  const before = since === null ? undefined : kept.findLast(({ at }) => at <= since);
  return (before ?? kept[0])?.id ?? null;
}

function decisionsOf(db: MemoryDatabase, workerId: string): readonly EventRecord[] {
  return [...db.events.values()].filter((row) => row.workerId === workerId).toSorted((one, other) => one.id - other.id);
}
