/**
 * Makes whole again what `git fetch --depth` cut off. An agent that fetches one commit so makes its whole clone shallow: git then takes that
 * commit for the first of its history, and others refuse, in silence, what stands on it.
 */
import { type Git, unconfined } from '../git/git.ts';
import { objectsOf } from '../git/revisions.ts';
import { readShallow } from '../git/shallow.ts';

/**
 * Takes the commits that the depot has off the list of those whose history is cut: the repository borrows all that lies before them.
 *
 * @throws {GitError}
 */
export async function completeHistory(
  context: Git,
  { gitDir, depot }: { readonly gitDir: string; readonly depot: string },
): Promise<void> {
  const path = `${gitDir}/shallow`;
  const cut = await readShallow(context, path);
  if (cut.length === 0) return;
  const names = cut.map((commit) => `${commit}^{commit}`);
  const known = await objectsOf(unconfined(context), depot, names);
  const left = cut.filter((_, index) => known[index] === undefined);
  if (left.length === 0) await context.files.rm(path);
  else if (left.length < cut.length) await context.files.writeFile(path, left.map((commit) => `${commit}\n`).join(''));
}
