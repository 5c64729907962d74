/**
 * Carries the source's own settings for converting, comparing and merging files to where Drover checks files out.
 * Without a filter that encrypts, an agent would read what is encrypted, and commit secrets as they are.
 */
import { type Git, git } from '../git/git.ts';
import { commonDirOf, reading } from '../git/revisions.ts';
import { settingsText } from '../worktrees/settings.ts';
import { OF_REPOSITORY } from './identity.ts';
import { isRemoteUrl } from './remote.ts';

/** Converters of files that somebody set up in the source alone. */
export interface Converters {
  /** Sections of git's configuration, as text; empty: none. */
  readonly settings: string;
  /** Files in the directory of a repository, relative to it, in which these programs keep keys and scripts. */
  readonly keys: readonly string[];
  /** The directory of the source's repository that has them. */
  readonly gitDir: string;
}

const NONE: Converters = { settings: '', keys: [], gitDir: '' };

/** Directories below that of a repository: of git-crypt (keys), and of transcrypt (its script). */
const KEPT_BY_PROGRAMS = ['git-crypt/keys', 'crypt'];

/** Reads the sections `filter`, `diff` and `merge` that have a name, and the one of transcrypt; an address has none. @throws {GitError} */
export async function convertersOf(context: Git, source: string): Promise<Converters> {
  if (isRemoteUrl(source)) return NONE;
  const pattern = String.raw`^((filter|diff|merge)\..*|transcrypt)\.`;
  // Projects that bring such settings along have people include their file.
  const args = ['config', '--null', '--show-scope', '--includes', '--get-regexp', pattern];
  const { stdout } = await git(context, args, { ...reading(source, 'read how files are converted'), allow: [1] });
  const sections = new Map<string, (readonly [string, string])[]>();
  const words = stdout.split('\0');
  for (const [index, entry] of words.entries()) {
    // SCOPE NUL SECTION.NAME.KEY LINE-BREAK VALUE NUL; a name may hold dots, and a setting without a value says yes.
    if (index % 2 === 0 || !OF_REPOSITORY.has(words[index - 1] ?? '')) continue;
    const [, section, name, key, value = 'true'] =
      /^(filter|diff|merge|transcrypt)\.(?:(.+)\.)?([^.\n]+)(?:\n([^]*))?$/u.exec(entry) ?? [];
    if (section === undefined || key === undefined || /[\n"\\]/u.test(name ?? '')) continue;
    const title = name === undefined ? section : `${section} "${name}"`;
    sections.set(title, [...(sections.get(title) ?? []), [key, value]]);
  }
  if (sections.size === 0) return NONE;
  const gitDir = await commonDirOf(context, source);
  const keys: string[] = [];
  for (const directory of KEPT_BY_PROGRAMS)
    if ((await context.files.stat(`${gitDir}/${directory}`))?.kind === 'directory')
      for (const name of await context.files.list(`${gitDir}/${directory}`)) keys.push(`${directory}/${name}`);
  return { settings: settingsText([...sections]), keys, gitDir };
}

/** Copies the files of {@link Converters.keys} into the directory of another repository. */
export async function copyKeys({ files }: Git, { keys, gitDir }: Converters, to: string): Promise<void> {
  for (const key of keys) {
    if ((await files.stat(`${gitDir}/${key}`))?.kind !== 'file') continue;
    await files.mkdir(`${to}/${key.slice(0, key.lastIndexOf('/'))}`);
    await files.copy(`${gitDir}/${key}`, `${to}/${key}`);
  }
}

/**
 * Lists the filters that `.gitattributes` files of a worktree ask for and that nothing sets up there: git leaves those
 * files as the repository keeps them. The Git LFS filter is not among them. @throws {GitError}
 */
export async function missingFilters(context: Git, at: string): Promise<readonly string[]> {
  return missingAmong(context, at, await filtersIn(context, at));
}

/** Lists those of these filters that nothing sets up in a worktree. @throws {GitError} */
export async function missingAmong(context: Git, at: string, named: ReadonlySet<string>): Promise<readonly string[]> {
  const wanted = [...named].filter((name) => name !== 'lfs');
  if (wanted.length === 0) return [];
  const args = ['config', '--null', '--name-only', '--get-regexp', String.raw`^filter\..*\.(clean|smudge|process)$`];
  const { stdout } = await git(context, args, { ...reading(at, 'read which filters there are'), allow: [1] });
  const known = new Set(stdout.split('\0').map((key) => key.slice('filter.'.length, key.lastIndexOf('.'))));
  return wanted.filter((name) => !known.has(name)).toSorted();
}

/** Lists the filters that the attributes of a worktree name. @throws {GitError} */
export async function filtersIn(context: Git, at: string): Promise<ReadonlySet<string>> {
  const args = ['grep', '-h', '-I', '--fixed-strings', '-e', 'filter=', '--', ':(glob,top)**/.gitattributes'];
  const { stdout } = await git(context, args, { ...reading(at, 'look for filters'), allow: [1] });
  const lines = stdout.split('\n').filter((line) => !line.startsWith('#'));
  const named = lines.flatMap((line) => line.split(/\s/u).filter((word) => word.startsWith('filter=')));
  return new Set(named.map((word) => word.slice('filter='.length)).filter((name) => name !== ''));
}
