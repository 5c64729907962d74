/** Finds the place of a worker's clone, if it is the one that Drover made. */
import { join } from 'node:path';
import type { Files } from '@drover/host';
import type { WorkerSettings } from '@drover/protocol';
import { contentOf, storeIn, worktreePath } from '@drover/worktree';
import { CommandError } from '../failure.ts';
import { PROTECTED, type WorkerPlaces } from './mounts.ts';

/** Finds a worker's clone. @throws CommandError `isolation-git` when its git is not the one that Drover made. */
export async function placesOf(
  files: Files,
  { name, project }: WorkerSettings,
  archive: string,
): Promise<WorkerPlaces> {
  const root = await realPath(files, project.root);
  const worktree = await realPath(files, worktreePath(project.root, name));
  const git = join(worktree, '.git');
  const wrong = (what: string): CommandError =>
    new CommandError(
      'isolation-git',
      `"${name}" is not started in a cage: ${what}. Remove the worktree and prepare it again`,
    );
  for (const path of [git, join(git, 'objects'), join(git, 'refs')])
    if ((await files.lstat(path))?.kind !== 'directory') throw wrong(`"${path}" is not a directory`);
  // Git would take settings and objects from there.
  if ((await files.lstat(join(git, 'commondir'))) !== undefined) throw wrong(`"${git}" belongs to another repository`);
  const real = await realPath(files, archive);
  const lfs = storeIn(real, name);
  await files.mkdir(lfs, { mode: 0o777 });
  return { root, worktree, lfs, content: contentOf(real) };
}

/** Makes the paths that must exist to be protected. */
export async function layOutGit(files: Files, { worktree }: WorkerPlaces): Promise<void> {
  for (const name of PROTECTED) {
    const path = join(worktree, '.git', name);
    if ((await files.lstat(path)) !== undefined) continue;
    if (name.startsWith('config')) await files.appendFile(path, '', { mode: 0o666 });
    else await files.mkdir(path, { mode: 0o777 });
  }
}

/** Resolves all links of a path. @throws an error with the code `ENOENT` when nothing is there. */
export async function realPath(files: Files, path: string): Promise<string> {
  const found = await files.realpath(path);
  if (found === undefined) throw Object.assign(new Error(`"${path}" does not exist`), { code: 'ENOENT' });
  return found;
}
