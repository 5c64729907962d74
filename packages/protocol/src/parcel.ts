/**
 * Defines how files go from one machine to another: through the coordinator, in chunks beside the exchange, each checked by its digest. File
 * contents are not redacted: no one shows or logs them.
 */
import { z } from 'zod';

/** Bytes of a chunk; the last one of a parcel is shorter. */
export const CHUNK_BYTES = 1_048_576;
/** The header of a chunk with its SHA-256, on the way up and on the way down. */
export const CHUNK_DIGEST_HEADER = 'x-chunk-sha256';
/** Commits that the receiver of a parcel names as its own. */
export const TIPS_MAX = 200;

/** A SHA-256 in lower-case hexadecimal. */
export const sha256 = z
  .string()
  .max(64)
  .regex(/^[0-9a-f]{64}$/u, 'expected a SHA-256 in lower-case hexadecimal');

/** `POST /agent/parcels/:sha256`: a machine has a parcel to send. */
export const openParcelRequest = z.object({ bytes: z.number().int().positive().max(Number.MAX_SAFE_INTEGER) });
/** A checked `openParcelRequest`. */
export type OpenParcelRequest = z.infer<typeof openParcelRequest>;

/** The numbers of the chunks that the coordinator has, from 0. */
export const openParcelAnswer = z.object({ chunks: z.array(z.number().int().nonnegative()).max(100_000).readonly() });
/** A checked `openParcelAnswer`. */
export type OpenParcelAnswer = z.infer<typeof openParcelAnswer>;

export function chunkCount(bytes: number): number {
  return Math.ceil(bytes / CHUNK_BYTES);
}

/** Bytes of one chunk of a parcel. */
export function chunkBytes(bytes: number, number: number): number {
  return Math.min(CHUNK_BYTES, bytes - number * CHUNK_BYTES);
}
