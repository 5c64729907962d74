/** Tells whether git, merging the texts of both sides, would have come to the side that was taken whole. */
import { DEADLINES_MS, git, gitText } from '../git/git.ts';
import type { ObjectView } from '../review/object-view.ts';
import type { Entry } from './changes.ts';
import { isLockFile } from '../worktrees/lock-files.ts';
import type { TakenWhole } from './sides.ts';

/** Files that are merged to find out; those beyond count as losing something. Each takes six processes. */
const FILES_MERGED_MAX = 200;

/** Fate of the side that was not taken. `no-text` is not merged: it cannot be, or it is a lock file. */
type Loss = 'none' | 'loses' | 'no-text';

/** Says for each file what taking one side whole has lost. @throws {GitError} */
export async function lossesOf(view: ObjectView, files: readonly TakenWhole[]): Promise<ReadonlyMap<TakenWhole, Loss>> {
  const losses = new Map<TakenWhole, Loss>();
  for (const [index, file] of files.entries())
    losses.set(file, index < FILES_MERGED_MAX ? await lossOf(view, file) : 'loses');
  return losses;
}

/**
 * Compares a side with git's own merge. The worker's side is right as a whole if git, deciding each region for the
 * worker, comes to it: then others have changed nothing outside those regions. The other side is right as a whole only
 * if git merges without a conflict and comes to it.
 */
async function lossOf(view: ObjectView, { path, side, base, own, others }: TakenWhole): Promise<Loss> {
  // Skips lock files: one side's may be what the package manager makes of both.
  if (isLockFile(path)) return 'no-text';
  const { git: context, call } = view;
  const place = { ...call, action: 'merge a file again', timeoutMs: DEADLINES_MS.write };
  const unpack = async (entry: Entry | null): Promise<string> => {
    if (entry !== null) return gitText(context, ['unpack-file', entry.blob], place);
    await context.files.writeFile(`${call.at}/empty`, '');
    return 'empty';
  };
  const [current, ancestor, other] = [await unpack(others), await unpack(base), await unpack(own)];
  const flags = side === 'own' ? ['--theirs', '--quiet'] : ['--quiet'];
  const { status } = await git(context, ['merge-file', ...flags, current, ancestor, other], {
    ...place,
    allow: STATUSES,
  });
  const merged = await gitText(context, ['hash-object', '--no-filters', '--', current], place);
  for (const name of [current, ancestor, other]) await context.files.rm(`${call.at}/${name}`);
  if (status === NO_TEXT) return 'no-text';
  const taken = side === 'own' ? own : others;
  return status === 0 && merged === taken.blob ? 'none' : 'loses';
}

/** `git merge-file` ends with the number of conflicts, at most 127, or with 255 where there is no text to merge. */
const NO_TEXT = 255;
const STATUSES = [...Array.from({ length: 127 }, (_, index) => index + 1), NO_TEXT];
