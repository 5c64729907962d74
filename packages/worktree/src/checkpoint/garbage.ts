/** Gives back the room that dropped checkpoints took. */
import { type DepotPlace, inDepot } from '../depot/place.ts';
import { withDepot } from '../depot/depot.ts';
import { type Git, git, gitText } from '../git/git.ts';

/** Milliseconds: tidying up must not hold up what waits behind it. */
const TIMEOUT_MS = 60_000;

/**
 * Runs git's own collection when many loose objects have come together. Unreachable objects are deleted once they are
 * three days old: checkpoints are dropped by the minute, and git's two weeks would keep some 20,000 of each worker.
 *
 * @throws {GitError}
 */
export async function collectGarbage(
  context: Git,
  { at, expire = '3.days.ago', looseMax = 6_700 }: { at: string; expire?: string; looseMax?: number },
): Promise<void> {
  const config = [`gc.auto=${looseMax}`, 'gc.autoDetach=false', `gc.pruneExpire=${expire}`];
  const call = { at, action: 'collect garbage', timeoutMs: TIMEOUT_MS, config };
  await git(context, ['gc', '--auto', '--quiet'], call);
}

/** Loose objects, or packs, from which on the depot is packed. */
const LOOSE_MAX = 6_700;
const PACKS_MAX = 50;

/**
 * Packs the depot when many loose objects have come together. Nothing is dropped there, whatever git thinks that no ref leads to: clones
 * borrow it.
 *
 * @throws {GitError}
 */
export async function packDepot(context: Git, place: DepotPlace, { looseMax = LOOSE_MAX } = {}): Promise<void> {
  await withDepot(context, place, async (depot) => {
    const text = await gitText(depot.git, ['count-objects', '-v'], inDepot(depot, 'count its objects'));
    const loose = Number(/^count: (\d+)$/mu.exec(text)?.[1] ?? 0);
    const packs = Number(/^packs: (\d+)$/mu.exec(text)?.[1] ?? 0);
    if (loose <= looseMax && packs <= PACKS_MAX) return;
    const call = { ...inDepot(depot, 'pack the depot'), timeoutMs: TIMEOUT_MS };
    const allow = async (isAllowed: boolean): Promise<unknown> =>
      git(depot.git, ['config', 'extensions.preciousObjects', String(!isAllowed)], call);
    // Git removes no pack where objects must stay, although each is in the new one.
    await allow(true);
    try {
      await git(depot.git, ['repack', '-a', '-d', '--keep-unreachable', '--quiet'], call);
    } finally {
      await allow(false);
    }
  });
}
