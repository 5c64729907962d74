/** The repositories of submodules in a place: where git itself would put them, with the depot's objects. */
import { borrowFrom } from '../archive/archive.ts';
import { type Git, git, unconfined } from '../git/git.ts';
import { GitError } from '../git/git-error.ts';
import { commitOf, writing } from '../git/revisions.ts';
import { unfinishedOf } from '../worktrees/beside.ts';
import { leadsThroughSymlink } from '../worktrees/copy-files.ts';
import { addressSettings } from '../worktrees/settings.ts';
import type { Submodule } from './find.ts';
import { checkOutNew, linksIn } from './tidy.ts';

/** A place and the depot that it borrows from. */
interface Around {
  /** The worker's place. */
  readonly worktree: string;
  /** The bare repository whose objects are borrowed. */
  readonly depot: string;
}

/** Makes one exist where the place names that very commit. @returns why it is not filled, after "its"; undefined: it is, or need not be. */
export async function layOut(context: Git, around: Around, one: Submodule): Promise<string | undefined> {
  const { files } = context;
  const { worktree, depot } = around;
  const { path, commit } = one;
  const at = `${worktree}/${path}`;
  if (
    (await leadsThroughSymlink(context, { root: worktree, path })) ||
    (await leadsThroughSymlink(context, { root: `${worktree}/.git`, path: one.gitDir }))
  )
    return 'path leads through a symbolic link: remove that';
  if (!(await isWanted(context, worktree, one))) return undefined;
  const marker = await files.stat(`${at}/.git`);
  if (marker === undefined) {
    const is = await files.stat(at);
    if (is !== undefined && (is.kind !== 'directory' || (await files.list(at)).length > 0))
      return 'directory holds other files: move them away';
    await connect(context, around, one);
  }
  const gitDir = `${worktree}/.git/${one.gitDir}`;
  if ((await files.stat(gitDir))?.kind === 'directory') await borrowFrom(context, gitDir, [`${depot}/objects`]);
  try {
    // Ref of a commit that lies elsewhere, too: such a commit counts as nobody's work.
    const known = `refs/remotes/drover/${commit}`;
    await git(context, ['update-ref', known, commit], writing(at, 'note where a submodule comes from'));
    const isNew = marker === undefined || (await commitOf(context, at, 'HEAD')) === undefined;
    if (isNew) await checkOutNew(context, at, commit);
  } catch (error) {
    if (!(error instanceof GitError) || error.code === 'cancelled') throw error;
    return `repository cannot be used: ${error.message.split('\n')[0] ?? ''}`;
  }
  return undefined;
}

/** Tells whether the index of the repository around it names that commit: the worker's own branch may name another. */
async function isWanted(context: Git, worktree: string, { path, parent, commit }: Submodule): Promise<boolean> {
  const cut = await aroundOf(context, worktree, { path, parent });
  if (cut === undefined) return false;
  return (await linksIn(context, cut.at)).get(cut.name) === commit;
}

/** The repository around a submodule, and its path in that. */
async function aroundOf(
  { files }: Git,
  worktree: string,
  { path, parent }: Pick<Submodule, 'path' | 'parent'>,
): Promise<{ readonly at: string; readonly name: string } | undefined> {
  if (parent === '') return { at: worktree, name: path };
  const parts = path.split('/');
  for (let count = parts.length - 1; count > 0; count -= 1) {
    const at = `${worktree}/${parts.slice(0, count).join('/')}`;
    if ((await files.stat(`${at}/.git`)) !== undefined) return { at, name: parts.slice(count).join('/') };
  }
  return undefined;
}

/** Gives it a git directory, or finds the one that it had, and tells the repository around it. */
async function connect(context: Git, around: Around, one: Submodule): Promise<void> {
  const { files } = context;
  const { worktree } = around;
  const gitDir = `${worktree}/.git/${one.gitDir}`;
  if ((await files.stat(gitDir)) === undefined) await make(context, around, one);
  const up = '../'.repeat(one.path.split('/').length);
  await tell(context, worktree, one);
  await files.mkdir(`${worktree}/${one.path}`);
  await files.writeFile(`${worktree}/${one.path}/.git`, `gitdir: ${up}.git/${one.gitDir}\n`);
}

/** Makes the git directory beside the place, and renames it when complete. */
async function make(context: Git, { worktree, depot }: Around, one: Submodule): Promise<void> {
  const { files } = context;
  const own = unconfined(context);
  const partial = unfinishedOf(worktree);
  const gitDir = `${worktree}/.git/${one.gitDir}`;
  await files.rm(partial);
  const call = writing(worktree.slice(0, worktree.lastIndexOf('/')), `make the repository of "${one.path}"`);
  const format = one.commit.length === 64 ? 'sha256' : 'sha1';
  await git(own, ['init', '--quiet', '--template=', `--object-format=${format}`, '--', partial], call);
  for (const name of ['hooks', 'info']) await files.mkdir(`${partial}/.git/${name}`);
  const config = `${partial}/.git/config`;
  const initial = (await files.readFile(config, { maxBytes: CONFIG_BYTES_MAX })) ?? '';
  const up = '../'.repeat(one.gitDir.split('/').length + 1);
  const path = one.path.replaceAll(/["\\]/gu, String.raw`\$&`);
  const address = one.url === null ? '' : addressSettings(one.url);
  await files.writeFile(config, `${initial}\tworktree = "${up}${path}"\n${address}[gc]\n\tauto = 0\n`);
  await borrowFrom(context, `${partial}/.git`, [`${depot}/objects`]);
  await files.mkdir(gitDir.slice(0, gitDir.lastIndexOf('/')));
  await files.rename(`${partial}/.git`, gitDir);
  await files.rm(partial);
}

/** Bytes of what git itself writes into the configuration of a new repository, with room to spare. */
const CONFIG_BYTES_MAX = 64 * 1024;

/** Writes the settings of `git submodule init`, so that git's own commands know it. */
async function tell(context: Git, worktree: string, one: Submodule): Promise<void> {
  const { name, url, parent } = one;
  const action = `tell of the submodule "${one.path}"`;
  const settings = [['active', 'true'], ...(url === null ? [] : [['url', url]])];
  for (const [field = '', value = ''] of settings) {
    const words = [`submodule.${name}.${field}`, value];
    // The settings of a worker's clone are not its own to write; those of a repository inside are.
    if (parent === '')
      await git(unconfined(context), ['config', '--file', `${worktree}/.git/config`, ...words], writing('/', action));
    else {
      const around = await aroundOf(context, worktree, one);
      if (around !== undefined) await git(context, ['config', '--local', ...words], writing(around.at, action));
    }
  }
}
