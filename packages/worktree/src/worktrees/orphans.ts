/** Which worktrees and directories belong to no worker any more? */
import type { Git } from '../git/git.ts';
import { listWorktrees, resolved, type Worktree } from './worktrees.ts';

/** What was found under `<root>/.worktrees`. Nothing is removed: that is for `removeWorktree`, or a person. */
interface Orphans {
  /** Worktrees of git whose name is no known worker. */
  readonly worktrees: readonly Worktree[];
  /** Worktrees of git whose directory is gone. */
  readonly gone: readonly Worktree[];
  /** Directories that git does not know, with absolute paths. */
  readonly strays: readonly string[];
}

/** Compares git's list, the directory and the names of the workers. @throws {GitError} */
export async function findOrphans(
  context: Git,
  { repo, workers }: { readonly repo: string; readonly workers: readonly string[] },
): Promise<Orphans> {
  const home = await resolved(context, `${repo}/.worktrees`);
  const ours = (await listWorktrees(context, repo)).filter((worktree) => worktree.path.startsWith(`${home}/`));
  const known = new Set(workers.map((worker) => `${home}/${worker}`));
  const registered = new Set(ours.map((worktree) => worktree.path));
  const present = (await context.files.list(home)).map((name) => `${home}/${name}`);
  return {
    worktrees: ours.filter((worktree) => !worktree.gone && !known.has(worktree.path)),
    gone: ours.filter((worktree) => worktree.gone),
    strays: present.filter((path) => !registered.has(path)).sort(),
  };
}
