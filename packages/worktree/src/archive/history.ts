/**
 * Makes whole again what `git fetch --depth` cut off. An agent that fetches one commit so makes its whole clone shallow: git then takes that
 * commit for the first of its history, and others refuse, in silence, what stands on it.
 */
import { type Git, git, unconfined } from '../git/git.ts';
import { reading } from '../git/revisions.ts';
import { readShallow } from '../git/shallow.ts';

/**
 * Takes commits off the list of those whose history is cut, if a ref of the depot leads to them: the repository borrows all that lies before
 * them. Objects alone prove nothing: git keeps those of a fetch that it refused for want of their history.
 *
 * @throws {GitError}
 */
export async function completeHistory(
  context: Git,
  { gitDir, depot }: { readonly gitDir: string; readonly depot: string },
): Promise<void> {
  const path = `${gitDir}/shallow`;
  const cut = await readShallow(context, path);
  const left: string[] = [];
  for (const commit of cut) if (!(await isNamed(unconfined(context), depot, commit))) left.push(commit);
  if (left.length === cut.length) return;
  if (left.length === 0) await context.files.rm(path);
  else await context.files.writeFile(path, left.map((commit) => `${commit}\n`).join(''));
}

/** Tells whether a ref leads to a commit; a commit that is not there has none. */
async function isNamed(context: Git, at: string, commit: string): Promise<boolean> {
  const args = ['for-each-ref', '--count=1', '--format=%(refname)', `--contains=${commit}`];
  const { status, stdout } = await git(context, args, { ...reading(at, 'find a history'), allow: [128, 129] });
  return status === 0 && stdout !== '';
}
