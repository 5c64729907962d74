/** Sets aside work in repositories inside of a place before the next task: git clears none of them, and a task would wait for a person who does. */
import { DEADLINES_MS, type Git, git } from '../git/git.ts';
import { GitError } from '../git/git-error.ts';
import { checkpointRef } from '../names.ts';
import type { FileChange } from '../git/status.ts';
import { linksIn } from '../submodules/tidy.ts';
import { largeOf } from './beside.ts';
import { leadsThroughSymlink } from './copy-files.ts';
import { gitDirOf, keepInside } from './keep-losses.ts';

interface Clearing {
  readonly worktree: string;
  readonly archive: string;
  readonly worker: string;
  /** Changes that are left after all else was cleared. */
  readonly changes: readonly FileChange[];
  /** Names what they are moved for; `now` is epoch milliseconds. */
  readonly id: string;
  readonly now: number;
}

/**
 * A repository that the agent made goes beside the place, whole. A submodule is kept in the archive with its files and commits, and is then
 * as the index names it; a partial clone, whose objects git cannot copy, goes beside the place, too. Safe to repeat. @throws {GitError}
 */
export async function setInsideAside(context: Git, request: Clearing): Promise<void> {
  const { worktree: at, changes } = request;
  const links = await linksIn(context, at);
  for (const { path: named, kind } of changes) {
    const path = named.replace(/\/$/u, '');
    const marker = (await context.files.stat(`${at}/${path}/.git`))?.kind;
    if (marker === undefined || (await leadsThroughSymlink(context, { root: at, path }))) continue;
    const commit = links.get(path);
    if (kind === 'untracked' && marker === 'directory') await moveBeside(context, request, path);
    else if (commit !== undefined)
      await keepSubmodule(context, request, { path, commit, index: [...links.keys()].indexOf(path) });
  }
}

async function moveBeside({ files }: Git, { worktree: at, id, now }: Clearing, path: string): Promise<string> {
  const target = `${largeOf(at, { now, id })}/${path}`;
  await files.mkdir(target.slice(0, target.lastIndexOf('/')));
  await files.rename(`${at}/${path}`, target);
  return target;
}

async function keepSubmodule(
  context: Git,
  request: Clearing,
  { path, commit, index }: { readonly path: string; readonly commit: string; readonly index: number },
): Promise<void> {
  const { worktree, archive, worker, id, now } = request;
  const at = `${worktree}/${path}`;
  try {
    await keepInside(context, { at, archive, ref: insideRef(worker, id, index), now, id });
  } catch (error) {
    if (!(error instanceof GitError) || error.code !== 'failed') throw error;
    return moveSubmoduleBeside(context, request, { path, error });
  }
  const call = { at, action: 'clear a submodule that was saved', timeoutMs: DEADLINES_MS.checkout };
  await git(context, ['reset', '--quiet', '--hard', 'HEAD'], call);
  await git(context, ['clean', '--quiet', '-ffd'], call);
  // The submodule stays as it is, and is named, if nobody has that commit.
  await git(context, ['checkout', '--quiet', '--detach', commit, '--'], { ...call, allow: [1, 128] });
}

/** Moves a submodule with what git knows of it, and leaves the empty directory that git expects. @throws the error unless all of it lies in the place. */
async function moveSubmoduleBeside(
  context: Git,
  request: Clearing,
  { path, error }: { readonly path: string; readonly error: GitError },
): Promise<void> {
  const { files } = context;
  const at = `${request.worktree}/${path}`;
  const [own, known] = [`${await files.realpath(at)}/.git`, await gitDirOf(context, at)];
  if (known !== own && !known.startsWith(`${await files.realpath(request.worktree)}/.git/modules/`)) throw error;
  const target = await moveBeside(context, request, path);
  await files.mkdir(at);
  if (known === own) return;
  const call = {
    at: request.worktree,
    action: 'make a repository of a submodule',
    timeoutMs: DEADLINES_MS.write,
    allow: [5],
  };
  await git(context, ['config', '--file', `${known}/config`, '--unset', 'core.worktree'], call);
  await files.rm(`${target}/.git`);
  await files.rename(known, `${target}/.git`);
}

/** Submodules of a place that are listed by the refs that keep them. */
const TOLD_MAX = 20;

/** The refs on which submodules of a place may be kept for an id. */
export function insideRefs(worker: string, id: string): readonly string[] {
  return Array.from({ length: TOLD_MAX }, (_, index) => insideRef(worker, id, index));
}

function insideRef(worker: string, id: string, index: number): string {
  return checkpointRef(worker, `${id}-in${index}`);
}
