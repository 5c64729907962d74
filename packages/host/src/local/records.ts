/**
 * Reads a file that a program in a pane wrote, and nothing but a file. Opening a named pipe would hold up a thread of this process until somebody
 * writes to it, and four of those hold up everything.
 */
import { constants } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';

import type { Files } from '../port/files.ts';

/** Reads a piece. */
export const readRange: Files['readRange'] = (path, { from, bytesMax }) =>
  withRecord(path, async (file) => {
    const { size, mtimeMs } = await file.stat();
    const bytes = await readAt(file, from, Math.min(bytesMax, size - from));
    return { bytes, size, modifiedAt: mtimeMs };
  });

/** Reads the end. */
export const tailLines: Files['tailLines'] = (path, { bytesMax }) =>
  withRecord(path, async (file) => {
    const { size, mtimeMs } = await file.stat();
    const from = Math.max(0, size - bytesMax);
    const text = (await readAt(file, from, size - from)).toString('utf8');
    if (!text.endsWith('\n')) return undefined;
    const lines = text.slice(0, -1).split('\n');
    return { lines: from === 0 ? lines : lines.slice(1), modifiedAt: mtimeMs };
  });

async function readAt(file: FileHandle, from: number, length: number): Promise<Buffer> {
  const buffer = Buffer.alloc(Math.max(0, length));
  const { bytesRead } = await file.read(buffer, 0, buffer.length, from);
  return buffer.subarray(0, bytesRead);
}

async function withRecord<T>(path: string, read: (file: FileHandle) => Promise<T>): Promise<T | undefined> {
  const flags = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW;
  const file = await open(path, flags).catch(() => undefined);
  if (file === undefined) return undefined;
  try {
    return (await file.stat()).isFile() ? await read(file) : undefined;
  } catch {
    return undefined;
  } finally {
    await file.close();
  }
}
