// Limits how much an import takes from a file that a stranger may have written.
import { TransferError } from './format.ts';

/** Bytes of a line: a row holds a prompt of 1 MiB a few times, each letter of which may be written as six. */
export const LINE_BYTES_MAX = 32 * 1024 ** 2;

/** Rows of a file: ten times what the largest fleet keeps. */
export const ROWS_MAX = 50_000_000;

/** Bytes of a file when it is unpacked. Source: docs/mechanics.md, what history takes. */
export const CONTENT_BYTES_MAX = 256 * 1024 ** 3;

/** Ratio at most between a compressed file's content and its size; for real files it is 5 to 40. A bomb reaches 1,000. */
export const RATIO_MAX = 200;

/** Bytes up to which a file may be compressed as well as it likes. */
const RATIO_FROM_BYTES = 64 * 1024 ** 2;

/** Bytes of content after which the free space is read again. */
const ROOM_EVERY_BYTES = 64 * 1024 ** 2;

/** Bytes that an import leaves free on the disk of the database. */
const LEAVE_FREE_BYTES = 512 * 1024 ** 2;

/** Limits of an import; a test sets lower ones. */
export type ImportLimits = {
  readonly contentBytes: number;
  readonly rows: number;
  /** Bytes that are free for the database; null where its disk is another computer's. */
  readonly freeBytes: () => Promise<number | null>;
};

/** The same chunks, until they are too many or the disk is too full. @throws {TransferError} `too-large`, `no-room`. */
export async function* limited(
  chunks: AsyncIterable<Uint8Array>,
  { contentBytes, freeBytes }: ImportLimits,
): AsyncGenerator<Uint8Array, void, undefined> {
  let [total, lookAt] = [0, 0];
  for await (const chunk of chunks) {
    total += chunk.length;
    if (total > contentBytes) {
      throw new TransferError(
        'too-large',
        `The file holds more than ${contentBytes} bytes: no database of Drover does`,
      );
    }
    if (total >= lookAt) {
      await refuseFullDisk(freeBytes);
      lookAt = total + ROOM_EVERY_BYTES;
    }
    yield chunk;
  }
}

async function refuseFullDisk(freeBytes: ImportLimits['freeBytes']): Promise<void> {
  const free = await freeBytes();
  if (free === null || free >= LEAVE_FREE_BYTES) return;
  const message = `Only ${free} bytes are free for the database, and an import leaves ${LEAVE_FREE_BYTES}: free some space and import again`;
  throw new TransferError('no-room', message);
}

/** @throws {TransferError} `too-large` for a compressed file whose content grows out of all proportion. */
export function refuseBomb({ packed, unpacked }: { readonly packed: number; readonly unpacked: number }): void {
  if (unpacked <= RATIO_FROM_BYTES || unpacked <= packed * RATIO_MAX) return;
  const message = `The file unpacks to more than ${RATIO_MAX} times its size: it was not written by "drover server export". Unpack it yourself if you trust it`;
  throw new TransferError('too-large', message);
}
