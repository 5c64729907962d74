// Reads and claims due work in memory: the same as sql/due-work.ts.
import { LEASE_DOUBLINGS_MAX } from '../../port/due-work.ts';
import type { DueWork, FailingWork } from '../../port/due-work.ts';
import type { DueRecord, MemoryDatabase } from './engine/database.ts';
import { held } from './engine/table.ts';

/** Replaces the whole set of a worker's deadlines. */
export function setDeadlines(db: MemoryDatabase, workerId: string, deadlines: Readonly<Record<string, number>>): void {
  for (const row of db.dueWork.values()) {
    const isGone = !Object.keys(deadlines).some((name) => row.key === `${workerId}:${name}`);
    if (row.kind === 'worker-deadline' && row.workerId === workerId && isGone) db.remove(db.dueWork, keyOf(row));
  }
  const rows = Object.entries(deadlines).map(([name, dueAt]): DueWork => ({
    kind: 'worker-deadline',
    key: `${workerId}:${name}`,
    workerId,
    dueAt,
    payload: { name },
  }));
  schedule(db, rows);
}

/** An existing row is armed again only if its time changed, so that a lease that is held stays held. */
export function schedule(db: MemoryDatabase, work: readonly DueWork[]): void {
  for (const row of work) {
    if (db.dueWork.get(keyOf(row))?.dueAt === row.dueAt) continue;
    db.put(db.dueWork, keyOf(row), { ...row, leaseUntil: null, tries: 0, problem: null });
  }
}

/** Makes a row due now, if there is one, and at an earlier time than before in any case. */
export function hastenDueWork(db: MemoryDatabase, work: Pick<DueWork, 'kind' | 'key'>, now: number): void {
  const row = db.dueWork.get(keyOf(work));
  if (row === undefined) return;
  const dueAt = Math.min(now, row.dueAt - 1);
  db.put(db.dueWork, keyOf(work), { ...row, dueAt, leaseUntil: null, tries: 0 });
}

/** Locks the row. @returns false if it is done, or was armed for another time since. */
export function lockDueWork(db: MemoryDatabase, work: DueWork): boolean {
  return held(db.dueWork, keyOf(work))?.dueAt === work.dueAt;
}

/** Removes finished work. A row that was armed for another time meanwhile stays. */
export function finishDueWork(db: MemoryDatabase, work: DueWork): void {
  if (db.dueWork.get(keyOf(work))?.dueAt === work.dueAt) db.remove(db.dueWork, keyOf(work));
}

/** Takes the oldest due rows that are not leased, and leases them for `leaseMs`, doubled with each try. */
export function claimDueWork(
  db: MemoryDatabase,
  now: number,
  { limit, leaseMs }: { limit: number; leaseMs: number },
): readonly DueWork[] {
  const due = [...db.dueWork.values()]
    .filter((row) => row.dueAt <= now && (row.leaseUntil === null || row.leaseUntil < now))
    .filter((row) => !db.dueWork.isHeld(keyOf(row)))
    .toSorted((one, other) => one.dueAt - other.dueAt)
    .slice(0, limit);
  for (const row of due) {
    const leaseUntil = now + leaseMs * 2 ** Math.min(row.tries, LEASE_DOUBLINGS_MAX);
    db.put(db.dueWork, keyOf(row), { ...row, leaseUntil, tries: row.tries + 1 });
  }
  return due.map(({ leaseUntil: _leased, tries: _tries, problem: _problem, ...work }) => work);
}

/** Epoch milliseconds at which the next row can be claimed; null when there is none. */
export function nextDueAt(db: MemoryDatabase, now: number): number | null {
  let next: number | null = null;
  for (const { dueAt, leaseUntil } of db.dueWork.values()) {
    const at = leaseUntil === null || leaseUntil < now ? dueAt : leaseUntil;
    next = next === null ? at : Math.min(next, at);
  }
  return next;
}

/** Keeps why a row was not done, if it is still armed for that time. */
export function noteDueProblem(db: MemoryDatabase, work: DueWork, problem: string): void {
  const row = db.dueWork.get(keyOf(work));
  if (row?.dueAt === work.dueAt) db.put(db.dueWork, keyOf(work), { ...row, problem });
}

/** Rows that were taken this often or more, oldest first. */
export function listFailingWork(db: MemoryDatabase, triesMin: number, limit: number): readonly FailingWork[] {
  return [...db.dueWork.values()]
    .filter(({ tries }) => tries >= triesMin)
    .toSorted((one, other) => one.dueAt - other.dueAt)
    .slice(0, limit)
    .map(({ kind, key, dueAt, tries, problem, leaseUntil }) => ({
      kind,
      key,
      dueAt,
      tries,
      problem,
      nextTryAt: Math.max(dueAt, leaseUntil ?? 0),
    }));
}

function keyOf({ kind, key }: Pick<DueRecord, 'kind' | 'key'>): string {
  return `${kind} ${key}`;
}
