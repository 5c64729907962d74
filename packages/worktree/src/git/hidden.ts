/** Finds changed files that git was told not to look at, with `update-index --assume-unchanged` or `--skip-worktree`. */
import { type Git, git } from './git.ts';
import { changedPaths, gitPaths, reading, writing } from './revisions.ts';

/** Lists them, and leaves the place as it is. @throws {GitError} */
export async function listHidden(context: Git, at: string): Promise<readonly string[]> {
  const flagged = await listFlagged(context, at);
  if (flagged.length === 0) return [];
  const [index = '', directory = ''] = await gitPaths(context, at, ['index', 'drover']);
  const copy = `${directory}/index-hidden`;
  await context.files.mkdir(directory);
  await context.files.rm(`${copy}.lock`);
  await context.files.rm(copy);
  await context.files.copy(index, copy);
  try {
    const env = { GIT_INDEX_FILE: copy };
    await unflag(context, at, { paths: flagged, env });
    // A file that is not there has no content to lose: a sparse checkout leaves most of them out.
    const args = ['diff-files', '-z', '--name-only', '--diff-filter=MT'];
    const { stdout } = await git(context, args, { ...reading(at, 'compare the hidden files'), env });
    return named(stdout);
  } finally {
    await context.files.rm(copy);
  }
}

/**
 * Has git look at them again, so that they are changes like any other. With `to` only if one of them differs between HEAD and that commit:
 * a checkout would write over it without a word.
 *
 * @returns whether there were any.
 * @throws {GitError}
 */
export async function showHidden(context: Git, at: string, to?: string): Promise<boolean> {
  const paths = await listHidden(context, at);
  if (paths.length === 0) return false;
  const changed = to === undefined ? paths : await changedPaths(context, at, ['HEAD', to]);
  if (!paths.some((path) => changed.includes(path))) return false;
  await unflag(context, at, { paths, env: {} });
  return true;
}

async function listFlagged(context: Git, at: string): Promise<readonly string[]> {
  const { stdout } = await git(context, ['ls-files', '-z', '-v'], reading(at, 'look for hidden files'));
  // A small letter says "assume unchanged", S "skip worktree", s both.
  return named(stdout).flatMap((line) => (/^[a-zS] /u.test(line) ? [line.slice(2)] : []));
}

/** Has git look at these files again, in the index that `env` names. @throws {GitError} */
export async function unflag(
  context: Git,
  at: string,
  { paths, env }: { readonly paths: readonly string[]; readonly env: Readonly<Record<string, string>> },
): Promise<void> {
  const call = { ...writing(at, 'show the hidden files'), env, input: paths.map((path) => `${path}\0`).join('') };
  // With both options at once git clears the last one alone.
  for (const flag of ['--no-assume-unchanged', '--no-skip-worktree'])
    await git(context, ['update-index', flag, '-z', '--stdin'], call);
}

function named(text: string): readonly string[] {
  return text.split('\0').filter((one) => one !== '');
}
