// Spans without calls, in memory: the same as sql/channels/silences.ts.
import type { SilenceRow } from '../../../port/channels.ts';
import type { MemoryDatabase } from '../engine/database.ts';

/** Ends a silence early. */
export function deleteSilence(db: MemoryDatabase, id: string): boolean {
  const isThere = db.silences.has(id);
  if (isThere) db.remove(db.silences, id);
  return isThere;
}

/** Writes its end and its reason. @returns whether there is one. */
export function saveSilence(db: MemoryDatabase, change: Pick<SilenceRow, 'id' | 'until' | 'reason'>): boolean {
  const row = db.silences.get(change.id);
  if (row !== undefined) db.put(db.silences, row.id, { ...row, until: change.until, reason: change.reason });
  return row !== undefined;
}

/** Lists silences that are not over, the first to end first. */
export function listSilences(db: MemoryDatabase, now: number): readonly SilenceRow[] {
  return [...db.silences.values()]
    .filter(({ until }) => until > now)
    .toSorted((one, other) => one.until - other.until || (one.id < other.id ? -1 : 1));
}

/** Removes those that were over before a time. */
export function pruneSilences(db: MemoryDatabase, before: number): void {
  for (const [id, { until }] of db.silences) if (until < before) db.remove(db.silences, id);
}
