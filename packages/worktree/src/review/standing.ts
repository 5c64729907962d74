/** Reads how old a work is, and how old its base is. */
import type { Standing } from '@drover/protocol';
import { DEADLINES_MS, gitText } from '../git/git.ts';
import type { OpenChange } from './review.ts';

/** Compares the work with its base, and with the newest of the default branch that is known here. @throws {GitError} */
export async function standing({ git, call, base, work, main }: OpenChange): Promise<Omit<Standing, 'upstream'>> {
  const place = { ...call('tell how old the work is'), timeoutMs: DEADLINES_MS.read };
  const began = (await gitText(git, ['merge-base', base, work], { ...place, allow: [1] })) || base;
  const times = await gitText(git, ['log', '--no-walk=unsorted', '--format=%ct', work, began, '--'], place);
  const [workedAt = 0, basedAt = 0] = times.split('\n').map(millisecondsOf);
  const behind = await gitText(git, ['rev-list', '--count', `${work}..${main}`, '--'], place);
  return { workedAt, base: began, basedAt, behind: Number(behind) };
}

/** A commit may name any time at all, or none. */
function millisecondsOf(seconds: string): number {
  const at = Number(seconds) * 1000;
  return Number.isSafeInteger(at) && at > 0 ? at : 0;
}
