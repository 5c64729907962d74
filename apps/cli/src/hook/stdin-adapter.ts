/** Reads all of stdin, as quickly as Node can. */
import { readSync } from 'node:fs';

/** Longest event that is read, in bytes. Programs cut a tool's output at some 100 KiB; its input may be a whole file. */
const EVENT_BYTES_MAX = 16 * 1024 * 1024;
const CHUNK_BYTES = 64 * 1024;

/** Reads to the end without a stream, because loading streams takes half as long as all the rest. Uses a stream if the pipe demands one. */
export async function readStdin(): Promise<string> {
  const chunks: Buffer[] = [];
  try {
    for (let total = 0; total < EVENT_BYTES_MAX;) {
      const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
      const bytes = readSync(0, chunk);
      if (bytes === 0) break;
      chunks.push(chunk.subarray(0, bytes));
      total += bytes;
    }
  } catch (error) {
    // Non-blocking pipe: read the pipe as a stream.
    if (!(error instanceof Error && 'code' in error && error.code === 'EAGAIN')) throw error;
    for await (const chunk of process.stdin) chunks.push(Buffer.from(chunk));
  }
  return Buffer.concat(chunks).toString('utf8');
}
