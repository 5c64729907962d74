/**
 * Builds the accepted work of several workers on one another, as one commit each, so that they can be checked and published together.
 * The same heads in the same order on the same commit give the same commits, whenever and wherever they are made.
 */
import { lacksContent } from '../content/bring.ts';
import { commitOf } from '../git/revisions.ts';
import { type Git, git } from '../git/git.ts';
import { GitError } from '../git/git-error.ts';
import { quote, workerBranch } from '../names.ts';
import { whatChanged } from '../review/pinned.ts';
import { mergeWork, writeCandidate } from './candidate.ts';
import { withDepot } from './depot.ts';
import { bringHead } from './head.ts';
import { type Depot, type DepotPlace, candidateRef, idsOf, inDepot } from './place.ts';

/** The work of a worker that is to come along: the commit that was reviewed, and its tree where that is known. */
interface ExtendItem {
  readonly worker: string;
  readonly at: { readonly head: string; readonly tree: string | null };
}

interface ExtendRequest {
  /** The commit of the depot on which the first one is built. */
  readonly onto: string;
  /** The project's clone, which has the heads. */
  readonly clone: string;
  readonly items: readonly ExtendItem[];
}

/** What became of each item, in order. */
interface ExtendOutcome {
  readonly links: readonly {
    readonly worker: string;
    readonly head: string;
    readonly base: string;
    readonly commit: string;
    readonly tree: string;
  }[];
  /** They cannot come along; the others are built as if these were not there. */
  readonly left: readonly {
    readonly worker: string;
    readonly why: 'clash' | 'contained' | 'changed';
    readonly detail: string;
  }[];
}

/** Brings the heads into the depot and builds each on the one before. Safe to repeat. @throws {GitError} */
export async function extendChain(context: Git, place: DepotPlace, request: ExtendRequest): Promise<ExtendOutcome> {
  const { onto, clone, items } = request;
  const links: ExtendOutcome['links'][number][] = [];
  const left: ExtendOutcome['left'][number][] = [];
  return withDepot(context, place, async (depot) => {
    const [known] = await idsOf(depot, [`${onto}^{commit}`]);
    if (known === undefined) throw new GitError('unknown-revision', `The depot has no commit ${quote(onto)}`);
    for (const item of items) {
      const built = await extendBy(depot, { clone, item, base: links.at(-1)?.commit ?? onto });
      if (built.kind === 'built') links.push(built.link);
      else left.push({ worker: item.worker, why: built.kind, detail: built.detail });
    }
    return { links, left };
  });
}

type Built =
  | { readonly kind: 'built'; readonly link: ExtendOutcome['links'][number] }
  | { readonly kind: 'clash' | 'contained' | 'changed'; readonly detail: string };

async function extendBy(
  depot: Depot,
  { clone, item, base }: { readonly clone: string; readonly item: ExtendItem; readonly base: string },
): Promise<Built> {
  const { worker, at } = item;
  const { head } = at;
  const context = depot.git;
  const tip = await commitOf(context, clone, `refs/heads/${workerBranch(worker)}`);
  if (tip !== head) {
    const detail =
      tip === undefined
        ? `its branch "${workerBranch(worker)}" is not there`
        : await whatChanged(context, clone, { worker, from: head, to: tip });
    return { kind: 'changed', detail };
  }
  await bringHead(depot, { worker, clone, head });
  const [headTree, baseTree, kept] = await idsOf(depot, [`${head}^{tree}`, `${base}^{tree}`, candidateRef(worker)]);
  if (at.tree !== null && at.tree !== headTree)
    return {
      kind: 'changed',
      detail: `its files are not those that were reviewed: run "drover review ${worker}" again`,
    };
  const { merged, commits } = await mergeWork(depot, { base, head });
  if (merged.kind === 'clash') return { kind: 'clash', detail: merged.files.slice(0, FILES_NAMED_MAX).join(', ') };
  const { tree } = merged;
  if (tree === baseTree) return { kind: 'contained', detail: '' };
  const commit = await writeCandidate(depot, { base, tree, commits });
  // Else the whole train would stop, and its conductor hear of it.
  const lacking = await lacksContent(depot, { clone, base, commit });
  if (lacking !== undefined) return { kind: 'changed', detail: lacking.why };
  if (kept !== commit)
    await git(context, ['update-ref', candidateRef(worker), commit], inDepot(depot, 'keep what comes along'));
  return { kind: 'built', link: { worker, head, base, commit, tree } };
}

/** Files that are named of a clash at most. */
const FILES_NAMED_MAX = 5;
