/** Tells whether a worker's branch is at the commit that was reviewed, and if not, what came after it (docs/adr/0016-merges-are-candidates.md). */
import { type Git, git, gitText } from '../git/git.ts';
import { existingCommit } from '../worktrees/facts.ts';
import { safeRevision, workerBranch } from '../names.ts';
import { commitOf, isAncestor, reading } from '../git/revisions.ts';
import { type FileChange, readStatus } from '../git/status.ts';

/** A commit by its full name; `tree` is null where only the commit is known. */
interface PinnedWork {
  readonly head: string;
  readonly tree: string | null;
}

/** State of a worktree. `changed` says in words what is there instead, and what to do. */
type PinnedOutcome =
  | { readonly kind: 'there'; readonly head: string; readonly tree: string; readonly changes: readonly FileChange[] }
  | { readonly kind: 'changed'; readonly head: string; readonly why: string };

/** Commits named of those that came after, and characters of a subject. */
const NAMED_MAX = 3;
const SUBJECT_MAX = 60;

/** Looks whether HEAD is on the worker's branch and at exactly this commit and tree. @throws {GitError} */
export async function checkPinned(
  context: Git,
  { worktree: at, worker, pin }: { readonly worktree: string; readonly worker: string; readonly pin: PinnedWork },
): Promise<PinnedOutcome> {
  const { head = '', branch, changes } = await readStatus(context, at);
  const tree = head === '' ? '' : await treeOf(context, at, head);
  const isThere = head === pin.head && (pin.tree === null || pin.tree === tree);
  if (branch !== workerBranch(context, worker)) {
    const what = branch === undefined ? 'a commit without a branch' : `"${branch}"`;
    const why = `its worktree has ${what} checked out instead of "${workerBranch(context, worker)}": have it check that out again`;
    return { kind: 'changed', head, why };
  }
  if (isThere) return { kind: 'there', head, tree, changes };
  return { kind: 'changed', head, why: await whatChanged(context, at, { worker, from: pin.head, to: head }) };
}

/** Says what there is instead of a reviewed commit, in words, with what to do. @throws {GitError} */
export async function whatChanged(
  context: Git,
  at: string,
  { worker, from, to }: { readonly worker: string; readonly from: string; readonly to: string },
): Promise<string> {
  const again = `run "drover review ${worker}" again`;
  if ((await commitOf(context, at, from)) === undefined)
    return `${short(from)} is no commit of its repository, and ${await named(context, at, to)} is there: ${again}`;
  if (!(await isAncestor(context, at, { ancestor: from, descendant: to })))
    return `its branch was rewritten: ${short(from)} was reviewed, and ${await named(context, at, to)} is there now: ${again}`;
  const newer = await subjects(context, at, { range: `${from}..${to}` });
  if (newer.length === 0) return `it is ${short(to)}, and not what was reviewed: ${again}`;
  const list = newer.slice(0, NAMED_MAX).join(', ');
  const more = newer.length > NAMED_MAX ? `, and ${newer.length - NAMED_MAX} more` : '';
  const count = newer.length === 1 ? '1 commit' : `${newer.length} commits`;
  return `${count} came after what was reviewed: ${list}${more}: ${again}`;
}

/** Says why a worker's branch is not at the reviewed commit, in words with what to do; undefined: it is. @throws {GitError} */
export async function whyNotReviewed(
  context: Git,
  clone: string,
  { worker, head }: { readonly worker: string; readonly head: string },
): Promise<string | undefined> {
  const branch = workerBranch(context, worker);
  const tip = await commitOf(context, clone, `refs/heads/${branch}`);
  if (tip === undefined) return `its branch "${branch}" is not there`;
  return tip === head ? undefined : whatChanged(context, clone, { worker, from: head, to: tip });
}

/** The commit at HEAD at this moment, with its tree. @throws {GitError} */
export async function pinHead(context: Git, at: string): Promise<{ readonly head: string; readonly tree: string }> {
  const head = await existingCommit(context, at, 'HEAD');
  return { head, tree: await treeOf(context, at, head) };
}

/** The tree of a commit. @throws {GitError} */
export async function treeOf(context: Git, at: string, commit: string): Promise<string> {
  return gitText(
    context,
    ['rev-parse', '--verify', `${safeRevision(commit)}^{tree}`],
    reading(at, `find the tree of ${commit}`),
  );
}

async function named(context: Git, at: string, commit: string): Promise<string> {
  const [subject = ''] = await subjects(context, at, { range: commit, count: 1 });
  return subject === '' ? short(commit) : subject;
}

/** Commits with their subjects, oldest first. */
async function subjects(
  context: Git,
  at: string,
  { range, count = 1_000 }: { readonly range: string; readonly count?: number },
): Promise<readonly string[]> {
  const args = ['log', '--reverse', '--topo-order', '--format=%H%x00%s%x00', `--max-count=${count}`, range, '--'];
  const { stdout } = await git(context, args, reading(at, 'list what came after the review'));
  const fields = stdout.split('\0');
  const list: string[] = [];
  for (let index = 0; index + 1 < fields.length; index += 2)
    list.push(`${short((fields[index] ?? '').trim())} ${cut(fields[index + 1] ?? '')}`.trim());
  return list;
}

function cut(subject: string): string {
  return subject.length > SUBJECT_MAX ? `${subject.slice(0, SUBJECT_MAX - 1)}…` : subject;
}

function short(commit: string): string {
  return commit.slice(0, 7);
}
