/**
 * Moves the submodules in a place along with its index, as git alone would not: else a task would begin with a change
 * that nobody made, and a commit of all files would take it along. A submodule in which somebody worked stays as it
 * is.
 */
import { DEADLINES_MS, type Git, git } from '../git/git.ts';
import { GitError } from '../git/git-error.ts';
import { commitOf, reading } from '../git/revisions.ts';
import { readStatus, type Status } from '../git/status.ts';
import { leadsThroughSymlink } from '../worktrees/copy-files.ts';
import { readInside } from '../worktrees/losses.ts';

/** Levels of submodules that are followed: deeper ones are not Drover's. */
const DEPTH_MAX = 8;

/** Brings untouched ones to the commit that the index names, and removes the files of those that it names no more. Safe to repeat. @throws {GitError} */
export async function tidySubmodules(context: Git, at: string): Promise<void> {
  // Returns early: nearly always there are no submodules, and no git is asked.
  if (!(await hasModules(context, at))) return;
  await tidy({ ...context, hooks: false }, at, DEPTH_MAX);
}

/** The status of a place in which submodules that only lag its index are no change. @throws {GitError} */
export async function readTidied(context: Git, at: string): Promise<Status> {
  const found = await readStatus(context, at);
  if (found.changes.length === 0 || !(await hasModules(context, at))) return found;
  await tidySubmodules(context, at);
  return readStatus(context, at);
}

async function hasModules({ files }: Git, at: string): Promise<boolean> {
  return (await files.list(`${at}/.git/modules`)).length > 0;
}

async function tidy(context: Git, at: string, depth: number): Promise<void> {
  if (depth === 0) return;
  for (const [path, commit] of await linksIn(context, at)) {
    const inside = `${at}/${path}`;
    if (
      (await context.files.stat(`${inside}/.git`)) === undefined ||
      (await leadsThroughSymlink(context, { root: at, path }))
    )
      continue;
    if ((await commitOf(context, inside, 'HEAD')) !== commit) await bringTo(context, { at, path, commit });
    await tidy(context, inside, depth - 1);
  }
  const { changes } = await readStatus(context, at);
  for (const { path } of changes.filter((one) => one.kind === 'untracked' && one.path.endsWith('/')))
    if (!(await isTouched(context, `${at}/${path.slice(0, -1)}`))) await removeFiles(context, at, path.slice(0, -1));
}

/** Reads the commits of submodules in the index, by their paths. Submodules in a conflict are left out. @throws {GitError} */
export async function linksIn(context: Git, at: string): Promise<ReadonlyMap<string, string>> {
  const { stdout } = await git(context, ['ls-files', '-z', '--stage'], reading(at, 'list its submodules'));
  const links = new Map<string, string>();
  for (const line of stdout.split('\0')) {
    const [, commit, path] = /^160000 ([0-9a-f]+) 0\t([^]*)$/u.exec(line) ?? [];
    if (commit !== undefined && path !== undefined) links.set(path, commit);
  }
  return links;
}

interface Moving {
  readonly at: string;
  readonly path: string;
  readonly commit: string;
}

async function bringTo(context: Git, { at, path, commit }: Moving): Promise<void> {
  const inside = `${at}/${path}`;
  if (await isTouched(context, inside)) return;
  if ((await commitOf(context, inside, commit)) !== undefined) return detach(context, inside, { commit, force: false });
  // Leaves the directory empty when nobody has that commit: as git leaves it, it is no change. Submodules that lack the commit are named.
  if (await removeFiles(context, at, path)) await context.files.mkdir(inside);
}

/** Checks a commit out on no branch. A file in its way leaves it as it is. */
async function detach(
  context: Git,
  at: string,
  { commit, force }: { readonly commit: string; readonly force: boolean },
): Promise<void> {
  const call = { at, action: 'check out a submodule', timeoutMs: DEADLINES_MS.checkout, allow: [1] };
  await git(context, ['checkout', '--quiet', ...(force ? ['--force'] : []), '--detach', commit, '--'], call);
}

/** Checks out a submodule that has no files yet. @throws {GitError} */
export async function checkOutNew(context: Git, at: string, commit: string): Promise<void> {
  await detach({ ...context, hooks: false }, at, { commit, force: true });
}

/** Tells whether a submodule, or one inside of it, holds work that no other place has; one that git cannot read counts as such. */
async function isTouched(context: Git, at: string): Promise<boolean> {
  try {
    const { commits, changed } = await readInside(context, at);
    const links = await linksIn(context, at);
    if (commits.length > 0 || changed.some((path) => !links.has(path))) return true;
    for (const path of links.keys()) {
      const isThere = (await context.files.stat(`${at}/${path}/.git`)) !== undefined;
      if (isThere && (await isTouched(context, `${at}/${path}`))) return true;
    }
    return false;
  } catch (error) {
    if (error instanceof GitError && error.code !== 'cancelled') return true;
    throw error;
  }
}

/** Removes the files of one that git keeps below `.git/modules`: what git knows of it stays there. @returns whether it did. */
async function removeFiles(context: Git, at: string, path: string): Promise<boolean> {
  const { files } = context;
  const marker = `${at}/${path}/.git`;
  if ((await files.stat(marker))?.kind !== 'file' || (await leadsThroughSymlink(context, { root: at, path })))
    return false;
  const text = (await files.readFile(marker, { maxBytes: MARKER_BYTES_MAX })) ?? '';
  if (!/^gitdir: .*\/modules\//u.test(text)) return false;
  await files.rm(`${at}/${path}`);
  return true;
}

/** Bytes of a `.git` that is a file. */
const MARKER_BYTES_MAX = 4096;
