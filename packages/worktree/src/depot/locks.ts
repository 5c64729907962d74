/** Clears what a killed git left in a place where one git at a time writes: every lock that is found there is dead. */
import { together } from '../git/together.ts';
import type { GitFiles } from '../git/on-host.ts';

/** Directories of a depot whose locks belong to git commands on the depot, and those that have directories below. */
const FLAT = ['', 'objects/info', 'objects/pack'] as const;

/** Clears the locks of a depot but for those of its worktrees, where checks may run a git of their own. */
export async function clearLocks(files: GitFiles, depot: string): Promise<void> {
  const flat = FLAT.map((name) => clearIn(files, name === '' ? depot : `${depot}/${name}`));
  await together([...flat, clearBelow(files, `${depot}/refs`)]);
}

/** Clears the locks in one directory. */
export async function clearIn(files: GitFiles, directory: string): Promise<void> {
  for (const name of await files.list(directory)) if (name.endsWith('.lock')) await files.rm(`${directory}/${name}`);
}

async function clearOne(files: GitFiles, path: string): Promise<void> {
  if (path.endsWith('.lock')) await files.rm(path);
  else if ((await files.stat(path))?.kind === 'directory') await clearBelow(files, path);
}

async function clearBelow(files: GitFiles, directory: string): Promise<void> {
  const found = await files.list(directory);
  await together(found.map((name) => clearOne(files, `${directory}/${name}`)));
}
