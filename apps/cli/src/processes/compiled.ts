/** Keeps small the cache of what V8 compiled: the files of each version of Drover have names of their own there, and nobody else removes them. */
import { readdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';

/** Milliseconds after which a file is removed: the next start that needs it writes it again. */
const KEPT_MS = 30 * 24 * 3_600_000;

/**
 * Removes old files. Never rejects: the cache is of no use but speed.
 *
 * @param directory The cache that is in use; one of the user's own, who may share it with other programs, is left alone.
 */
export async function pruneCompiled(directory: string | undefined, now: number): Promise<void> {
  const cache = path.dirname(directory ?? '');
  if (!cache.endsWith(path.join('drover', 'compiled'))) return;
  const names = await readdir(cache, { recursive: true }).catch((): string[] => []);
  for (const file of names.map((name) => path.join(cache, name))) {
    const found = await stat(file).catch(() => null);
    if (found?.isFile() === true && now - found.mtimeMs > KEPT_MS) await rm(file, { force: true }).catch(() => {});
  }
}
