// Parcels in memory: the same as sql/parcels.ts.
import {
  PARCEL_QUERIES,
  SENDING_COMMANDS,
  type ParcelKey,
  type ParcelRow,
  type ParcelUse,
} from '../../port/parcels.ts';
import type { MemoryDatabase } from './engine/database.ts';

/** Makes a parcel, or notes that its sender opened it again. */
export function openParcel(db: MemoryDatabase, parcel: Omit<ParcelRow, 'chunks'>): void {
  const key = keyOf(parcel);
  const before = db.parcels.get(key);
  db.put(db.parcels, key, before === undefined ? parcel : { ...before, openedAt: parcel.openedAt });
}

/** Bytes that parcels may come to take, whether they are there yet or not. */
export function parcelBytes(db: MemoryDatabase, since: number, beside: ParcelKey): number {
  const others = [...db.parcels].filter(([key, { openedAt }]) => openedAt >= since && key !== keyOf(beside));
  return others.reduce((sum, [, { bytes }]) => sum + bytes, 0);
}

/** Removes what is too old. */
export function pruneParcels(db: MemoryDatabase, before: { contents: number; rows: number }): void {
  for (const [key, { openedAt }] of db.parcels) {
    if (openedAt < before.contents)
      for (const chunk of db.parcelChunks.keys()) if (chunk.startsWith(`${key} `)) db.remove(db.parcelChunks, chunk);
    if (openedAt < before.rows) db.remove(db.parcels, key);
  }
}

/** A parcel with the numbers of its chunks; null: there is none. */
export function readParcel(db: MemoryDatabase, key: ParcelKey): ParcelRow | null {
  const row = db.parcels.get(keyOf(key));
  if (row === undefined) return null;
  const mine = [...db.parcelChunks.keys()].filter((chunk) => chunk.startsWith(`${keyOf(key)} `));
  const chunks = mine.map((chunk) => Number(chunk.slice(chunk.lastIndexOf(' ')))).toSorted((one, other) => one - other);
  return { ...row, chunks };
}

/** @returns false when there is no such parcel. */
export function saveChunk(
  db: MemoryDatabase,
  key: ParcelKey,
  { number, content }: { number: number; content: Uint8Array },
): boolean {
  if (!db.parcels.has(keyOf(key))) return false;
  db.put(db.parcelChunks, `${keyOf(key)} ${number}`, { content: Buffer.from(content).toString('base64') });
  return true;
}

/** One chunk; null: it is not there. */
export function readChunk(db: MemoryDatabase, key: ParcelKey, number: number): Uint8Array<ArrayBuffer> | null {
  const chunk = db.parcelChunks.get(`${keyOf(key)} ${number}`);
  return chunk === undefined ? null : Buffer.from(chunk.content, 'base64');
}

/** A parcel that is gone has no readers. */
export function letRead(db: MemoryDatabase, key: ParcelKey, readerId: string): void {
  if (db.parcels.has(keyOf(key))) db.put(db.parcelReaders, `${keyOf(key)} ${readerId}`, { readerId });
}

/** Whether the machine has an unfinished command for it. */
export function isParcelNamed(db: MemoryDatabase, machineId: string, use: ParcelUse): boolean {
  const open = [...db.outbox.values()].filter((command) => command.machineId === machineId).map(({ body }) => body);
  const kinds: ReadonlySet<string> = new Set(PARCEL_QUERIES[use.kind]);
  if (use.kind === 'pack')
    return open.some((body) => (body.kind === 'command' ? SENDS.has(body.command.kind) : kinds.has(body.query.kind)));
  if (db.parcelReaders.has(`${keyOf(use)} ${machineId}`)) return true;
  return open.some(
    (body) =>
      body.kind === 'query' &&
      kinds.has(body.query.kind) &&
      'from' in body.query &&
      body.query.from === use.machineId &&
      body.query.sha256 === use.sha256,
  );
}

const SENDS: ReadonlySet<string> = new Set(SENDING_COMMANDS);

function keyOf({ machineId, sha256 }: ParcelKey): string {
  return `${machineId} ${sha256}`;
}
