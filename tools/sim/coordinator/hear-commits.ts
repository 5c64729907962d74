// Tells the checks and the replicas of each commit, as notifications of a database do.
import type { MemoryDatabase } from '@drover/store/testing';
import type { Checker } from '../promises/checker.ts';
import type { Replica } from './replica.ts';

/** Replicas hear which machines have commands, and when something is due. */
export function hearCommits(
  database: MemoryDatabase,
  { checker, replicas }: { checker: Checker; replicas: readonly Replica[] },
): void {
  let dueBefore: number | null = null;
  const told = new Set<string>();
  database.onCommitted = () => {
    checker.committed();
    const pending = new Set<string>();
    for (const { id, machineId, state } of database.outbox.values()) {
      if (state !== 'pending' || told.has(id)) continue;
      told.add(id);
      pending.add(machineId);
    }
    let due: number | null = null;
    for (const { dueAt } of database.dueWork.values()) due = due === null ? dueAt : Math.min(due, dueAt);
    if (pending.size === 0 && due === dueBefore) return;
    for (const replica of replicas) replica.hearOfCommit(pending, due === dueBefore ? null : due);
    dueBefore = due;
  };
}
