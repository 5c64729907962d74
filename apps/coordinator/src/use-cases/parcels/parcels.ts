/**
 * Carries parcels from one machine to another. A machine sends while it has a command to pack, and reads a parcel that a command of its
 * own names. The content of a parcel is never shown or logged.
 */
import { createHash } from 'node:crypto';
import { chunkBytes, chunkCount } from '@drover/protocol';
import type { Machine, ParcelKey, StoreTransaction } from '@drover/store';
import type { Context } from '../../context/context.ts';
import { parcelBytesMax } from '../../facts/machines/carry.ts';

/** Bytes of all parcels that are kept at one time, in the database. */
const ALL_BYTES_MAX = 4 * 1024 ** 3;

/** Milliseconds that a parcel is kept after its sender opened it: its receiver was told at once. */
export const PARCEL_KEPT_MS = 3_600_000;
/** Milliseconds for which an expired parcel is remembered. */
const PARCEL_KNOWN_MS = 24 * PARCEL_KEPT_MS;

/** Refusal of a machine's request, with words for the people of that machine. */
export interface Refused {
  readonly kind: 'refused';
  readonly status: 400 | 404 | 410 | 413;
  readonly code: string;
  readonly message: string;
}

/** Opens a parcel that a machine sends. @returns the chunks that are here already. */
export async function openParcel(
  ctx: Context,
  { id: machineId }: Machine,
  { sha256, bytes }: { readonly sha256: string; readonly bytes: number },
): Promise<{ readonly kind: 'ok'; readonly chunks: readonly number[] } | Refused> {
  if (!(await ctx.store.isParcelNamed(machineId, { kind: 'pack' }))) return NOT_NAMED;
  const bytesMax = parcelBytesMax(ctx);
  if (bytes > bytesMax) return tooLarge(`A parcel holds at most ${bytesMax} bytes`);
  const key = { machineId, sha256 };
  const now = ctx.clock.now();
  const before = await ctx.store.readParcel(key);
  if (before !== null && before.bytes !== bytes) return malformed('This parcel was opened with another size');
  const fits = await ctx.store.transaction(async (tx) => {
    await tx.lockName('parcels');
    if ((await tx.parcelBytes(now - PARCEL_KEPT_MS, key)) + bytes > ALL_BYTES_MAX) return false;
    await tx.openParcel({ ...key, bytes, openedAt: now });
    return true;
  });
  if (!fits) return tooLarge('The coordinator has too many parcels now: retry later');
  return { kind: 'ok', chunks: (await ctx.store.readParcel(key))?.chunks ?? [] };
}

/** Stores one chunk of a parcel that its sender has opened, if the digest matches. */
export async function takeChunk(
  ctx: Context,
  { id: machineId }: Machine,
  chunk: { readonly sha256: string; readonly number: number; readonly digest: string; readonly content: Uint8Array },
): Promise<{ readonly kind: 'ok' } | Refused> {
  if (!(await ctx.store.isParcelNamed(machineId, { kind: 'pack' }))) return NOT_NAMED;
  const key = { machineId, sha256: chunk.sha256 };
  const parcel = await present(ctx, key);
  if (parcel.kind === 'refused') return parcel;
  const { number, content, digest } = chunk;
  if (number >= chunkCount(parcel.bytes)) return malformed(`This parcel has ${chunkCount(parcel.bytes)} chunks`);
  const expected = chunkBytes(parcel.bytes, number);
  if (content.byteLength !== expected)
    return malformed(`Chunk ${number} of this parcel has ${expected} bytes, not ${content.byteLength}`);
  if (createHash('sha256').update(content).digest('hex') !== digest)
    return malformed(`Chunk ${number} is not what its digest says`);
  return (await ctx.store.saveChunk(key, { number, content })) ? { kind: 'ok' } : GONE;
}

/** Gives one chunk to a machine that a command tells to take this parcel. */
export async function giveChunk(
  ctx: Context,
  { id }: Machine,
  { from, sha256, number }: { readonly from: string; readonly sha256: string; readonly number: number },
): Promise<{ readonly kind: 'ok'; readonly content: Uint8Array<ArrayBuffer> } | Refused> {
  const key = { machineId: from, sha256 };
  if (!(await ctx.store.isParcelNamed(id, { kind: 'unpack', ...key }))) return NOT_NAMED;
  const parcel = await present(ctx, key);
  if (parcel.kind === 'refused') return parcel;
  const content = await ctx.store.readChunk(key, number);
  return content === null ? UNKNOWN : { kind: 'ok', content };
}

/** Removes expired parcels. */
export async function pruneParcels(tx: StoreTransaction, now: number): Promise<void> {
  await tx.pruneParcels({ contents: now - PARCEL_KEPT_MS, rows: now - PARCEL_KNOWN_MS });
}

async function present(
  ctx: Context,
  key: ParcelKey,
): Promise<{ readonly kind: 'ok'; readonly bytes: number } | Refused> {
  const parcel = await ctx.store.readParcel(key);
  if (parcel === null) return UNKNOWN;
  return parcel.openedAt < ctx.clock.now() - PARCEL_KEPT_MS ? GONE : { kind: 'ok', bytes: parcel.bytes };
}

/** Refusal that is the same as for an unknown parcel: it reveals no parcels of others. */
const NOT_NAMED: Refused = {
  kind: 'refused',
  status: 404,
  code: 'unknown-parcel',
  message: 'No command of this machine needs this parcel',
};

const UNKNOWN: Refused = { ...NOT_NAMED, message: 'The parcel or this chunk of it does not exist' };

const GONE: Refused = {
  kind: 'refused',
  status: 410,
  code: 'parcel-expired',
  message: `A parcel is kept for ${PARCEL_KEPT_MS / 60_000} minutes: its sender has to send it again`,
};

function malformed(message: string): Refused {
  return { kind: 'refused', status: 400, code: 'bad-parcel', message };
}

function tooLarge(message: string): Refused {
  return { kind: 'refused', status: 413, code: 'parcel-too-large', message };
}
