/** Sets aside work in repositories inside of a place before the next task: git clears none of them, and a task would wait for a person who does. */
import { DEADLINES_MS, type Git, git } from '../git/git.ts';
import { checkpointRef } from '../names.ts';
import type { FileChange } from '../git/status.ts';
import { linksIn } from '../submodules/tidy.ts';
import { largeOf } from './beside.ts';
import { leadsThroughSymlink } from './copy-files.ts';
import { keepInside } from './keep-losses.ts';

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
 * as the index names it. Safe to repeat. @throws {GitError}
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

async function moveBeside({ files }: Git, { worktree: at, id, now }: Clearing, path: string): Promise<void> {
  const target = `${largeOf(at, { now, id })}/${path}`;
  await files.mkdir(target.slice(0, target.lastIndexOf('/')));
  await files.rename(`${at}/${path}`, target);
}

async function keepSubmodule(
  context: Git,
  { worktree, archive, worker, id, now }: Clearing,
  { path, commit, index }: { readonly path: string; readonly commit: string; readonly index: number },
): Promise<void> {
  const at = `${worktree}/${path}`;
  await keepInside(context, { at, archive, ref: insideRef(worker, id, index), now, id });
  const call = { at, action: 'clear a submodule that was saved', timeoutMs: DEADLINES_MS.checkout };
  await git(context, ['reset', '--quiet', '--hard', 'HEAD'], call);
  await git(context, ['clean', '--quiet', '-ffd'], call);
  // The submodule stays as it is, and is named, if nobody has that commit.
  await git(context, ['checkout', '--quiet', '--detach', commit, '--'], { ...call, allow: [1, 128] });
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
