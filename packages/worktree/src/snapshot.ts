/** How is everything in a worktree kept as git objects, without touching its index or its files? */
import { DEADLINES_MS, type Git, git, gitText } from './git.ts';
import { KEEPER, refComponent } from './names.ts';
import { gitPaths, reading, writing } from './revisions.ts';

/** The content of a worktree at one moment. */
export interface Snapshot {
  /** The index as a tree; undefined when it has unmerged entries, which no tree can hold. */
  readonly indexTree: string | undefined;
  /** The files as a tree: tracked and, in scope `all`, untracked ones that are not ignored. */
  readonly filesTree: string;
}

/** Which files are taken: `all`, or the tracked ones and those paths of `tracked-and` that exist. */
export type SnapshotScope =
  | { readonly kind: 'all' }
  | { readonly kind: 'tracked-and'; readonly paths: readonly string[] };

/**
 * Writes index and files as trees through a copy of the index. `id` names the copy, so that a repeated call
 * clears what a killed one left.
 *
 * @throws {GitError} also when one file cannot be read: a snapshot is whole or there is none.
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
    await addFiles(context, at, { env, scope });
    const filesTree = await gitText(context, ['write-tree'], { ...writing(at, 'save the files'), env });
    return { indexTree, filesTree };
  } finally {
    await context.files.rm(copy);
  }
}

async function writeIndexTree(context: Git, at: string, env: Record<string, string>): Promise<string | undefined> {
  const { stdout } = await git(context, ['ls-files', '-z', '--unmerged'], { ...reading(at, 'read the index'), env });
  if (stdout !== '') return undefined;
  return gitText(context, ['write-tree'], { ...writing(at, 'save the index'), env });
}

async function addFiles(
  context: Git,
  at: string,
  { env, scope }: { env: Record<string, string>; scope: SnapshotScope },
): Promise<void> {
  const call = { at, action: 'save the files', timeoutMs: DEADLINES_MS.checkout, env };
  if (scope.kind === 'all') {
    await git(context, ['add', '--all', '--', '.'], call);
    return;
  }
  await git(context, ['add', '--update', '--', '.'], call);
  if (scope.paths.length === 0) return;
  const input = `${scope.paths.join('\0')}\0`;
  await git(context, ['update-index', '--add', '--remove', '-z', '--stdin'], { ...call, input });
}

/** A commit made by Drover for itself. */
export interface KeptCommit {
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
