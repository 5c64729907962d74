// Ensures that a rename outlives a power cut.
import { open } from 'node:fs/promises';

/** Waits until the file or directory at `path` is on disk. Windows cannot sync a directory: there it does nothing. */
export async function syncPath(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  await using file = await open(path, 'r');
  await file.sync();
}
