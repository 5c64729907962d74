/**
 * How is a file opened that a worker's program wrote, so that nothing but a file is read? Opening a named pipe would hold up a
 * thread of this agent until somebody writes to it, and four of those hold up everything.
 */
import { constants } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';

/** @returns undefined when there is no such file, when it cannot be read, or when it is a link or no file at all. */
export async function openRecord(path: string): Promise<FileHandle | undefined> {
  const flags = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW;
  const file = await open(path, flags).catch(() => undefined);
  if (file === undefined) return undefined;
  const stats = await file.stat().catch(() => undefined);
  if (stats?.isFile() === true) return file;
  await file.close();
  return undefined;
}
