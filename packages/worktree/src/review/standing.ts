/** Reads how old a work is, and how old its base is. */
import type { Standing } from '@drover/protocol';
import { type Git, gitText } from '../git/git.ts';
import { reading } from '../git/revisions.ts';
import { openObjectView } from './object-view.ts';
import type { ReviewRange } from './review.ts';

/** Compares the work with its base, and with `main`, the newest of the default branch that is known here. @throws {GitError} */
export async function standing(
  context: Git,
  { path, base, head = 'HEAD', main }: ReviewRange & { readonly main: string },
): Promise<Omit<Standing, 'upstream'>> {
  await using view = await openObjectView(context, path, [base, head, main]);
  const [from = '', work = '', newest = ''] = view.commits;
  const place = { ...reading(view.call.at, 'tell how old the work is'), ...view.call };
  const began = (await gitText(view.git, ['merge-base', from, work], { ...place, allow: [1] })) || from;
  const times = await gitText(view.git, ['log', '--no-walk=unsorted', '--format=%ct', work, began, '--'], place);
  const [workedAt = 0, basedAt = 0] = times.split('\n').map(millisecondsOf);
  const behind = await gitText(view.git, ['rev-list', '--count', `${work}..${newest}`, '--'], place);
  return { workedAt, base: began, basedAt, behind: Number(behind) };
}

/** A commit may name any time at all, or none. */
function millisecondsOf(seconds: string): number {
  const at = Number(seconds) * 1000;
  return Number.isSafeInteger(at) && at > 0 ? at : 0;
}
