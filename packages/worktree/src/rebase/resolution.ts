/** Judges a conflict that an agent says it has resolved, by git alone, never by words (docs/adr/0017-git-judges-a-conflict.md). Reads only. */
import { DEADLINES_MS, type Git, git, gitText } from '../git/git.ts';
import { readStatus } from '../git/status.ts';
import { workerBranch } from '../names.ts';
import { type ObjectView, openObjectView } from '../review/object-view.ts';
import { readChanges } from './changes.ts';
import { type MarkerLeft, markersLeft } from './markers.ts';
import { type Operation, operationInProgress } from './operation.ts';
import { compareSides, containsOwn, type Sides } from './sides.ts';
import { lossesOf } from './three-way.ts';

/** Rebase to judge: the work and its new base. Commits by their full names. */
export interface ResolutionRequest {
  readonly worktree: string;
  readonly worker: string;
  /** The commit that the work was to be put on. */
  readonly onto: string;
  /** The commit that the branch had before. */
  readonly orig: string;
  /** The default branch does not hold this commit any more: only what comes after it is the work. */
  readonly beyond?: string | undefined;
  /** The newest commit of the default branch that is known: the agent may have gone on to it by itself. */
  readonly newest?: string;
}

/** The commit that was judged, with its tree. */
interface Judged {
  readonly head: string;
  readonly tree: string;
}

/** The verdict, in the order in which it is looked for. */
export type Resolution =
  /** Git is in the middle of something, or files are not merged. */
  | { readonly kind: 'in-progress'; readonly operation: Operation['kind'] | null; readonly files: readonly string[] }
  /** Elsewhere: the branch is not checked out (`branch`: the one that is, null: no branch), or is not on `onto`. */
  | { readonly kind: 'elsewhere'; readonly head: string | null; readonly branch: string | null }
  /** The work is as it was before. */
  | ({ readonly kind: 'aborted' } & Judged)
  /** Nothing is left to merge, because the default branch has all of it. */
  | ({ readonly kind: 'contained' } & Judged)
  /** Nothing is left of the work. `files` had changes of its own. */
  | ({ readonly kind: 'emptied'; readonly files: readonly string[] } & Judged)
  | ({ readonly kind: 'markers'; readonly markers: readonly MarkerLeft[] } & Judged)
  | ({ readonly kind: 'lost-own' | 'undone-others'; readonly files: readonly string[] } & Judged & Chosen)
  | ({ readonly kind: 'resolved' } & Judged & Chosen);

interface Chosen {
  /** Files of which one side had to go: deleted by one and changed by the other, no text, or a lock file, which is rebuilt. */
  readonly chosen: readonly string[];
}

/** Judges what a worktree has now. @throws {GitError} */
export async function judgeResolution(context: Git, request: ResolutionRequest): Promise<Resolution> {
  const { worktree: at, worker, onto, orig } = request;
  const status = await readStatus(context, at, 'no');
  const operation = await operationInProgress(context, at);
  if (operation !== undefined || status.unmerged.length > 0) {
    const files = status.unmerged.map(({ path }) => path);
    return { kind: 'in-progress', operation: operation?.kind ?? null, files };
  }
  const { head = null, branch = null } = status;
  if (head === null || branch !== workerBranch(context, worker)) return { kind: 'elsewhere', head, branch };
  await using view = await openObjectView(context, at, [onto, orig, head, request.newest ?? onto]);
  const [base = '', own = '', now = '', newest = ''] = view.commits;
  const tree = await treeIn(view, now);
  if (!(await contains(view, now, base)))
    return tree === (await treeIn(view, own)) ? { kind: 'aborted', head, tree } : { kind: 'elsewhere', head, branch };
  // Awaits here, because the view is gone when this function ends.
  return await judgeRebased(view, {
    ...request,
    attributes: context,
    onto: await farthest(view, { base, newest, now }),
    own,
    now,
    tree,
  });
}

interface Rebased {
  readonly attributes: Git;
  readonly worktree: string;
  readonly onto: string;
  readonly beyond?: string | undefined;
  readonly own: string;
  readonly now: string;
  readonly tree: string;
}

/** Judges the result on the new base. */
async function judgeRebased(view: ObjectView, rebased: Rebased): Promise<Resolution> {
  const { attributes, worktree, onto, own, now: head, tree } = rebased;
  const parted = rebased.beyond ?? (await partedAt(view, [own, onto]));
  const sides: Sides = {
    own: await readChanges(view, [parted, own]),
    others: await readChanges(view, [parted, onto]),
    made: await readChanges(view, [onto, head]),
    moved: (await readChanges(view, [own, head])).renames,
  };
  if (tree === (await treeIn(view, onto))) {
    const files = [...sides.own.paths.keys()];
    return containsOwn(sides) ? { kind: 'contained', head, tree } : { kind: 'emptied', head, tree, files };
  }
  const markers = await markersLeft(view, { attributes, worktree, sides, range: [onto, head] });
  if (markers.length > 0) return { kind: 'markers', head, tree, markers };
  const found = compareSides(sides);
  const losses = await lossesOf(view, found.whole);
  const losing = (side: 'own' | 'others', loss: string): string[] =>
    found.whole.flatMap((file) => (file.side === side && losses.get(file) === loss ? [file.path] : []));
  const chosen = [...found.chosen, ...losing('own', 'no-text'), ...losing('others', 'no-text')].sort();
  const lost = [...new Set([...found.lost, ...losing('others', 'loses')])].sort();
  if (lost.length > 0) return { kind: 'lost-own', head, tree, files: lost, chosen };
  const undone = [...new Set([...found.undone, ...losing('own', 'loses')])].sort();
  if (undone.length > 0) return { kind: 'undone-others', head, tree, files: undone, chosen };
  return { kind: 'resolved', head, tree, chosen };
}

/** Newest commit of the default branch that the work is based on: an agent may have rebased onto a newer one itself. */
async function farthest(
  view: ObjectView,
  { base, newest, now }: { readonly base: string; readonly newest: string; readonly now: string },
): Promise<string> {
  if (newest === base || !(await contains(view, newest, base))) return base;
  const shared = await partedAt(view, [newest, now]);
  return (await contains(view, shared, base)) ? shared : base;
}

async function contains(view: ObjectView, descendant: string, ancestor: string): Promise<boolean> {
  const args = ['merge-base', '--is-ancestor', ancestor, descendant];
  return (await git(view.git, args, { ...callOf(view, 'find the base of the work'), allow: [1] })).status === 0;
}

/** Finds where two branches parted; the empty tree if they have no history in common. */
async function partedAt(view: ObjectView, [one, other]: readonly [string, string]): Promise<string> {
  const place = callOf(view, 'find where the branches parted');
  const commit = await gitText(view.git, ['merge-base', one, other], { ...place, allow: [1] });
  if (commit !== '') return commit;
  return gitText(view.git, ['hash-object', '-t', 'tree', '--stdin'], { ...place, input: '' });
}

async function treeIn(view: ObjectView, commit: string): Promise<string> {
  return gitText(view.git, ['rev-parse', '--verify', `${commit}^{tree}`], callOf(view, 'find the tree of the work'));
}

function callOf({ call }: ObjectView, action: string): ObjectView['call'] & { action: string; timeoutMs: number } {
  return { ...call, action, timeoutMs: DEADLINES_MS.read };
}
