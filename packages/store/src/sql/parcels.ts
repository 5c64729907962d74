// Parcels on their way between machines. Contents are read as base64: the driver's binary mode would hold up all other queries.
import { sql } from 'kysely';
import { PARCEL_QUERIES, SENDING_COMMANDS } from '../port/parcels.ts';
import type { ParcelKey, ParcelRow, ParcelUse } from '../port/parcels.ts';
import { send } from '../connection/pipeline.ts';
import { instant } from '../connection/values.ts';
import type { Db, Trx } from './db.ts';

/** Makes a parcel, or notes that its sender opened it again. */
export async function openParcel(db: Trx, parcel: Omit<ParcelRow, 'chunks'>): Promise<void> {
  const { machineId, sha256, bytes, openedAt } = parcel;
  await send(
    db,
    sql`insert into parcels (machine_id, sha256, size_bytes, opened_at)
    values (${machineId}, ${sha256}, ${bytes}, ${instant(openedAt)})
    on conflict (machine_id, sha256) do update set opened_at = excluded.opened_at`,
  );
}

/** Counts the bytes that parcels that were opened since then may come to take beside this one, whether they are there yet or not. */
export async function parcelBytes(db: Trx, since: number, { machineId, sha256 }: ParcelKey): Promise<number> {
  const { rows } = await sql<{ bytes: number }>`select coalesce(sum(size_bytes), 0) as bytes from parcels
    where opened_at >= ${instant(since)} and (machine_id, sha256) <> (${machineId}::uuid, ${sha256})`.execute(db);
  return rows[0]?.bytes ?? 0;
}

/** Removes the contents of parcels that were opened before `contents`, and all that is known of those before `rows`. */
export async function pruneParcels(
  db: Trx,
  { contents, rows }: { readonly contents: number; readonly rows: number },
): Promise<void> {
  await send(
    db,
    sql`delete from parcel_chunks using parcels where parcels.opened_at < ${instant(contents)}
    and parcels.machine_id = parcel_chunks.machine_id and parcels.sha256 = parcel_chunks.sha256`,
  );
  await send(db, db.deleteFrom('parcels').where('openedAt', '<', instant(rows)));
}

/** A parcel with the numbers of its chunks; null: there is none. */
export async function readParcel(db: Db, { machineId, sha256 }: ParcelKey): Promise<ParcelRow | null> {
  const { rows } = await sql<ParcelRow>`
    select machine_id, sha256, size_bytes as bytes, opened_at, array(
      select number from parcel_chunks where machine_id = ${machineId} and sha256 = ${sha256} order by number
    ) as chunks from parcels where machine_id = ${machineId} and sha256 = ${sha256}`.execute(db);
  return rows[0] ?? null;
}

/** Keeps a chunk in the place of one of this number. @returns false when there is no such parcel. */
export async function saveChunk(
  db: Db,
  { machineId, sha256 }: ParcelKey,
  { number, content }: { readonly number: number; readonly content: Uint8Array },
): Promise<boolean> {
  // The driver takes a buffer: a view of the same bytes.
  const bytes = Buffer.from(content.buffer, content.byteOffset, content.byteLength);
  const { numAffectedRows } = await sql`insert into parcel_chunks (machine_id, sha256, number, content)
    select machine_id, sha256, ${number}::integer, ${bytes}::bytea from parcels
    where machine_id = ${machineId} and sha256 = ${sha256}
    on conflict (machine_id, sha256, number) do update set content = excluded.content`.execute(db);
  return (numAffectedRows ?? 0n) > 0n;
}

/** Reads one chunk; null: it is not there. */
export async function readChunk(
  db: Db,
  { machineId, sha256 }: ParcelKey,
  number: number,
): Promise<Uint8Array<ArrayBuffer> | null> {
  const { rows } = await sql<{ content: string }>`select encode(content, 'base64') as content from parcel_chunks
    where machine_id = ${machineId} and sha256 = ${sha256} and number = ${number}`.execute(db);
  return rows[0] === undefined ? null : Buffer.from(rows[0].content, 'base64');
}

/** Lets this machine read the parcel, too, from now on. Does nothing where there is no such parcel. */
export async function letRead(db: Db, { machineId, sha256 }: ParcelKey, readerId: string): Promise<void> {
  await send(
    db,
    sql`insert into parcel_readers (machine_id, sha256, reader_id)
    select machine_id, sha256, ${readerId}::uuid from parcels where machine_id = ${machineId} and sha256 = ${sha256}
    on conflict do nothing`,
  );
}

/** Tells whether an unfinished command of this machine is about this parcel, or the machine was let read it. */
export async function isParcelNamed(db: Db, machineId: string, use: ParcelUse): Promise<boolean> {
  const isOpen = sql`machine_id = ${machineId} and state in ('pending', 'sent', 'received')`;
  const isOfKind = sql`body -> 'query' ->> 'kind' = any(${[...PARCEL_QUERIES[use.kind]]}::text[])`;
  if (use.kind === 'pack') {
    const { rows } = await sql`select 1 from commands
      where ${isOpen} and (${isOfKind} or body -> 'command' ->> 'kind' = any(${[...SENDING_COMMANDS]}::text[])) limit 1`.execute(
      db,
    );
    return rows.length > 0;
  }
  const named = JSON.stringify({ from: use.machineId, sha256: use.sha256 });
  const { rows } = await sql`select 1 from parcel_readers
      where machine_id = ${use.machineId} and sha256 = ${use.sha256} and reader_id = ${machineId}
    union all
    select 1 from commands
      where ${isOpen} and ${isOfKind} and body -> 'query' @> ${named}::text::jsonb limit 1`.execute(db);
  return rows.length > 0;
}
