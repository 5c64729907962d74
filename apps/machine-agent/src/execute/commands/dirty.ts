/** Messages about files that stand in the way. */
import { CommandError } from '../../failure.ts';
import type { Place } from '../worktree-of.ts';

/** Error for a worktree with changes: Drover cannot tell which of them belong to the work. */
export function dirty(
  { worktree }: Pick<Place, 'worktree'>,
  files: readonly { readonly path: string }[],
): CommandError {
  const what = `"${worktree}" has changes that are not committed: ${listPaths(files)}`;
  return new CommandError('worktree-dirty', `${what}. Commit or undo them first`);
}

/** Lists some paths, and the number of further ones. */
export function listPaths(files: readonly { readonly path: string }[]): string {
  const shown = files
    .slice(0, PATHS_SHOWN)
    .map(({ path }) => path)
    .join(', ');
  return files.length > PATHS_SHOWN ? `${shown} and ${files.length - PATHS_SHOWN} more` : shown;
}

const PATHS_SHOWN = 10;
