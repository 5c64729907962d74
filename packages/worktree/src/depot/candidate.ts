/**
 * Makes the candidate of a worker's work: one commit on the newest main with the work merged into it. The candidate is
 * checked, reviewed and published; the agent's worktree is not touched. The same head and main give the same commit,
 * whenever and wherever it is made.
 */
import type { Gitlink } from '@drover/core';
import { type Git, gitText } from '../git/git.ts';
import { squashMessage } from '../accept/commit-message.ts';
import { together } from '../git/together.ts';
import { lackingGitlinks, type NamedGitlink, namedGitlinks } from '../gitlinks/gitlinks.ts';
import { namingOf } from '../gitlinks/naming.ts';
import { type OwnCommit, ownCommits } from '../rebase/squash.ts';
import { KEEPER, quote } from '../names.ts';
import { GitError } from '../git/git-error.ts';
import { withDepot } from './depot.ts';
import { type Depot, type DepotPlace, inDepot } from './place.ts';
import { carrierOf } from './targets/carrier-of.ts';
import type { WorkOfWorker } from './head.ts';
import type { MergeRequest, Merged } from './merge-in-files.ts';
import { mergeTrees } from './merge.ts';
import { mergeNewest } from './merged-work.ts';
import { isOfferMerged } from './offer.ts';
import { whyNotShown } from './same-change.ts';
import { type CandidateNote, undoneOfOthers } from './undone.ts';

/** The work, and the commit at which its task began; null where that is not known: there are no notes then. */
interface CandidateRequest extends WorkOfWorker {
  readonly began: string | null;
  /** True if accepted work is handed over as a branch: people may have merged that branch. */
  readonly mayBeOffered?: boolean;
  /** The commit that the work was compared with when a person saw it: only the change that they saw is merged. */
  readonly against?: string | undefined;
}

/** Outcome of {@link makeCandidate}. Ids are full. */
type CandidateOutcome =
  | {
      readonly kind: 'candidate';
      readonly head: string;
      readonly headTree: string;
      /** Commit of main that the work is based on. */
      readonly base: string;
      readonly commit: string;
      readonly tree: string;
      readonly notes: readonly CandidateNote[];
      /** Commits of other repositories that it names, and that cannot be had. */
      readonly gitlinks: readonly Gitlink[];
    }
  /** Work and main clash in these files. */
  | { readonly kind: 'clash'; readonly head: string; readonly base: string; readonly files: readonly string[] }
  /** Main would not change. */
  | { readonly kind: 'contained'; readonly head: string; readonly base: string }
  /** Rewritten main: the work is based on `dropped`, which is no longer in main: a merge would bring it back. */
  | { readonly kind: 'rewritten'; readonly head: string; readonly base: string; readonly dropped: string }
  /** Changed: another change would be merged than the one that was shown. */
  | { readonly kind: 'changed'; readonly head: string; readonly why: string };

/**
 * Brings main and head into the depot and merges them there. Safe to repeat. No ref keeps the candidate: it is used at once, or made again.
 *
 * @throws {GitError}
 */
export async function makeCandidate(
  context: Git,
  place: DepotPlace,
  request: CandidateRequest,
): Promise<CandidateOutcome> {
  const { head, worker, began, against, clone } = request;
  const made = await withDepot(context, place, async (depot): Promise<Unjudged> => {
    const newest = await mergeNewest(depot, { ...request, mains: [began, against] });
    const { base } = newest;
    if (request.mayBeOffered === true && (await isOfferMerged(depot, { worker, head, base })))
      return { kind: 'contained', head, base };
    if ('dropped' in newest) return { kind: 'rewritten', head, base, dropped: newest.dropped };
    const { baseTree, headTree, merged, commits, parted } = newest;
    if (merged.kind === 'clash') return { kind: 'clash', head, base, files: merged.files };
    const { tree } = merged;
    if (tree === baseTree) {
      // Settles the target first: the work may be merged already, by a publication that could not bring the files of
      // the target along.
      await carrierOf(context, place.target).settle();
      return { kind: 'contained', head, base };
    }
    const why = against === undefined ? undefined : await whyNotShown(depot, { worker, head, against, base, tree });
    if (why !== undefined) return { kind: 'changed', head, why };
    const notes = began === null ? NONE : undoneOfOthers(depot, { began, base, head, parted });
    const written = writeCandidate(depot, { base, tree, commits });
    const [commit, found, named] = await together([written, notes, namedGitlinks(depot, { base, tree })]);
    return { kind: 'candidate', head, headTree, base, commit, tree, notes: found, named };
  });
  if (made.kind !== 'candidate') return made;
  const { named, ...candidate } = made;
  // Asks other machines only now, with the depot free again for others.
  if (named.length === 0) return { ...candidate, gitlinks: [] };
  return { ...candidate, gitlinks: await lackingGitlinks(context, named, await namingOf(context, place, clone)) };
}

type Unjudged =
  | Exclude<CandidateOutcome, { readonly kind: 'candidate' }>
  | (Omit<Extract<CandidateOutcome, { readonly kind: 'candidate' }>, 'gitlinks'> & {
      readonly named: readonly NamedGitlink[];
    });

const NONE: Promise<readonly CandidateNote[]> = Promise.resolve([]);

/** Merges, and reads the commits that are merged: one git does not wait for the other. @throws {GitError} */
export async function mergeWork(
  depot: Depot,
  request: MergeRequest,
): Promise<{ readonly merged: Merged; readonly commits: readonly OwnCommit[] }> {
  const [merged, commits] = await together([mergeTrees(depot, request), ownCommits(depot.git, depot.at, request)]);
  return { merged, commits };
}

/** Takes names and times from the work's own commits, so that nothing of this machine or moment is in the candidate. */
export async function writeCandidate(
  depot: Depot,
  { base, tree, commits }: { readonly base: string; readonly tree: string; readonly commits: readonly OwnCommit[] },
): Promise<string> {
  const [first, last] = [commits[0], commits.at(-1)];
  if (first === undefined || last === undefined)
    throw new GitError('failed', `The work has no commit that ${quote(base)} has not, yet its files differ`);
  const { author } = first;
  const { committer } = last;
  const call = inDepot(depot, 'write the candidate');
  const env = {
    ...call.env,
    GIT_AUTHOR_NAME: author.name || KEEPER.name,
    GIT_AUTHOR_EMAIL: author.email || KEEPER.email,
    GIT_AUTHOR_DATE: author.date,
    GIT_COMMITTER_NAME: committer.name || KEEPER.name,
    GIT_COMMITTER_EMAIL: committer.email || KEEPER.email,
    GIT_COMMITTER_DATE: committer.date,
  };
  const args = ['commit-tree', tree, '-p', base, '-F', '-'];
  return gitText(depot.git, args, { ...call, env, input: squashMessage(commits) });
}
