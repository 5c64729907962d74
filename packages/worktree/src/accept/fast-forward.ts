/** Brings an accepted commit into the default branch of the source, without overwriting changed files. */
import { DEADLINES_MS, type Git, type GitAnswer, git, gitText } from '../git/git.ts';
import { errorFromGit } from '../git/git-error.ts';
import { existingCommit } from '../worktrees/facts.ts';
import { INCOMING, safeDirectory, safeRevision, workerBranch, workerName } from '../names.ts';
import { changedPaths, commitOf, isAncestor, reading, writing } from '../git/revisions.ts';
import { snapshot } from '../checkpoint/snapshot.ts';
import { listWorktrees } from '../worktrees/worktrees.ts';

/** The commit to bring in, and the value the default branch is expected to have. */
interface FastForwardRequest {
  readonly worktree: string;
  readonly worker: string;
  readonly source: string;
  readonly defaultBranch: string;
  readonly expected: string;
  readonly commit: string;
}

/** What is needed to bring the files of the source to an accepted commit. */
type Files = Omit<FastForwardRequest, 'worktree'>;

/**
 * The working tree where the default branch is checked out: `none`, brought to the commit, or left as it was
 * because a person changed files in it after the check; `git diff HEAD` there shows the difference.
 */
type Checkout =
  | { readonly kind: 'none' | 'updated' }
  | { readonly kind: 'left'; readonly path: string; readonly files: readonly string[] };

/** What {@link acceptFastForward} did. The default branch is unchanged in all cases but the first. */
type FastForwardOutcome =
  | { readonly kind: 'advanced'; readonly checkout: Checkout }
  | { readonly kind: 'already'; readonly checkout: Checkout }
  /** Somebody else advanced the branch: rebase on `actual` and try again. */
  | { readonly kind: 'moved'; readonly actual: string | undefined }
  | { readonly kind: 'not-fast-forward' }
  /** The worker's branch is not at the commit. */
  | { readonly kind: 'changed'; readonly tip: string }
  /** Files that would be overwritten, changed or untracked, in the working tree at `path`. */
  | { readonly kind: 'source-dirty'; readonly path: string; readonly files: readonly string[] };

/**
 * Advances the default branch of the source from `expected` to `commit` in one compare-and-swap. A working tree
 * that has it checked out ends with its files at the commit. Repeated after a crash, the call finds the branch
 * advanced and finishes the files.
 *
 * @throws {GitError} `locked` when a git works in the source: repeat.
 */
export async function acceptFastForward(context: Git, request: FastForwardRequest): Promise<FastForwardOutcome> {
  const { source, worktree, expected, commit } = request;
  const ref = `refs/heads/${safeRevision(request.defaultBranch)}`;
  const actual = await commitOf(context, safeDirectory(source), ref);
  if (actual === commit) return { kind: 'already', checkout: await finish(context, request) };
  if (actual && (await isAncestor(context, source, { ancestor: commit, descendant: actual }))) {
    return { kind: 'already', checkout: { kind: 'none' } };
  }
  if (actual !== expected) return { kind: 'moved', actual };
  const tip = await commitOf(context, worktree, `refs/heads/${workerBranch(request.worker)}`);
  if (tip !== commit) return { kind: 'changed', tip: tip ?? '' };
  await finishEarlier(context, request);
  if (!(await isAncestor(context, worktree, { ancestor: expected, descendant: commit }))) {
    return { kind: 'not-fast-forward' };
  }
  await bringObjects(context, request);
  for (const path of await checkouts(context, request)) {
    const files = await strangers(context, path, request);
    if (files.length === 0) continue;
    // A person who commits at this moment has changed files, and moves the branch with them.
    const now = await commitOf(context, source, ref);
    return now === expected ? { kind: 'source-dirty', path, files } : { kind: 'moved', actual: now };
  }
  const moved = await swap(context, { request, ref });
  return moved ?? { kind: 'advanced', checkout: await finish(context, request) };
}

/**
 * An acceptance that advanced the default branch and was given up before the files in the source followed, such as on a full
 * disk, has left its helping ref. Its files follow now: else they stand there as if a person had undone that work.
 *
 * @throws {GitError} what git says.
 */
export async function finishEarlier(
  context: Git,
  { source, defaultBranch }: Pick<Files, 'source' | 'defaultBranch'>,
): Promise<void> {
  const commit = await commitOf(context, safeDirectory(source), `refs/heads/${safeRevision(defaultBranch)}`);
  if (commit === undefined) return;
  const args = ['for-each-ref', `--points-at=${commit}`, '--format=%(refname:lstrip=3)', INCOMING];
  const left = await gitText(context, args, reading(source, 'look for an acceptance that was given up'));
  for (const worker of left.split('\n').filter((name) => name !== '')) {
    // What is accepted is one commit on top of what was expected.
    const parent = await gitText(context, ['rev-parse', '--verify', `${commit}^`], reading(source, 'read its parent'));
    await finish(context, { worker, source, defaultBranch, expected: parent.trim(), commit });
  }
}

