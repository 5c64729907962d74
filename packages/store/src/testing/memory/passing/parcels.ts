// Parcels in memory, without their contents: the same as sql/parcels.ts.
import {
  PARCEL_QUERIES,
  SENDING_COMMANDS,
  type ParcelKey,
  type ParcelRow,
  type ParcelUse,
} from '../../../port/parcels.ts';
import type { MemoryDatabase } from '../engine/database.ts';

/** Makes a parcel, or notes that its sender opened it again. */
export function openParcel(db: MemoryDatabase, parcel: Omit<ParcelRow, 'chunks'>): void {
  const key = keyOf(parcel);
  const before = db.parcels.get(key);
  db.put(db.parcels, key, before === undefined ? parcel : { ...before, openedAt: parcel.openedAt });
}

/** Removes old parcels; the store in memory has no contents. */
export function pruneParcels(db: MemoryDatabase, before: { readonly contents: number; readonly rows: number }): void {
  for (const [key, { openedAt }] of db.parcels) if (openedAt < before.rows) db.remove(db.parcels, key);
}

/** A parcel that is gone has no readers. */
export function letRead(db: MemoryDatabase, key: ParcelKey, readerId: string): void {
  if (db.parcels.has(keyOf(key))) db.put(db.parcelReaders, `${keyOf(key)} ${readerId}`, { readerId });
}

/** Tells whether the machine has an unfinished command for the parcel. */
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
