// Writes an export to disk: whole or not at all, private, and compressed if its name says so.
import { createReadStream, createWriteStream } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { refuseBomb } from './limits.ts';

/** Tells whether a name asks for gzip. */
function isCompressed(path: string): boolean {
  return path.endsWith('.gz');
}

/** Writes the pieces under another name, syncs, and renames; an older file of that name is replaced. Mode 0600. */
export async function writeExportFile(path: string, pieces: AsyncIterable<string>): Promise<void> {
  const unfinished = `${path}.unfinished`;
  try {
    // Replaced: an existing file, or a link, may be readable by others.
    await rm(unfinished, { force: true });
    const target = createWriteStream(unfinished, { flags: 'wx', mode: 0o600, flush: true });
    if (isCompressed(path)) await pipeline(Readable.from(pieces), createGzip(), target);
    else await pipeline(Readable.from(pieces), target);
    await rename(unfinished, path);
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  }
}

/** Reads the bytes of an export. @throws what the disk says when the file cannot be opened; {TransferError} `too-large`. */
export async function* readExportFile(path: string): AsyncGenerator<Uint8Array, void, undefined> {
  const handle = await open(path); // fails here rather than in a stream without a listener
  await handle.close();
  const file = createReadStream(path);
  const bytes = isCompressed(path) ? file.pipe(createGunzip()) : file;
  file.on('error', (error) => bytes.destroy(error));
  let unpacked = 0;
  for await (const chunk of bytes as AsyncIterable<Uint8Array>) {
    unpacked += chunk.length;
    refuseBomb({ packed: file.bytesRead, unpacked });
    yield chunk;
  }
}
