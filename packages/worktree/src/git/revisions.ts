/** Resolves commits, and tells whether one commit contains another. */
import { DEADLINES_MS, type Git, git, gitText } from './git.ts';
import { errorFromGit } from './git-error.ts';
import { safeRevision } from '../names.ts';

/** The commit a name stands for, or undefined when there is none. @throws {GitError} */
export async function commitOf(context: Git, at: string, revision: string): Promise<string | undefined> {
  const args = ['rev-parse', '--verify', '--quiet', `${safeRevision(revision)}^{commit}`];
  const { status, stdout } = await git(context, args, { ...reading(at, `find ${revision}`), allow: [1, 128] });
  if (status === 128) await gitText(context, ['rev-parse', '--git-dir'], reading(at, `find ${revision}`));
  return status === 0 ? stdout.trim() : undefined;
}

/** The directory of a repository that all its worktrees share, absolute. @throws {GitError} */
export async function commonDirOf(context: Git, at: string): Promise<string> {
  const args = ['rev-parse', '--path-format=absolute', '--git-common-dir'];
  return gitText(context, args, reading(at, 'find the git directory'));
}

/** Bytes of a ref's file: its id and the end of the line. */
const LOOSE_BYTES_MAX = 80;

/**
 * Reads the commit of a full ref, or undefined when there is none. A ref with a file of its own, which counts before
 * all else that git has of it, is read without starting a program.
 *
 * @throws {GitError}
 */
export async function refAt(
  context: Git,
  at: string,
  { gitDir, ref }: { readonly gitDir: string; readonly ref: string },
): Promise<string | undefined> {
  const text = await context.files.readFile(`${gitDir}/${ref}`, { maxBytes: LOOSE_BYTES_MAX });
  return /^([0-9a-f]{40}(?:[0-9a-f]{24})?)\n?$/u.exec(text ?? '')?.[1] ?? commitOf(context, at, ref);
}

/** The commits that names stand for, in their order; undefined for a name without one. @throws {GitError} */
export async function commitsOf(
  context: Git,
  at: string,
  revisions: readonly string[],
): Promise<readonly (string | undefined)[]> {
  return objectsOf(
    context,
    at,
    revisions.map((revision) => `${safeRevision(revision)}^{commit}`),
  );
}

/**
 * Resolves expressions such as `HEAD^{tree}` to objects, in their order; undefined for an expression without one. Runs
 * one git for all. The caller makes the expressions of names that are safe.
 *
 * @throws {GitError}
 */
export async function objectsOf(
  context: Git,
  at: string,
  expressions: readonly string[],
): Promise<readonly (string | undefined)[]> {
  const input = expressions.map((expression) => `${expression}\n`).join('');
  const call = { ...reading(at, 'look up its commits'), input };
  const text = await gitText(context, ['cat-file', '--batch-check=%(objectname)'], call);
  // A line of more than one word repeats the expression, and says that it is missing.
  return text.split('\n').map((line) => (line.includes(' ') ? undefined : line));
}

/** Tells whether `ancestor` is `descendant` or lies in its history. A commit that is not there is in no history. */
export async function isAncestor(
  context: Git,
  at: string,
  { ancestor, descendant }: { ancestor: string; descendant: string },
): Promise<boolean> {
  const args = ['merge-base', '--is-ancestor', safeRevision(ancestor), safeRevision(descendant)];
  const call = { ...reading(at, `compare ${ancestor}`), allow: [1, 128] };
  const { status, stderr } = await git(context, args, call);
  if (status !== 128) return status === 0;
  if ((await commitOf(context, at, ancestor)) === undefined) return false;
  throw errorFromGit(`${call.action} in "${at}"`, stderr);
}

/** Counts the commits that HEAD (or `tip`) has and base has not, and the other way round. */
export async function aheadBehind(
  context: Git,
  at: string,
  { base, tip = 'HEAD' }: { base: string; tip?: string },
): Promise<{ ahead: number; behind: number }> {
  const args = ['rev-list', '--left-right', '--count', `${safeRevision(base)}...${safeRevision(tip)}`, '--'];
  const [behind, ahead] = (await gitText(context, args, reading(at, `compare ${tip} with ${base}`))).split('\t');
  return { ahead: Number(ahead), behind: Number(behind) };
}

/** Paths that differ between two trees or commits. */
export async function changedPaths(context: Git, at: string, [from, to]: readonly [string, string]): Promise<string[]> {
  const args = ['diff-tree', '-r', '-z', '--no-renames', '--name-only', from, to];
  const { stdout } = await git(context, args, reading(at, 'compare two trees'));
  return stdout.split('\0').filter((path) => path !== '');
}

/** Paths that the second tree has and the first has not. */
export async function addedPaths(context: Git, at: string, [from, to]: readonly [string, string]): Promise<string[]> {
  const args = ['diff-tree', '-r', '-z', '--no-renames', '--name-only', '--diff-filter=A', from, to];
  const { stdout } = await git(context, args, reading(at, 'compare two trees'));
  return stdout.split('\0').filter((path) => path !== '');
}

/**
 * A file as a commit has it, whatever replacement refs say; undefined when the commit has no such file.
 *
 * @throws {GitError} `output-too-large` when it is larger than `maxBytes`; `unknown-revision`.
 */
export async function readFileAt(
  context: Git,
  { at, commit, path, maxBytes }: { at: string; commit: string; path: string; maxBytes: number },
): Promise<string | undefined> {
  const call = { ...reading(at, `read ${path} of ${commit}`), env: { GIT_NO_REPLACE_OBJECTS: '1' } };
  const entry = await gitText(context, ['ls-tree', '-z', '--full-tree', safeRevision(commit), '--', path], call);
  const [, type, object] = /^\d+ (\w+) ([0-9a-f]+)\t/u.exec(entry) ?? [];
  if (object === undefined || type !== 'blob') return undefined;
  return (await git(context, ['cat-file', 'blob', object], { ...call, maxOutputBytes: maxBytes })).stdout;
}

/** Absolute paths under the git directory of a worktree, as git itself resolves them. */
export async function gitPaths(context: Git, at: string, names: readonly string[]): Promise<readonly string[]> {
  const args = ['rev-parse', '--path-format=absolute', ...names.flatMap((name) => ['--git-path', name])];
  return (await gitText(context, args, reading(at, 'find the git directory'))).split('\n');
}

/** Options of a call that only reads. */
export function reading(at: string, action: string): { at: string; action: string; timeoutMs: number; reads: true } {
  return { at, action, timeoutMs: DEADLINES_MS.read, reads: true };
}

/** Options of a call that changes refs, objects or the index. */
export function writing(at: string, action: string): { at: string; action: string; timeoutMs: number } {
  return { at, action, timeoutMs: DEADLINES_MS.write };
}
