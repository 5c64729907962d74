/** The files of a repository whose checked-out branch moves: they follow, unless a person changed them. */
import { DEADLINES_MS, type Git, type GitAnswer, type GitCall, git } from '../../git/git.ts';
import { errorFromGit } from '../../git/git-error.ts';
import { changedPaths, reading } from '../../git/revisions.ts';
import { snapshot } from '../../checkpoint/snapshot.ts';
import { isUntouched, readChanges } from './untouched.ts';
import { listWorktrees } from '../../worktrees/worktrees.ts';

/** Branch that moves from one commit to another. `id` names what is made on the way, so that a repeated call clears it. */
interface MovingFiles {
  readonly source: string;
  readonly defaultBranch: string;
  readonly base: string;
  readonly commit: string;
  readonly id: string;
}

/**
 * The working tree where the default branch is checked out: `none`, brought to the commit, or left as it was
 * because a person changed files in it after the check; `git diff HEAD` there shows the difference.
 */
export type Checkout =
  | { readonly kind: 'none' | 'updated' }
  | { readonly kind: 'left'; readonly path: string; readonly files: readonly string[] };

/** Brings working trees to the commit. Files that do not change on the way stay as a person has them. @throws {GitError} */
export async function bringFiles(context: Git, request: MovingFiles): Promise<Checkout> {
  let outcome: Checkout = { kind: 'none' };
  for (const path of await checkoutsOf(context, request)) {
    const files = await follow(context, path, request);
    if (files.length > 0) outcome = { kind: 'left', path, files };
    else if (outcome.kind === 'none') outcome = { kind: 'updated' };
  }
  return outcome;
}

/**
 * Moves the files. Git looks at every file before it writes the first. A file that git does not take is a person's
 * change, or half of what an earlier call wrote: the two are told apart only where all files are as before or as
 * after.
 *
 * @returns files of a person that are in the way; nothing was done then.
 */
async function follow(context: Git, at: string, request: MovingFiles): Promise<readonly string[]> {
  const { base, commit } = request;
  const call = { at, action: 'bring the files to the accepted commit', timeoutMs: DEADLINES_MS.checkout };
  if (await merged(context, call, { base, commit })) return [];
  await git(context, ['update-index', '-q', '--refresh'], { ...call, allow: [1] });
  if (await merged(context, call, { base, commit })) return [];
  const { all, inTheWay } = await changedFiles(context, at, request);
  if (all.length > 0) return inTheWay.length > 0 ? inTheWay : all;
  await git(context, ['read-tree', '--reset', '-u', commit], call);
  return [];
}

/** @returns false where git refuses, and nothing was done. */
async function merged(
  context: Git,
  call: GitCall,
  { base, commit }: Pick<MovingFiles, 'base' | 'commit'>,
): Promise<boolean> {
  const { status, stderr } = await git(context, ['read-tree', '-m', '-u', base, commit], { ...call, allow: [128] });
  if (status === 0) return true;
  const error = errorFromGit(`${call.action} in "${call.at}"`, stderr);
  if (error.code !== 'failed') throw error;
  return false;
}

/** Working trees of the source that have the default branch checked out. @throws {GitError} */
export async function checkoutsOf(
  context: Git,
  { source, defaultBranch }: Pick<MovingFiles, 'source' | 'defaultBranch'>,
): Promise<string[]> {
  const worktrees = await listWorktrees(context, source);
  return worktrees.filter((entry) => entry.branch === defaultBranch && !entry.gone).map((entry) => entry.path);
}

type Moved = Pick<MovingFiles, 'base' | 'commit' | 'id'>;

/** Files that change on the way, and that a person has changed: they must not be overwritten. @throws {GitError} */
export async function changedByPeople(context: Git, at: string, request: Moved): Promise<readonly string[]> {
  const { base, commit } = request;
  const changes = await readChanges(context, at, [base, commit]);
  if (await isUntouched(context, at, { base, commit, changes })) return [];
  return (await changedFiles(context, at, request)).inTheWay;
}

interface Changed {
  readonly all: readonly string[];
  /** Files of a person that change on the way. */
  readonly inTheWay: readonly string[];
}

/**
 * Files that are neither as in the old commit nor as in the new one, in the index or on disk: a person's work. A working tree that a
 * crash left half-way has none.
 */
async function changedFiles(context: Git, at: string, { base, commit, id }: Moved): Promise<Changed> {
  const paths = await changedPaths(context, at, [base, commit]);
  const { indexTree, filesTree } = await snapshot(context, at, { id, scope: { kind: 'tracked-and', paths } });
  if (indexTree === undefined) return { all: UNMERGED, inTheWay: UNMERGED };
  const found = new Set<string>();
  for (const tree of new Set([indexTree, filesTree])) {
    const fromNew = new Set(await changedPaths(context, at, [commit, tree]));
    for (const path of await changedPaths(context, at, [base, tree])) if (fromNew.has(path)) found.add(path);
  }
  const isCut = await Promise.all(
    [...found].map((path) => isBeginning(context, at, [`${filesTree}:${path}`, `${commit}:${path}`])),
  );
  const all = [...found].filter((_, index) => isCut[index] !== true).sort();
  const moving = new Set(paths);
  return { all, inTheWay: all.filter((path) => moving.has(path)) };
}

const UNMERGED = ['(unmerged files)'];

/** Bytes of a file that are compared: a longer file counts as a person's. */
const COMPARED_BYTES_MAX = 1_048_576;

/** Tells whether a file is the beginning of what is accepted: a full disk cut its writing, and the file holds no person's work. */
async function isBeginning(context: Git, at: string, [part, whole]: readonly [string, string]): Promise<boolean> {
  const call = { ...reading(at, 'compare a file that was cut'), allow: [128], maxOutputBytes: COMPARED_BYTES_MAX };
  const read = (blob: string): Promise<GitAnswer> =>
    git(context, ['cat-file', 'blob', blob], { ...call, mayCut: true });
  const [beginning, all] = [await read(part), await read(whole)];
  // Rejects bytes that are no text: they cannot be told apart here.
  if (beginning.status !== 0 || all.status !== 0 || beginning.cut || beginning.stdout.includes('\uFFFD')) return false;
  return all.stdout.startsWith(beginning.stdout);
}
