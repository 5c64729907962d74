/** Lists the object directories that a repository borrows. Git of a worker reads objects there, and nothing else of those repositories. */
import { isAbsolute, join } from 'node:path';
import type { Files } from '@drover/host';

/** Depth beyond which git itself does not follow. */
const DEPTH_MAX = 5;

/** Object directories that this one names, and that those name in turn, by their real path. */
export async function borrowedObjects(files: Files, objects: string, depth = DEPTH_MAX): Promise<readonly string[]> {
  const bytes = depth === 0 ? undefined : await files.readFile(join(objects, 'info', 'alternates'));
  const lines = Buffer.from(bytes ?? [])
    .toString('utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));
  const named = lines.map((line) => files.realpath(isAbsolute(line) ? line : join(objects, line)));
  const found = (await Promise.all(named)).filter((path) => path !== undefined);
  const further = await Promise.all(found.map((path) => borrowedObjects(files, path, depth - 1)));
  return [...new Set([...found, ...further.flat()])];
}
