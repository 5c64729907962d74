/** Main is a branch of a repository on another machine, which a coordinator asks: objects come and go as parcels. */
import { type Git, git } from '../../git/git.ts';
import { GitError } from '../../git/git-error.ts';
import { bringContent } from '../../content/bring.ts';
import { pack } from '../../parcel/pack.ts';
import { type Depot, type Target, idsOf, inDepot, mainRef } from '../place.ts';
import { keepFormerMain } from '../former-mains.ts';
import type { Carrier } from './carrier.ts';
import type { PublishRequest } from './outcome.ts';
import type { Home } from './ports.ts';
import { standing } from './remote.ts';
import { forgetCarried, takeIn } from './take-in.ts';

/** The carrier on a machine that is not the home. */
export function homeCarrier(context: Git, { home }: Extract<Target, { kind: 'home' }>): Carrier {
  const read = async (): Promise<string> => (await home.readMain()).commit;
  const fetchMain = async (depot: Depot): Promise<void> => {
    const commit = await read();
    const [here, known] = await idsOf(depot, [mainRef(depot.place), commit]);
    // Skips the fetch of a commit that was published from here: the depot has it.
    if (known === undefined) await bring(depot, home, { commit, not: here === undefined ? [] : [here] });
    await keepFormerMain(depot);
    const call = inDepot(depot, 'note the newest main');
    await git(depot.git, ['update-ref', mainRef(depot.place), commit], call);
    await forgetCarried(depot);
  };
  return {
    objectFormat: async () => (await home.readMain()).format,
    readMain: read,
    fetchMain,
    async publish(depot, request) {
      const before = await standing(depot, request, { read, fetchMain });
      // Settles an earlier publication: its machine may have been killed after it moved main, and before files of
      // people followed.
      if (before?.kind === 'published') await home.settle();
      if (before !== undefined) return before;
      const lacking = await bringContent(context, depot, request);
      if (lacking !== undefined) return lacking;
      const sent = await send(context, depot, { home, request, not: [request.base] });
      const outcome = sent.kind === 'incomplete' ? await send(context, depot, { home, request, not: [] }) : sent;
      if (outcome.kind !== 'incomplete') return outcome;
      throw new GitError('failed', `The machine that has main lacks commits on which ${request.commit} builds`);
    },
    settle: () => home.settle(),
  };
}

/** Fetches a commit; everything is checked in a quarantine first. Work that builds on something that is not here comes whole. */
async function bring(
  depot: Depot,
  home: Home,
  { commit, not }: { readonly commit: string; readonly not: readonly string[] },
): Promise<void> {
  const file = await home.fetch({ commit, not });
  const taken = await takeIn(depot, { ...home, file, commit });
  if (taken.kind === 'unpacked') return;
  if (taken.kind === 'incomplete' && not.length > 0) return bring(depot, home, { commit, not: [] });
  const why = taken.kind === 'damaged' ? taken.why : 'it builds on commits that are not in it';
  throw new GitError('failed', `Cannot take the newest main: the parcel of its machine is not sound: ${why}`);
}

async function send(
  context: Git,
  depot: Depot,
  { home, request, not }: { readonly home: Home; readonly request: PublishRequest; readonly not: readonly string[] },
): ReturnType<Home['publish']> {
  const { spool, id, maxBytes, sha256Of } = home;
  const refs = [{ name: 'work', commit: request.commit }];
  const packed = await pack(depot.git, { repo: depot.at, refs, not, spool, id, maxBytes }, sha256Of);
  if (packed.kind !== 'packed')
    throw new GitError('failed', 'message' in packed ? packed.message : 'There is nothing to publish');
  try {
    return await home.publish(packed, request);
  } finally {
    await context.files.rm(packed.path);
  }
}
