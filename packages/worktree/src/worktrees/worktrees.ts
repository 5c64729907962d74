/** Working trees of a repository, and where paths lead. */
import { type Git, git } from '../git/git.ts';
import { retryLocked } from '../git/retry-locked.ts';
import { reading } from '../git/revisions.ts';

/** Line of `git worktree list`. */
export interface Worktree {
  readonly path: string;
  readonly head: string | undefined;
  /** Branch without `refs/heads/`; undefined when detached. */
  readonly branch: string | undefined;
  readonly bare: boolean;
  /** The directory is gone. */
  readonly gone: boolean;
}

/** Lists the worktrees of a repository, the main one first. @throws {GitError} */
export async function listWorktrees(context: Git, repo: string): Promise<Worktree[]> {
  const call = reading(repo, 'list the worktrees');
  const { stdout } = await retryLocked(() => git(context, ['worktree', 'list', '--porcelain'], call));
  const worktrees = parseWorktrees(stdout);
  return Promise.all(
    worktrees.map(async (worktree) => ({
      ...worktree,
      gone: !worktree.bare && (await context.files.stat(worktree.path)) === undefined,
    })),
  );
}

/** Parses the porcelain format. Pure. Directories with line breaks in their names are refused elsewhere. */
function parseWorktrees(text: string): Worktree[] {
  return text
    .split('\n\n')
    .filter((block) => block.startsWith('worktree '))
    .map((block) => {
      const lines = block.split('\n');
      const value = (key: string): string | undefined =>
        lines.find((line) => line === key || line.startsWith(`${key} `))?.slice(key.length + 1);
      return {
        path: value('worktree') ?? '',
        head: value('HEAD'),
        branch: value('branch')?.replace(/^refs\/heads\//, ''),
        bare: value('bare') !== undefined,
        gone: false,
      };
    });
}

/** The path as git will report it: without symbolic links, also when its last parts do not exist yet. */
export async function resolved(context: Git, path: string): Promise<string> {
  const real = await context.files.realpath(path);
  if (real !== undefined) return real;
  const cut = path.lastIndexOf('/');
  if (cut <= 0) return path;
  return `${await resolved(context, path.slice(0, cut))}${path.slice(cut)}`;
}
