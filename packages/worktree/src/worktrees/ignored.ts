/** Lists ignored files by the globs of a project. */
import { DEADLINES_MS, type Git, git } from '../git/git.ts';
import type { FileChange } from '../git/status.ts';

/** The ignored files under a directory that match one of the globs, in git's words: `*`, `**`, `?`, `[…]`. @throws {GitError} */
export async function listIgnored(context: Git, at: string, globs: readonly string[]): Promise<readonly string[]> {
  if (globs.length === 0) return [];
  const patterns = globs.map((glob) => `:(glob,top)${glob}`);
  const args = ['ls-files', '-z', '--others', '--ignored', '--exclude-standard', '--', ...patterns];
  const action = `find the ignored files that match ${globs.map((glob) => `"${glob}"`).join(', ')}`;
  const { stdout } = await git(context, args, { at, action, timeoutMs: DEADLINES_MS.write, reads: true });
  return stdout.split('\0').filter((path) => path !== '' && !path.startsWith('.worktrees/'));
}

/** The ignored files of a place that count as work, as changes (`repo.keep`). @throws {GitError} */
export async function listKeptIgnored(context: Git, at: string): Promise<readonly FileChange[]> {
  const paths = await listIgnored(context, at, context.keep ?? []);
  return paths.map((path) => ({ path, kind: 'untracked', letters: '!!' }));
}
