/** How is the room given back that dropped checkpoints took? */
import { type Git, git } from '../git/git.ts';

/** Milliseconds: tidying up must not hold up what waits behind it. */
const TIMEOUT_MS = 60_000;

/**
 * Runs git's own collection when many loose objects have come together. What nothing leads to any more goes once it is
 * three days old: checkpoints are dropped by the minute, and git's two weeks would keep some 20,000 of each worker.
 *
 * @throws {GitError}
 */
export async function collectGarbage(
  context: Git,
  { repo, expire = '3.days.ago', looseMax = 6_700 }: { repo: string; expire?: string; looseMax?: number },
): Promise<void> {
  const config = [`gc.auto=${looseMax}`, 'gc.autoDetach=false', `gc.pruneExpire=${expire}`];
  const call = { at: repo, action: 'collect garbage', timeoutMs: TIMEOUT_MS, config };
  await git(context, ['gc', '--auto', '--quiet'], call);
}
