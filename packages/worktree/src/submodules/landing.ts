/** The files of submodules in a landing worktree: checks need them, and what runs there finds no repository to write into. */
import { type GitCall, git } from '../git/git.ts';
import { namingOf } from '../gitlinks/naming.ts';
import type { Depot } from '../depot/place.ts';
import { leadsThroughSymlink } from '../worktrees/copy-files.ts';
import { bringSubmodules } from './find.ts';

/** A landing worktree that is at `commit`. */
interface Landed {
  readonly at: string;
  readonly commit: string;
  /** A directory of Drover's own for what it remembers of the files. */
  readonly memory: string;
  /** Call of git with the settings of the landing worktree. */
  readonly call: GitCall;
}

/** Brings the files that the commit's submodules have. Missing ones are named in the worker's own place. Safe to repeat. @throws {GitError} */
export async function fillLanding(depot: Depot, { at, commit, memory, call }: Landed): Promise<void> {
  const { git: context, place } = depot;
  if ((await context.files.stat(`${at}/.gitmodules`)) === undefined) return;
  const source = place.target.kind === 'source' ? place.target.source : null;
  const { filled } = await bringSubmodules(depot, { ...(await namingOf(context, place, at)), source, commit });
  await context.files.mkdir(memory);
  for (const { path, commit: wanted } of filled) {
    if (await leadsThroughSymlink(context, { root: at, path })) continue;
    const inside = `${at}/${path}`;
    await context.files.mkdir(inside);
    const env = { GIT_DIR: depot.at, GIT_WORK_TREE: inside, GIT_INDEX_FILE: indexOf(memory, path) };
    await git(context, ['read-tree', '--reset', '-u', wanted], { ...call, at: inside, env });
  }
}

function indexOf(memory: string, path: string): string {
  return `${memory}/${encodeURIComponent(path).slice(0, NAME_CHARS_MAX)}`;
}

/** Characters of a file's name, with room for that of git's lock. */
const NAME_CHARS_MAX = 240;
