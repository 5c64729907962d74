/**
 * Moves files too large for git out of a place, beside it, where they are kept for 14 days: a file of gigabytes takes
 * minutes to be written into git, and a person waits for that. A move takes no time.
 */
import { storeOfRepository } from '../content/store.ts';
import { findOversize, isBelow, type CheckpointLimits } from '../checkpoint/large-files.ts';
import type { Git } from '../git/git.ts';
import type { FileChange } from '../git/status.ts';
import { isLargeOf, largeOf } from './beside.ts';

/** Limits of content written into git before a worktree is cleared or removed, which takes some 40 s at most. */
const SET_ASIDE_LIMITS: CheckpointLimits = {
  fileBytesMax: 100 * 1024 * 1024,
  totalBytesMax: 500 * 1024 * 1024,
  filesMax: 50_000,
};

interface Moving {
  readonly worktree: string;
  readonly changes: readonly FileChange[];
  /** Names what they are moved for; `now` is epoch milliseconds. */
  readonly id: string;
  readonly now: number;
  readonly limits?: CheckpointLimits | undefined;
}

/** Moves the large files. A file that cannot be moved, such as one on a disk that is mounted there, stays, and is written into git like any other. */
export async function moveLarge(
  { files }: Git,
  { worktree: at, changes, id, now, limits = SET_ASIDE_LIMITS }: Moving,
): Promise<void> {
  const over = await findOversize(files, { at, changes, limits });
  const directories = new Set(over.directories);
  const crowd = changes.filter(({ path, kind }) => kind === 'untracked' && isBelow(path, directories));
  const paths = [...over.files, ...crowd.map(({ path }) => path)];
  const target = largeOf(at, { now, id });
  const wasThere = (await files.stat(target)) !== undefined;
  const real = await files.realpath(at);
  let moved = 0;
  for (const path of paths) {
    const [from, to] = [`${at}/${path}`, `${target}/${path}`];
    // A link on the way to it would lead out of the place.
    const isInside = (await files.realpath(parentOf(from))) === `${real}${parentOf(from).slice(at.length)}`;
    if (!isInside || (await files.stat(from))?.kind !== 'file') continue;
    await files.mkdir(parentOf(to));
    await files.rename(from, to).then(
      () => (moved += 1),
      () => {},
    );
  }
  if (moved === 0 && !wasThere) await files.rm(target);
}

/**
 * Moves what Git LFS has for repositories inside of a place beside it, each as `PATH/lfs`: their commits are kept with pointers to it. Files of
 * theirs must have been saved before, which gives large ones to Git LFS. A store that lies elsewhere is left.
 */
export async function moveContent(
  context: Git,
  {
    worktree: at,
    repositories,
    id,
    now,
  }: Pick<Moving, 'worktree' | 'id' | 'now'> & { readonly repositories: readonly string[] },
): Promise<void> {
  const { files } = context;
  const real = await files.realpath(at);
  for (const path of repositories) {
    const store = await storeOfRepository(context, `${at}/${path}`);
    const from = await files.realpath(store);
    if (from === undefined || !from.startsWith(`${real}/`) || (await files.stat(from))?.kind !== 'directory') continue;
    const to = `${largeOf(at, { now, id })}/${path}`;
    await files.mkdir(to);
    await files.rename(from, `${to}/lfs`);
  }
}

function parentOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/'));
}

/** Lists the directories that hold what was moved for the same act, also by a previous call that was cut off. */
export async function listMoved(
  { files }: Git,
  { worktree: path, id }: Pick<Moving, 'worktree' | 'id'>,
): Promise<readonly string[]> {
  const home = parentOf(path);
  const beside = (await files.list(home)).map((name) => `${home}/${name}`);
  return beside.filter((directory) => isLargeOf(directory, { path, id }));
}