/** Copies the commit's objects into the source, held there by a ref of Drover's own. */
async function bringObjects(context: Git, { source, worktree, worker, commit }: FastForwardRequest): Promise<void> {
  const refspec = `+refs/heads/${workerBranch(worker)}:${incoming(worker)}`;
  const args = [
    'fetch',
    '--quiet',
    '--no-tags',
    '--no-recurse-submodules',
    '--no-write-fetch-head',
    '--',
    worktree,
    refspec,
  ];
  await git(context, args, {
    at: source,
    action: `bring in the work of "${worker}"`,
    timeoutMs: DEADLINES_MS.checkout,
  });
  await existingCommit(context, source, commit);
}

function incoming(worker: string): string {
  return `${INCOMING}/${workerName(worker)}`;
}

async function swap(
  context: Git,
  { request, ref }: { request: FastForwardRequest; ref: string },
): Promise<Extract<FastForwardOutcome, { kind: 'moved' }> | undefined> {
  const { source, commit, expected, worker } = request;
  const call = { ...writing(source, `advance "${request.defaultBranch}"`), allow: [1, 128] };
  const args = ['update-ref', '-m', `drover: accept ${worker}`, ref, commit, expected];
  const { status, stderr } = await git(context, args, call);
  if (status === 0) return undefined;
  const actual = await commitOf(context, source, ref);
  if (actual !== expected) return { kind: 'moved', actual };
  throw errorFromGit(`advance "${request.defaultBranch}" in "${source}"`, stderr);
}

/** Brings working trees to the commit where every file is as before or as after; then drops the helping ref. */
async function finish(context: Git, request: Files): Promise<Checkout> {
  let outcome: Checkout = { kind: 'none' };
  for (const path of await checkouts(context, request)) {
    const files = await strangers(context, path, request);
    if (files.length > 0) {
      outcome = { kind: 'left', path, files };
      continue;
    }
    const call = { at: path, action: 'bring the files to the accepted commit', timeoutMs: DEADLINES_MS.checkout };
    await git(context, ['read-tree', '--reset', '-u', request.commit], call);
    if (outcome.kind === 'none') outcome = { kind: 'updated' };
  }
  const args = ['update-ref', '-d', incoming(request.worker)];
  await git(context, args, writing(request.source, 'drop the helping ref'));
  return outcome;
}

/** Working trees of the source that have the default branch checked out. */
async function checkouts(context: Git, { source, defaultBranch }: Files): Promise<string[]> {
  const worktrees = await listWorktrees(context, source);
  return worktrees.filter((entry) => entry.branch === defaultBranch && !entry.gone).map((entry) => entry.path);
}

/**
 * Files that are neither as in the old commit nor as in the new one, in the index or on disk: a person's work,
 * which must not be overwritten. A working tree that a crash left half-way has none.
 */
async function strangers(context: Git, at: string, { expected, commit, worker }: Files): Promise<string[]> {
  const paths = await changedPaths(context, at, [expected, commit]);
  const id = `accept-${workerName(worker)}`;
  const { indexTree, filesTree } = await snapshot(context, at, { id, scope: { kind: 'tracked-and', paths } });
  if (indexTree === undefined) return ['(unmerged files)'];
  const found = new Set<string>();
  for (const tree of new Set([indexTree, filesTree])) {
    const fromNew = new Set(await changedPaths(context, at, [commit, tree]));
    for (const path of await changedPaths(context, at, [expected, tree])) if (fromNew.has(path)) found.add(path);
  }
  const isCut = await Promise.all(
    [...found].map((path) => isBeginning(context, at, [`${filesTree}:${path}`, `${commit}:${path}`])),
  );
  return [...found].filter((_, index) => isCut[index] !== true).sort();
}

/** So much of a file is compared, in bytes: a longer one counts as somebody's. */
const COMPARED_BYTES_MAX = 1_048_576;

/** Whether a file is the beginning of what is accepted: a full disk cut its writing, and it holds no person's work. */
async function isBeginning(context: Git, at: string, [part, whole]: readonly [string, string]): Promise<boolean> {
  const call = { ...reading(at, 'compare a file that was cut'), allow: [128], maxOutputBytes: COMPARED_BYTES_MAX };
  const read = (blob: string): Promise<GitAnswer> =>
    git(context, ['cat-file', 'blob', blob], { ...call, mayCut: true });
  const [beginning, all] = [await read(part), await read(whole)];
  // Bytes that are no text cannot be told apart here.
  if (beginning.status !== 0 || all.status !== 0 || beginning.cut || beginning.stdout.includes('\uFFFD')) return false;
  return all.stdout.startsWith(beginning.stdout);
}
