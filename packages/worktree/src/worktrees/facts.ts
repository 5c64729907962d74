/** Reads the git facts of a worktree now. */
import { baseRef } from '../archive/archive.ts';
import { type Git, git, gitText } from '../git/git.ts';
import { quote } from '../names.ts';
import { aheadBehind, commitOf, gitPaths, reading } from '../git/revisions.ts';
import { type FileChange, type Status, readStatus } from '../git/status.ts';
import { GitError } from '../git/git-error.ts';

/** Changed paths listed in one {@link WorktreeFacts}; the count goes on. Fills one screen of a dashboard. */
const CHANGES_LISTED_MAX = 200;

/** A rebase that has begun and not ended. */
export interface RebaseProgress {
  /** The commit being applied, counted from 1, and how many there are. */
  readonly step: number;
  readonly of: number;
  /** The commit being rebased onto, and the one the branch had before. */
  readonly onto: string;
  readonly originalHead: string;
  /** The branch being rebased, without `refs/heads/`. */
  readonly branch: string;
}

/** Git's facts about a worktree, gathered in three processes (four during a rebase). */
export interface WorktreeFacts {
  readonly head: string;
  /** Undefined when HEAD is detached, as it is during a rebase. */
  readonly branch: string | undefined;
  /** Commits of HEAD that base has not, and of base that HEAD has not. */
  readonly ahead: number;
  readonly behind: number;
  /** Changes, at most {@link CHANGES_LISTED_MAX}, untracked directories as one entry; `changeCount` counts all. */
  readonly changes: readonly FileChange[];
  readonly changeCount: number;
  readonly unmerged: readonly string[];
  readonly rebase: RebaseProgress | undefined;
  readonly subject: string;
  readonly author: { readonly name: string; readonly email: string };
  /** Epoch milliseconds of the commit at HEAD. */
  readonly committedAt: number;
}

/** Gathers the facts of a worktree without taking a lock. @throws {GitError} `missing`, `not-a-repository`, … */
export async function readWorktree(
  context: Git,
  { path, base }: { readonly path: string; readonly base: string },
): Promise<WorktreeFacts> {
  const [status, counts, commit] = await Promise.all([
    readStatus(context, path, 'normal'),
    aheadBehind(context, path, { base }),
    readHeadCommit(context, path),
  ]);
  const { head, ...described } = commit;
  return {
    head: status.head ?? head,
    branch: status.branch,
    ...counts,
    changes: status.changes.slice(0, CHANGES_LISTED_MAX),
    changeCount: status.changes.length,
    unmerged: status.unmerged.map((entry) => entry.path),
    rebase: await rebaseProgress(context, path, status),
    ...described,
  };
}

/**
 * Reads what `git status` prints of a worktree, for people: its branch and one line for each changed path, at most
 * `max` in all; the last line counts the others. @throws {GitError}
 */
export async function readStatusLines(context: Git, path: string, max: number): Promise<readonly string[]> {
  const args = ['status', '--short', '--branch', '--no-renames', '--untracked-files=normal'];
  const { stdout } = await git(context, args, reading(path, 'read the status'));
  const lines = stdout.split('\n').filter((line) => line !== '');
  return lines.length <= max
    ? lines
    : [...lines.slice(0, max - 1), `… and ${lines.length - max + 1} more changed paths`];
}

async function readHeadCommit(
  context: Git,
  path: string,
): Promise<{
  head: string;
  author: { name: string; email: string };
  committedAt: number;
  subject: string;
}> {
  const format = '--format=%H%x00%an%x00%ae%x00%ct%x00%s';
  const text = await gitText(
    context,
    ['log', '-1', '--no-show-signature', format],
    reading(path, 'read the commit at HEAD'),
  );
  const [head = '', name = '', email = '', seconds = '0', subject = ''] = text.split('\0');
  return { head, author: { name, email }, committedAt: Number(seconds) * 1000, subject };
}

/**
 * The rebase in progress, or undefined. Only asked of git when HEAD is detached: a rebase always detaches it.
 *
 * @throws {GitError}
 */
export async function rebaseProgress(context: Git, path: string, status: Status): Promise<RebaseProgress | undefined> {
  if (status.branch !== undefined) return undefined;
  const [merge = '', apply = ''] = await gitPaths(context, path, ['rebase-merge', 'rebase-apply']);
  return (
    (await readProgress(context, merge, { step: 'msgnum', of: 'end' })) ??
    (await readProgress(context, apply, { step: 'next', of: 'last' }))
  );
}

async function readProgress(
  context: Git,
  directory: string,
  names: { step: string; of: string },
): Promise<RebaseProgress | undefined> {
  if ((await context.files.stat(directory)) === undefined) return undefined;
  const read = async (name: string): Promise<string> =>
    ((await context.files.readFile(`${directory}/${name}`, { maxBytes: 4096 })) ?? '').trim();
  const branch = (await read('head-name')).replace(/^refs\/heads\//, '');
  return {
    step: Number(await read(names.step)) || 0,
    of: Number(await read(names.of)) || 0,
    onto: await read('onto'),
    originalHead: await read('orig-head'),
    branch,
  };
}

/** The commit at the HEAD that a status shows. @throws {GitError} `unknown-revision` before the first commit. */
export function headOf({ head }: Status, at: string): string {
  if (head === undefined) throw new GitError('unknown-revision', `"${at}" has no commit yet`);
  return head;
}

/** The commit at a name that must exist. @throws {GitError} `unknown-revision`. */
export async function existingCommit(context: Git, at: string, revision: string): Promise<string> {
  const commit = await commitOf(context, at, revision);
  if (commit === undefined) throw new GitError('unknown-revision', `"${at}" has no commit ${quote(revision)}`);
  return commit;
}

/** Tells whether a file of a place is as on the default branch. @throws {GitError} */
export async function isAsOnBase(
  context: Git,
  {
    worktree: at,
    defaultBranch,
    path,
  }: { readonly worktree: string; readonly defaultBranch: string; readonly path: string },
): Promise<boolean> {
  const call = { ...reading(at, `compare "${path}" with the default branch`), allow: [1, 128] };
  const there = await gitText(context, ['rev-parse', '--verify', '--quiet', `${baseRef(defaultBranch)}:${path}`], call);
  return there !== '' && there === (await gitText(context, ['hash-object', '--', path], call));
}
