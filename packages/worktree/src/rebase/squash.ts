/** Squashes a worker's commits into one, with a message that names no agent. */
import { type Git, git, gitText } from '../git/git.ts';
import { squashMessage } from '../accept/commit-message.ts';
import { existingCommit } from '../worktrees/facts.ts';
import { KEEPER, safeRevision, workerBranch } from '../names.ts';
import { keepInTrash } from '../worktrees/trash.ts';
import { commitOf, isAncestor, reading, writing } from '../git/revisions.ts';
import { type FileChange, inTheWay, readStatus } from '../git/status.ts';

/** Worktree and base of the squash. `now` is epoch milliseconds. */
interface SquashRequest {
  readonly worktree: string;
  readonly archive: string;
  readonly worker: string;
  readonly base: string;
  /** Commit to squash up to, by its full name: later commits are not in it. */
  readonly head: string;
  readonly now: number;
}

/** Outcome of {@link squashWork}. */
type SquashOutcome =
  /** `trash` keeps the commits as they were. */
  | { readonly kind: 'squashed'; readonly commit: string; readonly trash: string }
  /** Work that was one commit with a clean message already, or was made one by an earlier call. */
  | { readonly kind: 'already'; readonly commit: string }
  /** The files are as at base. Commits that change nothing went to the trash: the branch stands at base. */
  | { readonly kind: 'nothing-to-accept'; readonly trash: string | undefined }
  | { readonly kind: 'not-rebased' | 'wrong-branch' }
  /** The branch is at another commit. Nothing was done. */
  | { readonly kind: 'changed'; readonly tip: string }
  | { readonly kind: 'dirty'; readonly files: readonly FileChange[] };

/** Name of a commit's author or committer, and the time. */
interface Signature {
  readonly name: string;
  readonly email: string;
  readonly date: string;
}

/** A commit of the work, as far as another one is made of it. */
export interface OwnCommit {
  readonly author: Signature;
  readonly committer: Signature;
  readonly message: string;
}

/**
 * Makes one commit of all that `head` has beyond base, with the tree of `head`, and moves the branch from `head` to it. The same
 * commits give the same one, so that a repeated call finds its own.
 *
 * @throws {GitError}
 */
export async function squashWork(context: Git, request: SquashRequest): Promise<SquashOutcome> {
  const { worktree: at, archive, worker, now } = request;
  const status = await readStatus(context, at);
  if (inTheWay(status).length > 0) return { kind: 'dirty', files: inTheWay(status) };
  const branch = workerBranch(context, worker);
  if (status.branch !== branch) return { kind: 'wrong-branch' };
  const [base, tip] = [await existingCommit(context, at, request.base), await existingCommit(context, at, 'HEAD')];
  const head = await commitOf(context, at, request.head);
  if (head === undefined) return { kind: 'changed', tip };
  if (!(await isAncestor(context, at, { ancestor: base, descendant: head }))) return { kind: 'not-rebased' };
  const commits = await ownCommits(context, at, { base, head });
  const [first] = commits;
  if (first === undefined) return { kind: 'nothing-to-accept', trash: undefined };
  if (await sameTree(context, at, [base, head])) {
    if (tip === base) return { kind: 'nothing-to-accept', trash: undefined };
    if (tip !== head) return { kind: 'changed', tip };
    const trash = await keepInTrash(context, archive, {
      from: at,
      worker,
      id: `empty-${head.slice(0, 12)}`,
      tip: head,
      now,
    });
    await moveTip(context, at, { branch, to: base, from: head });
    return { kind: 'nothing-to-accept', trash };
  }
  const message = squashMessage(commits);
  if (commits.length === 1 && first.message.trim() === message.trim())
    return tip === head ? { kind: 'already', commit: head } : { kind: 'changed', tip };
  const commit = await writeCommit(context, at, { head, parent: base, author: first.author, message });
  if (tip === commit) return { kind: 'already', commit };
  if (tip !== head) return { kind: 'changed', tip };
  const trash = await keepInTrash(context, archive, {
    from: at,
    worker,
    id: `squashed-${head.slice(0, 12)}`,
    tip: head,
    now,
  });
  await moveTip(context, at, { branch, to: commit, from: head });
  return { kind: 'squashed', commit, trash };
}

/** Moves the branch to a commit with the same files, if it is where it was. */
async function moveTip(
  context: Git,
  at: string,
  { branch, to, from }: { branch: string; to: string; from: string },
): Promise<void> {
  const args = ['update-ref', '-m', 'drover: squash', `refs/heads/${branch}`, to, from];
  await git(context, args, writing(at, 'squash the commits'));
}

/** The commits beyond base, oldest first. */
export async function ownCommits(
  context: Git,
  at: string,
  { base, head }: { base: string; head: string },
): Promise<OwnCommit[]> {
  const range = `${safeRevision(base)}..${safeRevision(head)}`;
  const args = ['log', '--reverse', '--topo-order', formatOf(OWN_COMMIT), range, '--'];
  const { stdout } = await git(context, args, reading(at, 'read the commits'));
  return recordsOf(stdout).map(ownCommitOf);
}

/** Fields of `git log` for an {@link OwnCommit}. */
export const OWN_COMMIT = ['%an', '%ae', '%aI', '%cn', '%ce', '%cI', '%B'] as const;

/** Builds the format. Each field has a dash before it, so that two zeros in a row end a commit also where a field is empty. */
export function formatOf(fields: readonly string[]): string {
  return `--format=${fields.map((field) => `-${field}`).join('%x00')}%x00%x00`;
}

/** The fields of each commit, as {@link formatOf} asks for them. */
export function recordsOf(stdout: string): readonly (readonly string[])[] {
  return stdout
    .split('\0\0')
    .slice(0, -1)
    .map((record) =>
      record
        .replace(/^\n/u, '')
        .split('\0')
        .map((field) => field.slice(1)),
    );
}

/** Reads the fields of {@link OWN_COMMIT}. */
export function ownCommitOf(fields: readonly string[]): OwnCommit {
  const [an = '', ae = '', ad = '', cn = '', ce = '', cd = '', message = ''] = fields;
  return { author: { name: an, email: ae, date: ad }, committer: { name: cn, email: ce, date: cd }, message };
}

async function sameTree(context: Git, at: string, [one, other]: readonly [string, string]): Promise<boolean> {
  const args = ['diff-tree', '--quiet', '-r', one, other];
  return (await git(context, args, { ...reading(at, 'compare with the base'), allow: [1] })).status === 0;
}

async function writeCommit(
  context: Git,
  at: string,
  { head, parent, author, message }: { head: string; parent: string; author: OwnCommit['author']; message: string },
): Promise<string> {
  const committed = await gitText(context, ['log', '-1', '--format=%cI', head, '--'], reading(at, 'read its time'));
  const env = {
    // Git reads commits without a name, and writes none.
    GIT_AUTHOR_NAME: author.name || KEEPER.name,
    GIT_AUTHOR_EMAIL: author.email || KEEPER.email,
    GIT_AUTHOR_DATE: author.date,
    GIT_COMMITTER_DATE: committed,
  };
  const tree = `${head}^{tree}`;
  const call = { ...writing(at, 'write the squashed commit'), env, input: message };
  return gitText(context, ['commit-tree', tree, '-p', parent, '-F', '-'], call);
}
