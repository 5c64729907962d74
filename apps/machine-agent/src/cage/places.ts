/** Where does the git of a worker lie, and is it the one that Drover made? */
import { dirname, isAbsolute, join, relative } from 'node:path';
import type { Files } from '@drover/host';
import type { WorkerSettings } from '@drover/protocol';
import { workerBranch, worktreePath } from '@drover/worktree';
import { CommandError } from '../failure.ts';
import type { WorkerPlaces } from './mounts.ts';
import { separateObjects } from './separate-objects.ts';

/** Where a worker's git lies. @throws CommandError `isolation-git` when the worktree's git is not the one that Drover made. */
export async function placesOf(files: Files, { name, project }: WorkerSettings): Promise<WorkerPlaces> {
  const repo = await realPath(files, project.root);
  const worktree = await realPath(files, worktreePath(project.root, name));
  const marker = join(worktree, '.git');
  const wrong = (what: string): CommandError =>
    new CommandError(
      'isolation-git',
      `"${name}" is not started in a cage: ${what}. Remove the worktree and prepare it again`,
    );
  if ((await files.lstat(marker))?.kind !== 'file') throw wrong(`"${marker}" is no file`);
  const gitDir = /^gitdir: (.+)$/mu.exec(await textOf(files, marker))?.[1] ?? '';
  const isOwn = isAbsolute(gitDir) && dirname(gitDir) === join(repo, '.git', 'worktrees');
  if (!isOwn || (await files.realpath(gitDir)) !== gitDir) throw wrong(`"${marker}" leads to "${gitDir}"`);
  const common = (await textOf(files, join(gitDir, 'commondir'))).trim();
  if (common !== '../..') throw wrong(`"${gitDir}" belongs to "${common}"`);
  return { repo, worktree, gitDir, branch: workerBranch(name) };
}

/** Makes what git would make at the first commit, and what must be there to be protected. */
export async function layOutGit(files: Files, { repo, gitDir, branch }: WorkerPlaces): Promise<void> {
  const git = join(repo, '.git');
  const log = join(git, 'logs', 'refs', 'heads', branch);
  const directories = [
    'objects/pack',
    'objects/info',
    'refs/heads/drover',
    'rr-cache',
    'hooks',
    dirname(relative(git, log)),
  ];
  for (const one of directories) await files.mkdir(join(git, one), { mode: 0o777 });
  for (const file of [log, join(gitDir, 'config.worktree')]) await files.appendFile(file, '', { mode: 0o666 });
  await separateObjects(files, join(git, 'objects'));
}

/** The path without links. @throws an error with the code `ENOENT` when nothing is there. */
export async function realPath(files: Files, path: string): Promise<string> {
  const found = await files.realpath(path);
  if (found === undefined) throw missing(path);
  return found;
}

async function textOf(files: Files, path: string): Promise<string> {
  const bytes = await files.readFile(path);
  if (bytes === undefined) throw missing(path);
  return Buffer.from(bytes).toString('utf8');
}

function missing(path: string): Error {
  return Object.assign(new Error(`There is nothing at "${path}"`), { code: 'ENOENT' });
}
