/** How do a worker's commits become one, with a message that names no agent? */
import { type Git, git, gitText } from './git.ts';
import { squashMessage, withoutAgentLines } from './commit-message.ts';
import { existingCommit } from './look.ts';
import { safeRevision, workerBranch } from './names.ts';
import { keepInTrash } from './remove-worktree.ts';
import { isAncestor, reading, writing } from './revisions.ts';
import { type FileChange, readStatus } from './status.ts';

/** Which worktree, on which base. `message` replaces the one made of the commits'. `now` is epoch milliseconds. */
export interface SquashRequest {
  readonly worktree: string;
  readonly worker: string;
  readonly base: string;
  readonly message?: string;
  readonly now: number;
}

/** What {@link acceptSquash} did. */
export type SquashOutcome =
  /** `trash` keeps the commits as they were. */
  | { readonly kind: 'squashed'; readonly commit: string; readonly trash: string }
  /** It was one commit with a clean message already. */
  | { readonly kind: 'already'; readonly commit: string }
  /** The files are as at base. Commits that change nothing went to the trash: the branch stands at base. */
  | { readonly kind: 'nothing-to-accept'; readonly trash: string | undefined }
  | { readonly kind: 'not-rebased' | 'wrong-branch' }
  | { readonly kind: 'dirty'; readonly files: readonly FileChange[] };

interface OwnCommit {
  readonly author: { readonly name: string; readonly email: string; readonly date: string };
  readonly message: string;
}

/** Makes one commit of all that the branch has beyond base. The files do not change. @throws {GitError} */
export async function acceptSquash(context: Git, request: SquashRequest): Promise<SquashOutcome> {
  const { worktree: at, worker, now } = request;
  const status = await readStatus(context, at);
  if (status.changes.length > 0) return { kind: 'dirty', files: status.changes };
  const branch = workerBranch(worker);
  if (status.branch !== branch) return { kind: 'wrong-branch' };
  const [base, head] = [await existingCommit(context, at, request.base), await existingCommit(context, at, 'HEAD')];
  if (!(await isAncestor(context, at, { ancestor: base, descendant: head }))) return { kind: 'not-rebased' };
  const commits = await ownCommits(context, at, { base, head });
  const [first] = commits;
  if (first === undefined) return { kind: 'nothing-to-accept', trash: undefined };
  if (await sameTree(context, at, [base, head])) {
    const trash = await keepInTrash(context, at, { worker, id: `empty-${head.slice(0, 12)}`, tip: head, now });
    await moveTip(context, at, { branch, to: base, from: head });
    return { kind: 'nothing-to-accept', trash };
  }
  const message = request.message === undefined ? squashMessage(commits) : withoutAgentLines(request.message);
  if (commits.length === 1 && first.message.trim() === message.trim()) return { kind: 'already', commit: head };
  const trash = await keepInTrash(context, at, { worker, id: `squashed-${head.slice(0, 12)}`, tip: head, now });
  const commit = await writeCommit(context, at, {
    tree: `${head}^{tree}`,
    parent: base,
    author: first.author,
    message,
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
async function ownCommits(
  context: Git,
  at: string,
  { base, head }: { base: string; head: string },
): Promise<OwnCommit[]> {
  const format = '--format=%an%x00%ae%x00%aI%x00%B%x00%x00';
  const args = ['log', '--reverse', '--topo-order', format, `${safeRevision(base)}..${safeRevision(head)}`, '--'];
  const { stdout } = await git(context, args, reading(at, 'read the commits'));
  return stdout
    .split('\0\0')
    .map((record) => record.replace(/^\n/, '').split('\0'))
    .filter((fields) => fields.length >= 4)
    .map(([name = '', email = '', date = '', ...message]) => ({
      author: { name, email, date },
      message: message.join('\n'),
    }));
}

async function sameTree(context: Git, at: string, [one, other]: readonly [string, string]): Promise<boolean> {
  const args = ['diff-tree', '--quiet', '-r', one, other];
  return (await git(context, args, { ...reading(at, 'compare with the base'), allow: [1] })).status === 0;
}

async function writeCommit(
  context: Git,
  at: string,
  { tree, parent, author, message }: { tree: string; parent: string; author: OwnCommit['author']; message: string },
): Promise<string> {
  const env = { GIT_AUTHOR_NAME: author.name, GIT_AUTHOR_EMAIL: author.email, GIT_AUTHOR_DATE: author.date };
  const call = { ...writing(at, 'write the squashed commit'), env, input: message };
  return gitText(context, ['commit-tree', tree, '-p', parent, '-F', '-'], call);
}
