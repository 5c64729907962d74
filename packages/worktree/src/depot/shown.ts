/** Shows a person the very change that a merge makes, and finds what blocks the merge because main was rewritten. */
import { type Git, gitText } from '../git/git.ts';
import { GitError } from '../git/git-error.ts';
import { quote } from '../names.ts';
import { together } from '../git/together.ts';
import { mergeWork, writeCandidate } from './candidate.ts';
import { syncMain, withDepot } from './depot.ts';
import { droppedFrom } from './former-mains.ts';
import { type WorkOfWorker, bringHead, bringMissing, checkId, seenInDepot } from './head.ts';
import { type Depot, type DepotPlace, idsOf, inDepot } from './place.ts';
import { carrierOf } from './targets/carrier-of.ts';

interface ShowRequest extends WorkOfWorker {
  /** The commit on which the work began; null: not known. */
  readonly began: string | null;
  /** The commit that the work was compared with when it was shown before; absent: the newest main. */
  readonly main?: string | undefined;
  /** True: the depot keeps the commit already, and no clone is looked into. */
  readonly isPinned?: boolean | undefined;
}

/** The two sides of a review, by ids in the depot, which has no names for a reader to trust. */
interface ShownWork {
  /** The depot's bare repository. */
  readonly at: string;
  /** The newest main. */
  readonly main: string;
  /** The change from `base` to `shown` is what a merge makes; where the work clashes, it is that of the work itself. */
  readonly base: string;
  readonly shown: string;
  /** A commit below the work that main does not hold any more: `base` is that commit, and nothing is merged before a rebase. */
  readonly dropped: string | undefined;
}

/** Brings a worker's work and the newest main into the depot and merges them there, for `diff`, `stat` and `commits`. @throws {GitError} */
export async function showWork(context: Git, place: DepotPlace, request: ShowRequest): Promise<ShownWork> {
  const { head, worker, began, isPinned = false } = request;
  checkId(head);
  return withDepot(context, place, async (depot) => {
    const [main, seen] = await together([carrierOf(depot.git, place.target).readMain(), seenInDepot(depot, worker)]);
    await bringMissing(depot, request, { base: main, seen: isPinned ? { ...seen, kept: head } : seen });
    const dropped =
      request.main === undefined ? await droppedFrom(depot, { base: main, head, known: [began] }) : undefined;
    const base = dropped ?? request.main ?? main;
    const [known] = await idsOf(depot, [`${base}^{commit}`]);
    if (known === undefined)
      throw new GitError('unknown-revision', `${quote(base)} is gone: run "drover review ${worker}" again`);
    return { at: depot.at, main, dropped, ...(await changeOf(depot, { base, head })) };
  });
}

async function changeOf(
  depot: Depot,
  { base, head }: { readonly base: string; readonly head: string },
): Promise<Pick<ShownWork, 'base' | 'shown'>> {
  const { merged, commits } = await mergeWork(depot, { base, head });
  if (merged.kind === 'clash') {
    const call = inDepot(depot, 'find where the branches parted');
    return { base: await gitText(depot.git, ['merge-base', base, head], call), shown: head };
  }
  const [tree] = await idsOf(depot, [`${base}^{tree}`]);
  // Main has all of it.
  if (tree === merged.tree) return { base, shown: base };
  return { base, shown: await writeCandidate(depot, { base, tree: merged.tree, commits }) };
}

/** The commit below the work of a worker that the newest main does not hold any more; undefined: there is none. @throws {GitError} */
export async function findDropped(
  context: Git,
  place: DepotPlace,
  { began, ...work }: WorkOfWorker & { readonly began: string | null },
): Promise<string | undefined> {
  return withDepot(context, place, async (depot) => {
    const base = await syncMain(depot);
    await bringHead(depot, work);
    return droppedFrom(depot, { base, head: work.head, known: [began] });
  });
}
