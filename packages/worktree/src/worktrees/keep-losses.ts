/** Keeps in the trash what would be lost with a worker's place. */
import { keepIn } from '../archive/keep.ts';
import { snapshot, writeKeptCommit } from '../checkpoint/snapshot.ts';
import { SET_ASIDE } from '../checkpoint/set-aside.ts';
import { type Git, gitText } from '../git/git.ts';
import { GitError } from '../git/git-error.ts';
import { commitOf, reading } from '../git/revisions.ts';
import { readStatus } from '../git/status.ts';
import { trashRef, workerBranch } from '../names.ts';
import { listLinked } from './linked.ts';
import { type Losses, repositoriesIn } from './losses.ts';
import { keepInTrash } from './trash.ts';

/** Place, the losses in it alone, and the name to keep them under. */
interface Keeping {
  readonly path: string;
  readonly archive: string;
  readonly worker: string;
  readonly id: string;
  readonly now: number;
  readonly losses: Losses;
}

/**
 * Keeps all of it, each part on a ref `<id>-…`: files, the tips of HEAD and branch, everything else that git remembers, and repositories
 * inside. Safe to repeat.
 *
 * @throws {GitError} when something cannot be kept as git objects, such as a file that cannot be read.
 */
export async function keepLosses(context: Git, { path: at, archive, worker, id, now, losses }: Keeping): Promise<void> {
  const trash = { from: at, worker, now };
  const head = await commitOf(context, at, 'HEAD');
  const branch = await commitOf(context, at, `refs/heads/${workerBranch(context, worker)}`);
  const inside = await repositoriesIn(context, at, losses.files);
  const hidden = losses.others.flatMap((one) => (one.kind === 'hidden' ? [one.path] : []));
  if (losses.files.length > 0 || losses.ignored.length > 0 || hidden.length > 0)
    await keepFiles(context, {
      at,
      archive,
      ref: trashRef(worker, `${id}-files`),
      now,
      id,
      except: inside,
      also: losses.ignored,
      hidden,
      parents: head === undefined ? [] : [head],
    });
  if (losses.commits.length > 0)
    for (const tip of new Set([head, branch]))
      if (tip !== undefined) await keepInTrash(context, archive, { ...trash, id: `${id}-${tip.slice(0, 12)}`, tip });
  const commits = losses.others.flatMap((one) => ('commit' in one ? [one.commit] : []));
  const [tip, ...others] = new Set([...commits, ...losses.unnamed]);
  if (tip !== undefined)
    await keepInTrash(context, archive, {
      ...trash,
      id: `${id}-others`,
      tip,
      others,
      why: 'Stash, other branches and commits without a name.',
    });
  for (const [index, path] of (await listLinked(context, at)).entries())
    await keepWorktree(context, { at: path, archive, ref: trashRef(worker, `${id}-worktree${index}`), now, id });
  const kept = losses.others.flatMap((one) => (one.kind === 'repository' ? [one.path] : []));
  for (const [index, path] of inside.entries())
    if (kept.some((one) => one === path || one.startsWith(`${path}/`)))
      await keepInside(context, {
        at: `${at}/${path}`,
        archive,
        ref: trashRef(worker, `${id}-inside${index}`),
        now,
        id,
      });
}

interface Files {
  readonly at: string;
  readonly archive: string;
  readonly ref: string;
  readonly now: number;
  readonly id: string;
  /** Repositories inside, which are kept apart. */
  readonly except: readonly string[];
  /** Ignored files that are kept, too. */
  readonly also?: readonly string[];
  /** Changed files that git was told not to look at, and that are kept all the same. */
  readonly hidden?: readonly string[];
  readonly parents: readonly string[];
}

/** @throws {GitError} `no-permission` when a file cannot be read. */
async function keepFiles(
  context: Git,
  { at, archive, ref, now, id, except, also = [], hidden = [], parents }: Files,
): Promise<void> {
  const taken = await snapshot(context, at, { id, scope: { kind: 'readable', except, also, hidden } });
  const [left] = taken.left.filter(({ path }) => !except.includes(path));
  if (left !== undefined)
    throw new GitError('no-permission', `"${at}/${left.path}" cannot be read, so it cannot be kept`);
  const index = taken.indexTree;
  const [head] = parents;
  const indexed =
    index === undefined || head === undefined
      ? []
      : [await writeKeptCommit(context, at, { tree: index, parents: [head], message: 'index\n', now })];
  const message = `${SET_ASIDE}\n\nUncommitted work saved by Drover.\n`;
  const commit = await writeKeptCommit(context, at, {
    tree: taken.filesTree,
    parents: [...parents, ...indexed],
    message,
    now,
  });
  await keepIn(context, archive, { from: await gitDirOf(context, at), ref, commit });
}

/** Files of a worktree that the agent made of its clone: its commits are kept as the clone's. */
async function keepWorktree(context: Git, { at, ...kept }: Omit<Files, 'except' | 'also' | 'parents'>): Promise<void> {
  const paths = (await readStatus(context, at)).changes.map(({ path }) => path);
  if (paths.length === 0) return;
  const head = await commitOf(context, at, 'HEAD');
  const except = await repositoriesIn(context, at, paths);
  await keepFiles(context, { ...kept, at, except, parents: head === undefined ? [] : [head] });
}

/** Files and commits of a repository inside, and of those inside of that one, on one ref for each. @throws {GitError} */
export async function keepInside(
  context: Git,
  { at, ref, id, ...kept }: Omit<Files, 'except' | 'also' | 'parents'>,
): Promise<void> {
  const { changes } = await readStatus(context, at);
  const inside = await repositoriesIn(
    context,
    at,
    changes.map(({ path }) => path),
  );
  const text = await gitText(
    context,
    ['for-each-ref', '--format=%(objectname)', 'refs/heads', 'refs/stash'],
    reading(at, 'list its branches'),
  );
  const stashes =
    text === ''
      ? ''
      : await gitText(context, ['log', '--walk-reflogs', '--all', '--format=%H'], {
          ...reading(at, 'read where it was'),
          allow: [128],
        });
  const head = await commitOf(context, at, 'HEAD');
  const tips = [...new Set([...(head === undefined ? [] : [head]), ...text.split('\n'), ...stashes.split('\n')])];
  await keepFiles(context, { ...kept, at, ref, id, except: inside, parents: tips.filter((tip) => tip !== '') });
  for (const [index, path] of inside.entries())
    await keepInside(context, { ...kept, at: `${at}/${path}`, ref: `${ref}-${index}`, id });
}

/** The git directory of a working tree: that of a submodule lies elsewhere. */
export async function gitDirOf(context: Git, at: string): Promise<string> {
  return gitText(context, ['rev-parse', '--absolute-git-dir'], reading(at, 'find its git directory'));
}
