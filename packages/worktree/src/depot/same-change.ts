/** Compares the change that a merge makes with the one that a person was shown. */
import { gitText } from '../git/git.ts';
import { quote } from '../names.ts';
import { mergeTrees } from './merge.ts';
import { type Depot, idsOf, inDepot } from './place.ts';

/**
 * Says why a merge makes another change than the one that was shown against `against`, in words with what to do;
 * undefined: it is the same, line by line. Main may have taken a part of it, or renamed its files.
 *
 * @throws {GitError}
 */
export async function whyNotShown(
  depot: Depot,
  { worker, head, against, base, tree }: { worker: string; head: string; against: string; base: string; tree: string },
): Promise<string | undefined> {
  if (against === base) return undefined;
  const again = `run "drover review ${worker}" again`;
  const [known] = await idsOf(depot, [`${against}^{commit}`]);
  if (known === undefined)
    return `${quote(against)}, which the work was compared with in the review, is not known here: ${again}`;
  const before = await mergeTrees(depot, { base: against, head });
  const isSame =
    before.kind === 'merged' && (await linesOf(depot, [against, before.tree])) === (await linesOf(depot, [base, tree]));
  return isSame
    ? undefined
    : `the default branch has moved since the review, and the merge would differ from the change that was shown: ${again}`;
}

/** Lists each changed path with its mode and its numbers of lines: a clean merge takes hunks whole, so that a lacking one shows in them. */
function linesOf(depot: Depot, [from, to]: readonly [string, string]): Promise<string> {
  const args = ['diff-tree', '-r', '--no-renames', '--numstat', '--summary', from, to];
  return gitText(depot.git, args, inDepot(depot, 'compare with what was shown'));
}
