/** Which worktrees does a clone have, and how does one come to be? */
import { DEADLINES_MS, type Git, git } from '../git/git.ts';
import { quote, safeDirectory, safeRevision } from '../names.ts';
import { retryLocked } from '../git/retry-locked.ts';
import { commitOf, gitPaths, reading, writing } from '../git/revisions.ts';

/** One line of `git worktree list`. */
export interface Worktree {
  readonly path: string;
  readonly head: string | undefined;
  /** Without `refs/heads/`; undefined when detached. */
  readonly branch: string | undefined;
  readonly bare: boolean;
  /** Why it is locked; `initializing` while git is making it. Undefined when it is not locked. */
  readonly locked: string | undefined;
  /** The directory is gone. */
  readonly gone: boolean;
}

/** What {@link ensureWorktree} did. Nothing is changed in the last two cases. */
type EnsureOutcome =
  | { readonly kind: 'created'; readonly path: string; readonly head: string }
  | { readonly kind: 'exists'; readonly path: string; readonly head: string }
  | { readonly kind: 'branch-elsewhere'; readonly path: string; readonly message: string }
  | { readonly kind: 'occupied'; readonly path: string; readonly message: string };

/** Lists the worktrees of a repository, the main one first. @throws {GitError} */
export async function listWorktrees(context: Git, repo: string): Promise<Worktree[]> {
  const call = reading(repo, 'list the worktrees');
  const { stdout } = await retryLocked(() => git(context, ['worktree', 'list', '--porcelain'], call));
  const worktrees = parseWorktrees(stdout);
  return Promise.all(
    worktrees.map(async (worktree) => ({
      ...worktree,
      gone: !worktree.bare && (await context.files.stat(worktree.path)) === undefined,
    })),
  );
}

/** Parses the porcelain format. Pure. Directories with line breaks in their names are refused elsewhere. */
function parseWorktrees(text: string): Worktree[] {
  return text
    .split('\n\n')
    .filter((block) => block.startsWith('worktree '))
    .map((block) => {
      const lines = block.split('\n');
      const value = (key: string): string | undefined =>
        lines.find((line) => line === key || line.startsWith(`${key} `))?.slice(key.length + 1);
      return {
        path: value('worktree') ?? '',
        head: value('HEAD'),
        branch: value('branch')?.replace(/^refs\/heads\//, ''),
        bare: value('bare') !== undefined,
        locked: value('locked'),
        gone: false,
      };
    });
}

/**
 * Makes a worktree on a branch, or finds it made. A branch that exists already keeps its commits; a new one
 * starts at `base`. What a crash left of an unfinished `git worktree add` is cleared first.
 *
 * @throws {GitError}
 */
export async function ensureWorktree(context: Git, request: EnsureRequest): Promise<EnsureOutcome> {
  const path = await resolved(context, safeDirectory(request.path));
  await clearHalfWritten(context, { repo: request.repo, path });
  return retryLocked(() => ensure(context, { ...request, path }));
}

/** Where the worktree is to be, and on which branch. */
interface EnsureRequest {
  readonly repo: string;
  readonly path: string;
  readonly branch: string;
  readonly base: string;
}

/**
 * Removes git's record of this worktree when a kill left it without content: git then dies on every list of
 * worktrees in the clone. A record that only says `initializing` has never been a worktree.
 */
async function clearHalfWritten(context: Git, { repo, path }: { repo: string; path: string }): Promise<void> {
  const [record = ''] = await gitPaths(context, repo, [`worktrees/${path.slice(path.lastIndexOf('/') + 1)}`]);
  const read = async (name: string): Promise<string | undefined> =>
    context.files.readFile(`${record}/${name}`, { maxBytes: 4096 });
  const unfinished = (await read('locked'))?.startsWith('initializing') === true;
  if (unfinished && (await read('commondir')) === '') await context.files.rm(record);
}

async function ensure(context: Git, { repo, path: wanted, branch, base }: EnsureRequest): Promise<EnsureOutcome> {
  const worktrees = await listWorktrees(context, repo);
  const here = worktrees.find((worktree) => worktree.path === wanted);
  if (here && !here.gone && here.locked !== 'initializing') return found(here, branch);
  const elsewhere = worktrees.find((worktree) => worktree.branch === branch && worktree.path !== wanted);
  if (elsewhere && !elsewhere.gone) {
    const message = `Branch ${quote(branch)} is checked out in "${elsewhere.path}": remove that worktree first`;
    return { kind: 'branch-elsewhere', path: elsewhere.path, message };
  }
  if (!here && (await isOccupied(context, wanted))) {
    return {
      kind: 'occupied',
      path: wanted,
      message: `"${wanted}" exists and is no worktree of "${repo}": move it away`,
    };
  }
  if (here) await forget(context, repo, here.path);
  if (elsewhere) await forget(context, repo, elsewhere.path);
  return create(context, { repo, path: wanted, branch, base });
}

function found(worktree: Worktree, branch: string): EnsureOutcome {
  if (worktree.branch === branch || worktree.branch === undefined) {
    return { kind: 'exists', path: worktree.path, head: worktree.head ?? '' };
  }
  const message = `"${worktree.path}" has branch ${quote(worktree.branch)} checked out, not ${quote(branch)}`;
  return { kind: 'occupied', path: worktree.path, message };
}

async function isOccupied(context: Git, path: string): Promise<boolean> {
  const facts = await context.files.stat(path);
  return facts !== undefined && (facts.kind !== 'directory' || (await context.files.list(path)).length > 0);
}

/** Drops git's record of a worktree whose directory is gone or was never finished. */
async function forget(context: Git, repo: string, path: string): Promise<void> {
  await git(context, ['worktree', 'remove', '--force', '--force', '--', path], writing(repo, `clear "${path}"`));
}

async function create(
  context: Git,
  { repo, path, branch, base }: { repo: string; path: string; branch: string; base: string },
): Promise<EnsureOutcome> {
  const exists = (await commitOf(context, repo, `refs/heads/${safeRevision(branch)}`)) !== undefined;
  const start = exists ? ['--', path, branch] : ['--no-track', '-b', branch, '--', path, safeRevision(base)];
  const call = { at: repo, action: `make the worktree "${path}"`, timeoutMs: DEADLINES_MS.checkout };
  await git(context, ['worktree', 'add', '--quiet', ...start], call);
  return { kind: 'created', path, head: (await commitOf(context, path, 'HEAD')) ?? '' };
}

/** The path as git will report it: without symbolic links, also when its last parts do not exist yet. */
export async function resolved(context: Git, path: string): Promise<string> {
  const real = await context.files.realpath(path);
  if (real !== undefined) return real;
  const cut = path.lastIndexOf('/');
  if (cut <= 0) return path;
  return `${await resolved(context, path.slice(0, cut))}${path.slice(cut)}`;
}
