// Reports, the decision log and receipts in memory: the same as sql/machines/reports.ts and sql/history.ts.
import type { Reply } from '@drover/core';
import type {
  EventFilter,
  EventRow,
  FeedFilter,
  FeedPage,
  NewEvent,
  ReceiptRow,
  RefusalRecord,
  RefusedReports,
  Reporting,
} from '../../port/history.ts';
import type { NewObservation } from '../../port/machines.ts';
import type { Cause } from '../../port/people.ts';
import type { MemoryDatabase } from './engine/database.ts';
import { setStoredThrough } from './machines.ts';

/** Notes how far the buffer is taken, and holds the machine's row. */
export function receiveReports(
  db: MemoryDatabase,
  session: Reporting,
  seqs: readonly number[],
): readonly number[] | 'superseded' {
  if (!setStoredThrough(db, session, Math.max(...seqs))) return 'superseded';
  return seqs.filter((seq) => !db.observations.has(keyOf({ ...session, seq })));
}

/** Stores observations that were received in this transaction. */
export function insertObservations(db: MemoryDatabase, observations: readonly NewObservation[]): void {
  for (const observation of observations) db.put(db.observations, keyOf(observation), observation);
}

function keyOf({ machineId, agentEpoch, seq }: Reporting & { readonly seq: number }): string {
  return `${machineId} ${agentEpoch} ${seq}`;
}

/** Adds to the refused reports of the machine. */
export function countRefusedReports(
  db: MemoryDatabase,
  machineId: string,
  refused: readonly RefusedReports[],
  now: number,
): readonly string[] {
  const fresh: string[] = [];
  for (const { reason, count, bytes, sha256 } of refused) {
    const key = `${machineId} ${reason}`;
    const known = db.refusedReports.get(key);
    if (known === undefined) fresh.push(reason);
    const before = known ?? { count: 0, bytes: 0, firstAt: now };
    const added = { machineId, reason, sha256, firstAt: before.firstAt, lastAt: now };
    db.put(db.refusedReports, key, { ...added, count: before.count + count, bytes: before.bytes + bytes });
  }
  return fresh;
}

/** Lists refused reports by machine and reason. */
export function listRefusedReports(db: MemoryDatabase): readonly RefusalRecord[] {
  const keys = [...db.refusedReports.keys()].toSorted();
  return keys.flatMap((key) => db.refusedReports.get(key) ?? []);
}

/** @throws Error when the request was answered before, as the unique key of the table would. */
export function insertEvent(db: MemoryDatabase, event: NewEvent): void {
  const id = db.nextId();
  db.put(db.events, id, { ...event, id, policy: event.decided.policy });
  if (event.requestId === null) return;
  const key = `${event.workerId} ${event.requestId}`;
  if (db.replies.has(key)) throw new Error(`The request ${event.requestId} was answered before`);
  db.put(db.replies, key, event.reply);
}

/** The reply to a request that this worker was given before; null when it is new. */
export function findReply(db: MemoryDatabase, workerId: string, requestId: string): Reply | null {
  return db.replies.get(`${workerId} ${requestId}`) ?? null;
}

/** Reads the cause of this request to the worker; null where the cause is not known. */
export function causeOfRequest(db: MemoryDatabase, workerId: string, requestId: string): Cause | null {
  for (const row of db.events.values()) if (row.workerId === workerId && row.requestId === requestId) return row.actor;
  return null;
}

/** The decision on a request of a worker in the log. */
export function eventOfRequest(db: MemoryDatabase, workerId: string, requestId: string): number | null {
  for (const row of db.events.values()) if (row.workerId === workerId && row.requestId === requestId) return row.id;
  return null;
}

/** The worker that answered a request with this id before. */
export function workerOfRequest(db: MemoryDatabase, requestId: string): string | null {
  for (const key of db.replies.keys()) {
    const [workerId, request] = key.split(' ');
    if (request === requestId) return workerId ?? null;
  }
  return null;
}

/** Lists events, newest first. */
export function listEvents(db: MemoryDatabase, filter: EventFilter): readonly EventRow[] {
  return toldEvents(db, filter).rows.toReversed().slice(0, filter.limit);
}

/** Lists lines oldest first, and only those that no transaction under way can come before. */
export function followEvents(db: MemoryDatabase, filter: FeedFilter): FeedPage {
  const { rows, isBehind } = toldEvents(db, filter);
  return { events: rows.filter(({ id }) => id > filter.after).slice(0, filter.limit), isBehind };
}

function toldEvents(db: MemoryDatabase, { of }: EventFilter) {
  const isOfOne = of !== undefined && 'workerId' in of;
  const under = isOfOne ? [] : [...db.events.keysUnderWay()];
  const end = Math.min(Number.POSITIVE_INFINITY, ...under);
  const rows = [...db.events.values()]
    .filter(({ workerId }) => {
      if (of === undefined) return true;
      return 'workerId' in of ? workerId === of.workerId : db.workers.get(workerId)?.projectId === of.projectId;
    })
    .filter(({ id, isQuiet }) => !isQuiet && id < end)
    .toSorted((one, other) => one.id - other.id);
  return { rows, isBehind: under.length > 0 };
}

/** The last receipts of a worker, newest first. */
export function listReceipts(db: MemoryDatabase, workerId: string, limit: number): readonly ReceiptRow[] {
  const rows = [...db.receipts.values()].filter((row) => row.workerId === workerId);
  return rows
    .toReversed()
    .slice(0, limit)
    .map(({ workerId: _worker, ...receipt }) => receipt);
}
