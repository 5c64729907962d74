/** Retries a git command at once when another git gets in the way. */
import { GitError, type GitErrorCode } from './git-error.ts';

/**
 * Attempts in all. The other git is in the middle of one small write: each attempt here starts a process, which
 * takes longer than that, and git itself waits for locks. Six workers made at once needed two.
 */
const ATTEMPTS_MAX = 10;

/**
 * Retries an act that may be done twice while it fails with `locked`: two fetches that move one ref, or a worktree
 * that another git has only half written into the list.
 *
 * `codes` widens what is retried, for acts that change nothing when they fail.
 *
 * @throws {GitError} the last one, when the attempts are used up or the code is another.
 */
export async function retryLocked<T>(
  act: () => Promise<T>,
  { codes = ['locked'] }: { readonly codes?: readonly GitErrorCode[] } = {},
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await act();
    } catch (error) {
      if (!(error instanceof GitError) || !codes.includes(error.code) || attempt === ATTEMPTS_MAX) throw error;
    }
  }
}
