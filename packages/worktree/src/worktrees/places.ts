/** Directories below a project's root: places of workers, and those of somebody else. */
import { branchOfWorker } from '@drover/core';
import { type Git, git, gitText, unconfined } from '../git/git.ts';
import { reading } from '../git/revisions.ts';
import { workerBranch } from '../names.ts';
import { isBeside } from './beside.ts';
import { isPlaceOf } from './clone.ts';
import { resolved } from './worktrees.ts';

/** Place of a worker: one that exists, or one that the archive remembers. */
export interface Place {
  /** The worker's name. */
  readonly name: string;
  readonly path: string;
  /** Branch without `refs/heads/`; null when detached, or not there. */
  readonly branch: string | null;
  /** The directory is gone, and the archive keeps its branch. */
  readonly gone: boolean;
}

/** Content below a project's root. Nothing is removed: only `removeWorktree`, or a person, removes. */
interface Found {
  readonly places: readonly Place[];
  /** Directories that are no worker's place, with absolute paths. */
  readonly strays: readonly string[];
}

/** Compares the directory with what the archive knows. @throws {GitError} */
export async function findPlaces(
  context: Git,
  { root, archive }: { readonly root: string; readonly archive: string },
): Promise<Found> {
  const home = await resolved(context, `${root}/.worktrees`);
  const names = (await context.files.list(home)).filter((name) => !isBeside(name));
  const places: Place[] = [];
  const strays: string[] = [];
  for (const name of names) {
    const path = `${home}/${name}`;
    if (await isPlaceOf(context, path, name))
      places.push({ name, path, branch: await branchIn(context, path), gone: false });
    else strays.push(path);
  }
  const gone = (await knownWorkers(context, archive)).filter((name) => !names.includes(name));
  const missing = gone.map((name) => ({
    name,
    path: `${home}/${name}`,
    branch: workerBranch(context, name),
    gone: true,
  }));
  return { places: [...places, ...missing], strays: strays.toSorted() };
}

async function branchIn(context: Git, at: string): Promise<string | null> {
  const call = { ...reading(at, 'read its branch'), allow: [1] };
  const { stdout } = await git(context, ['symbolic-ref', '--quiet', '--short', 'HEAD'], call);
  return stdout.trim() === '' ? null : stdout.trim();
}

async function knownWorkers(context: Git, archive: string): Promise<readonly string[]> {
  if ((await context.files.stat(archive)) === undefined) return [];
  const prefix = `refs/heads/${branchOfWorker('', context.branchPrefix)}`;
  const args = ['for-each-ref', `--format=%(refname)`, prefix];
  const text = await gitText(unconfined(context), args, reading(archive, 'list the branches of workers'));
  return text.split('\n').flatMap((ref) => (ref === '' ? [] : [ref.slice(prefix.length)]));
}
