/** Computes the lag of a project's default branch behind the branch that it follows. */
import type { ProjectPageView } from '@drover/api';
import type { Surroundings } from '../surroundings.ts';
import { FOLLOW_OFFER } from '../commands/project/follow.ts';

/** Describes the lag of a project whose root is here, as a sentence; null: there is no lag, or the source is not here. */
export async function lagHere(
  { paths, environment }: Pick<Surroundings, 'paths' | 'environment'>,
  { root, source, defaultBranch, follow }: ProjectPageView,
): Promise<string | null> {
  if (root === null || root !== paths?.root) return null;
  const { examineSource, upstreamWarning } = await import('@drover/machine-agent');
  const check = await examineSource(environment.variables, source, defaultBranch);
  if (check.kind !== 'ok') return null;
  const follows = follow === 'upstream';
  const lag = upstreamWarning(check.defaultBranch, check.upstream, { follows });
  if (lag === undefined) return null;
  return follows ? lag : `${lag}. ${FOLLOW_OFFER}`;
}
