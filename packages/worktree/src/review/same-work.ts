/**
 * Is a rebased branch what was reviewed, merged into the newer base, and nothing else? Judged from the commits by their names,
 * so that whatever an agent did while git was at work is noticed. (docs/adr/0078-what-was-reviewed.md)
 */
import { DEADLINES_MS, type Git, git, gitText } from '../git/git.ts';
import { squashMessage } from '../accept/commit-message.ts';
import { safeRevision } from '../names.ts';
import { ownCommits, type OwnCommit } from '../accept/squash.ts';
import { openObjectView } from './object-view.ts';
import { treeOf } from './pinned.ts';
import { changedPaths, reading } from '../git/revisions.ts';

/** A commit that was reviewed, the one that a rebase made of it, and the commit that it was rebased onto. */
interface SameWorkRequest {
  readonly worktree: string;
  readonly worker: string;
  readonly reviewed: string;
  readonly now: string;
  readonly base: string;
}

/** Paths named in a message. */
const NAMED_MAX = 3;

/** @returns null when who has reviewed the one has as good as reviewed the other; else why not, with what to do. @throws {GitError} */
export async function whyNotSameWork(context: Git, request: SameWorkRequest): Promise<string | null> {
  const { worktree: at, worker, reviewed, now, base } = request;
  if (now === reviewed) return null;
  const again = `run "drover review ${worker}" again`;
  const parted = await mergeBase(context, at, [base, reviewed]);
  if (parted === undefined) return `it has no history in common with the default branch any more: ${again}`;
  const ours = await changedPaths(context, at, [parted, reviewed]);
  if (now === base) {
    const lacking = new Set(await changedPaths(context, at, [base, reviewed]));
    if (!ours.some((path) => lacking.has(path))) return null;
  }
  if (!(await hasSameWords(context, at, { ...request, parted })))
    return `its commits are not those that were reviewed: ${again}`;
  if ((await fileChanges(context, at, [parted, reviewed])) === (await fileChanges(context, at, [base, now])))
    return null;
  const theirs = new Set(await changedPaths(context, at, [parted, base]));
  const both = ours.filter((path) => theirs.has(path));
  if (await isPlainMerge(context, request)) return null;
  if (both.length === 0) return `its files are not those that were reviewed: ${again}`;
  return `the default branch changes ${list(both)} too, and both were put together: ${again}`;
}

/** Whether a branch that is not at the reviewed commit was made of it by earlier rebases, and nothing more. */
export async function isRebaseOf(context: Git, { base, ...request }: SameWorkRequest): Promise<boolean> {
  const onto = await mergeBase(context, request.worktree, [base, request.now]);
  return onto !== undefined && (await whyNotSameWork(context, { ...request, base: onto })) === null;
}

/** Which file had, and has, which content and mode. The same text is the same change, byte for byte. */
async function fileChanges(context: Git, at: string, [from, to]: readonly [string, string]): Promise<string> {
  const args = ['diff-tree', '-r', '-z', '--raw', '--no-abbrev', '--no-renames', from, to];
  const call = { ...reading(at, 'compare with what was reviewed'), timeoutMs: DEADLINES_MS.write };
  return (await git(context, args, call)).stdout;
}

/** What goes into the message of the merge: authors and messages. A rebase drops some and adds none; a squash adds one of all. */
async function hasSameWords(
  context: Git,
  at: string,
  { reviewed, now, base, parted }: SameWorkRequest & { readonly parted: string },
): Promise<boolean> {
  const commits = await ownCommits(context, at, { base: parted, head: reviewed });
  const [first] = commits;
  const squashed = first === undefined ? [] : [{ ...first, message: squashMessage(commits) }];
  const known = new Set([...commits, ...squashed].map(wordsOf));
  return (await ownCommits(context, at, { base, head: now })).every((commit) => known.has(wordsOf(commit)));
}

function wordsOf({ author, message }: OwnCommit): string {
  return JSON.stringify([author.name, author.email, message.trim()]);
}

/**
 * Whether git, asked to merge the two by its own rules alone, comes to the same files: a repository can choose other rules, even
 * programs, whose outcome no reviewer has seen. Git can since 2.38; an older one leaves it to a person.
 */
async function isPlainMerge(context: Git, { worktree: at, reviewed, now, base }: SameWorkRequest): Promise<boolean> {
  await using view = await openObjectView(context, at, [base, reviewed]);
  const call = { ...view.call, action: 'merge what was reviewed', timeoutMs: DEADLINES_MS.write, allow: [1, 128, 129] };
  const args = ['merge-tree', '--write-tree', '--no-messages', ...view.commits];
  const { status, stdout } = await git(view.git, args, call);
  return status === 0 && stdout.trim() === (await treeOf(context, at, now));
}

async function mergeBase(
  context: Git,
  at: string,
  [one, other]: readonly [string, string],
): Promise<string | undefined> {
  const args = ['merge-base', safeRevision(one), safeRevision(other)];
  const call = { ...reading(at, 'find where the branches parted'), allow: [1] };
  return (await gitText(context, args, call)) || undefined;
}

function list(paths: readonly string[]): string {
  const shown = paths.slice(0, NAMED_MAX).map((path) => `"${path}"`);
  const more = paths.length > NAMED_MAX ? [`${paths.length - NAMED_MAX} more`] : [];
  return [...shown, ...more].join(', ');
}
