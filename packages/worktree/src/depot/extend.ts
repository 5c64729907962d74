/**
 * Builds the accepted work of several workers on one another, as one commit each, so that they can be checked and published together.
 * The same heads in the same order on the same commit give the same commits, whenever and wherever they are made.
 */
import { lacksContent } from '../content/bring.ts';
import type { Git } from '../git/git.ts';
import { GitError } from '../git/git-error.ts';
import { lackingGitlinks, namedGitlinks } from '../gitlinks/gitlinks.ts';
import { namingOf } from '../gitlinks/naming.ts';
import { quote, worktreePath } from '../names.ts';
import { whyNotReviewed } from '../review/pinned.ts';
import { mergeWork, writeCandidate } from './candidate.ts';
import { withDepot } from './depot.ts';
import { droppedFrom, tellDropped } from './former-mains.ts';
import { forgetGuests, guestRef } from './guests.ts';
import { bringHead } from './head.ts';
import { type Depot, type DepotPlace, idsOf } from './place.ts';
import { whyNotShown } from './same-change.ts';

/** Work of a worker to take along: the commit that was reviewed, and its tree where that is known. */
interface ExtendItem {
  readonly worker: string;
  readonly at: { readonly head: string; readonly tree: string | null; readonly against?: string | undefined };
  /** Tells that its branch is on another machine. The depot has what came from there; `away` says why nothing did. */
  readonly guest?: { readonly away: string | null };
}

interface ExtendRequest {
  /** The commit of the depot on which the first one is built. */
  readonly onto: string;
  /** The project's root, below which the workers of this machine have their places. */
  readonly root: string;
  readonly archive: string;
  readonly items: readonly ExtendItem[];
}

/** Outcome of each item, in order. */
interface ExtendOutcome {
  readonly links: readonly {
    readonly worker: string;
    readonly head: string;
    readonly base: string;
    readonly commit: string;
    readonly tree: string;
  }[];
  /** Items that cannot come along; the others are built as if these were not there. */
  readonly left: readonly {
    readonly worker: string;
    readonly why: 'clash' | 'contained' | 'changed' | 'away';
    readonly detail: string;
  }[];
}

/** Brings the heads into the depot and builds each on the one before. Safe to repeat. @throws {GitError} */
export async function extendChain(context: Git, place: DepotPlace, request: ExtendRequest): Promise<ExtendOutcome> {
  const { onto, root, archive, items } = request;
  const links: ExtendOutcome['links'][number][] = [];
  const left: ExtendOutcome['left'][number][] = [];
  return withDepot(context, place, async (depot) => {
    const [known] = await idsOf(depot, [`${onto}^{commit}`]);
    if (known === undefined) throw new GitError('unknown-revision', `The depot has no commit ${quote(onto)}`);
    const guests = items.flatMap(({ worker, guest }) => (guest === undefined ? [] : [worker]));
    await forgetGuests(depot, guests);
    for (const item of items) {
      const built = await extendBy(depot, { root, archive, item, base: links.at(-1)?.commit ?? onto });
      if (built.kind === 'built') links.push(built.link);
      else left.push({ worker: item.worker, why: built.kind, detail: built.detail });
    }
    return { links, left };
  });
}

type Left = { readonly kind: ExtendOutcome['left'][number]['why']; readonly detail: string };

type Built = { readonly kind: 'built'; readonly link: ExtendOutcome['links'][number] } | Left;

async function extendBy(
  depot: Depot,
  {
    root,
    archive,
    item,
    base,
  }: Pick<ExtendRequest, 'root' | 'archive'> & { readonly item: ExtendItem; readonly base: string },
): Promise<Built> {
  const { worker, at, guest } = item;
  const { head } = at;
  const lacking =
    guest === undefined
      ? await bringOwn(depot, { clone: worktreePath(root, worker), worker, head })
      : await whyAway(depot, item);
  if (lacking !== undefined) return lacking;
  const [headTree, baseTree] = await idsOf(depot, [`${head}^{tree}`, `${base}^{tree}`]);
  if (at.tree !== null && at.tree !== headTree)
    return {
      kind: 'changed',
      detail: `its files are not those that were reviewed: run "drover review ${worker}" again`,
    };
  const dropped = await droppedFrom(depot, { base, head, known: [at.against] });
  if (dropped !== undefined) return { kind: 'changed', detail: tellDropped(dropped) };
  const { merged, commits } = await mergeWork(depot, { base, head });
  if (merged.kind === 'clash') return { kind: 'clash', detail: merged.files.slice(0, FILES_NAMED_MAX).join(', ') };
  const { tree } = merged;
  if (tree === baseTree) return { kind: 'contained', detail: '' };
  const { against } = at;
  const why = against === undefined ? undefined : await whyNotShown(depot, { worker, head, against, base, tree });
  if (why !== undefined) return { kind: 'changed', detail: why };
  const lost = await lackingGitlink(depot, { clone: worktreePath(root, worker), base, tree });
  if (lost !== undefined) return { kind: 'changed', detail: lost };
  const commit = await writeCandidate(depot, { base, tree, commits });
  // Checks the content here: else the whole train would stop, and its conductor hear of it.
  const content = await lacksContent(depot, { archive, base, commit });
  if (content !== undefined)
    return guest === undefined ? { kind: 'changed', detail: content.why } : { kind: 'away', detail: CONTENT_STAYS };
  return { kind: 'built', link: { worker, head, base, commit, tree } };
}

/** Says why a commit of another repository that the work names does not count; undefined: each of them can be had. */
async function lackingGitlink(
  depot: Depot,
  { clone, base, tree }: { readonly clone: string; readonly base: string; readonly tree: string },
): Promise<string | undefined> {
  const named = await namedGitlinks(depot, { base, tree });
  if (named.length === 0) return undefined;
  const [lacking] = await lackingGitlinks(depot.git, named, await namingOf(depot.git, depot.place, clone));
  return (
    lacking &&
    `${quote(lacking.path)} names commit ${lacking.commit.slice(0, 12)} of another repository, which nobody can fetch`
  );
}

/** Brings the work of a worker of this machine from its place, if its branch is still at the reviewed commit. */
async function bringOwn(
  depot: Depot,
  { clone, worker, head }: { readonly clone: string; readonly worker: string; readonly head: string },
): Promise<Left | undefined> {
  const why = await whyNotReviewed(depot.git, clone, { worker, head });
  if (why !== undefined) return { kind: 'changed', detail: why };
  await bringHead(depot, { worker, clone, head });
  return undefined;
}

/** Says why the work of another machine is not here; undefined: it is. */
async function whyAway(depot: Depot, { worker, at, guest }: ExtendItem): Promise<Left | undefined> {
  const why = guest?.away ?? null;
  if (why !== null) return { kind: 'away', detail: why };
  const [kept] = await idsOf(depot, [guestRef(worker)]);
  return kept === at.head ? undefined : { kind: 'away', detail: 'they did not arrive' };
}

/**
 * Reason to leave an item: Git LFS content goes from the machine that has it to where main is, and only the accept of
 * the worker itself brings it.
 */
const CONTENT_STAYS = 'it has files that Git LFS keeps, whose content only its own machine can bring';

/** Files that are named of a clash at most. */
const FILES_NAMED_MAX = 5;
