/** Keeps everything in a worktree as git objects, without touching its index or its files. */
import { DEADLINES_MS, type Git, type GitCall, git, gitText } from '../git/git.ts';
import { errorFromGit } from '../git/git-error.ts';
import { unflag } from '../git/hidden.ts';
import { KEEPER, refComponent } from '../names.ts';
import { gitPaths, reading, writing } from '../git/revisions.ts';

/** The content of a worktree at one moment. */
export interface Snapshot {
  /** The index as a tree; undefined when it has unmerged entries, which no tree can hold. */
  readonly indexTree: string | undefined;
  /** The files as a tree: tracked and untracked ones that are not ignored, as the scope says. */
  readonly filesTree: string;
  /** Paths that git could not read, in scope `readable`: such as files without permission, or an empty repository. */
  readonly left: readonly LeftFile[];
}

/** A path that a snapshot does not hold. */
interface LeftFile {
  readonly path: string;
  readonly kind: 'tracked' | 'untracked';
}

/** Files to take. Ignored files are never taken, unless `also` names them. */
type SnapshotScope =
  /** Takes all files, or none: a file that cannot be read fails the snapshot. */
  | { readonly kind: 'all' }
  /** Takes all that can be read but for `except`, and what is at `also`. `hidden`: changes that git was told not to look at, which it takes too. */
  | {
      readonly kind: 'readable';
      readonly except: readonly string[];
      readonly also: readonly string[];
      readonly hidden?: readonly string[];
    }
  /** The tracked ones and those of `paths` that exist. */
  | { readonly kind: 'tracked-and'; readonly paths: readonly string[] };

/**
 * Writes index and files as trees through a copy of the index. `id` names the copy, so that a repeated call
 * clears what a killed one left.
 *
 * @throws {GitError}
 */
export async function snapshot(
  context: Git,
  at: string,
  { id, scope }: { readonly id: string; readonly scope: SnapshotScope },
): Promise<Snapshot> {
  const [index = '', directory = ''] = await gitPaths(context, at, ['index', 'drover']);
  const copy = `${directory}/index-${refComponent(id)}`;
  await context.files.rm(`${copy}.lock`);
  await context.files.rm(copy);
  await context.files.mkdir(directory);
  if ((await context.files.stat(index)) !== undefined) await context.files.copy(index, copy);
  try {
    const env = { GIT_INDEX_FILE: copy };
    const indexTree = await writeIndexTree(context, at, env);
    const left = await addFiles(context, at, { env, scope });
    const filesTree = await gitText(context, ['write-tree'], { ...writing(at, 'save the files'), env });
    return { indexTree, filesTree, left };
  } finally {
    await context.files.rm(copy);
  }
}

async function writeIndexTree(context: Git, at: string, env: Record<string, string>): Promise<string | undefined> {
  const call = { ...writing(at, 'save the index'), env };
  const { status, stdout, stderr } = await git(context, ['write-tree'], { ...call, allow: [128] });
  if (status === 0) return stdout.trimEnd();
  const unmerged = await git(context, ['ls-files', '-z', '--unmerged'], { ...reading(at, 'read the index'), env });
  if (unmerged.stdout === '') throw errorFromGit(`${call.action} in "${at}"`, stderr);
  return undefined;
}

/** @returns what could not be added. */
async function addFiles(
  context: Git,
  at: string,
  { env, scope }: { env: Record<string, string>; scope: SnapshotScope },
): Promise<LeftFile[]> {
  const call = { at, action: 'save the files', timeoutMs: DEADLINES_MS.checkout, env };
  switch (scope.kind) {
    case 'all':
      await git(context, ['add', '--all', ...ANYWHERE, '--', '.'], call);
      return [];
    case 'readable': {
      const { hidden = [] } = scope;
      // The worker's own index may be locked by a git that was killed.
      if (hidden.length > 0) await unflag(context, at, { paths: hidden, env });
      return addReadable(context, call, scope);
    }
    case 'tracked-and':
      await git(context, ['add', '--update', ...ANYWHERE, '--', '.'], call);
      if (scope.paths.length === 0) return [];
      await git(context, ['update-index', '--add', '--remove', '-z', '--stdin'], {
        ...call,
        input: `${scope.paths.join('\0')}\0`,
      });
      return [];
    default:
      return scope satisfies never;
  }
}

/** Takes files outside of the directories that a sparse checkout asks for; what is not checked out stays as the index has it. */
const ANYWHERE = ['--sparse'];

/** Reads paths from its input, and goes on where a file cannot be read. */
const ADD = ['add', '--all', ...ANYWHERE, '--ignore-errors', '--pathspec-from-file=-', '--pathspec-file-nul'];

async function addReadable(
  context: Git,
  call: GitCall,
  { except, also }: Extract<SnapshotScope, { kind: 'readable' }>,
): Promise<LeftFile[]> {
  const input = ['.', ...except.map((path) => `:(top,exclude,literal)${path}`)].join('\0');
  const { status } = await git(context, ADD, { ...call, input, allow: [1, 128] });
  if (also.length > 0) {
    const named = also.map((path) => `:(top,literal)${path}`).join('\0');
    await git(context, [...ADD, '--force'], { ...call, input: named });
  }
  if (status === 0) return [];
  const left = await differing(context, call);
  // Git failed, and not for want of a file: let it say why.
  if (left.length === 0) await git(context, ADD, { ...call, input });
  return left.filter(({ path }) => !except.includes(path));
}

/** Lists what differs from the copy of the index after everything was added to it. */
async function differing(context: Git, call: GitCall): Promise<LeftFile[]> {
  const list = async (args: readonly string[], kind: LeftFile['kind']): Promise<LeftFile[]> => {
    const { stdout } = await git(context, args, { ...call, reads: true });
    return stdout
      .split('\0')
      .filter((path) => path !== '')
      .map((path) => ({ path: path.replace(/\/$/, ''), kind }));
  };
  return [
    ...(await list(['diff-files', '-z', '--name-only'], 'tracked')),
    ...(await list(['ls-files', '-z', '--others', '--exclude-standard'], 'untracked')),
  ];
}

/** A commit made by Drover for itself. */
interface KeptCommit {
  readonly tree: string;
  readonly parents: readonly string[];
  readonly message: string;
  /** Epoch milliseconds. */
  readonly now: number;
}

/** Writes a commit object under Drover's own name; no ref points to it yet. @returns its id. @throws {GitError} */
export async function writeKeptCommit(
  context: Git,
  at: string,
  { tree, parents, message, now }: KeptCommit,
): Promise<string> {
  const date = `${Math.floor(now / 1000)} +0000`;
  const env = {
    GIT_AUTHOR_NAME: KEEPER.name,
    GIT_AUTHOR_EMAIL: KEEPER.email,
    GIT_AUTHOR_DATE: date,
    GIT_COMMITTER_NAME: KEEPER.name,
    GIT_COMMITTER_EMAIL: KEEPER.email,
    GIT_COMMITTER_DATE: date,
  };
  const args = ['commit-tree', tree, ...parents.flatMap((parent) => ['-p', parent]), '-F', '-'];
  return gitText(context, args, { ...writing(at, 'keep the work'), env, input: message });
}
