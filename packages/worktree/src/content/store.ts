/** The directory in which a repository keeps content for Git LFS: each file is named by its SHA-256. */
import { type Git, git, gitText } from '../git/git.ts';
import { reading } from '../git/revisions.ts';
import { safeDirectory } from '../names.ts';
import type { Files, Sha256Of } from '../ports.ts';
import type { Pointer } from '../review/lfs-pointer.ts';

/** Where all clones of a project keep it. Their settings do not count: an agent can write them. */
export function storeOfArchive(archive: string): string {
  return `${safeDirectory(archive)}/lfs`;
}

/** Where a repository of people keeps it, by its own settings. @throws {GitError} */
export async function storeOfSource(context: Git, at: string): Promise<string> {
  const args = ['rev-parse', '--path-format=absolute', '--git-common-dir'];
  const common = await gitText(context, args, reading(at, 'find the git directory'));
  const call = { ...reading(at, 'read where Git LFS keeps files'), allow: [1] };
  const set = (await git(context, ['config', '--type=path', '--get', 'lfs.storage'], call)).stdout.trimEnd();
  if (set === '') return `${common}/lfs`;
  return set.startsWith('/') ? set : `${common}/${set}`;
}

/** Where the content lies in a store. */
export function pathOfContent(store: string, { sha256 }: Pick<Pointer, 'sha256'>): string {
  return `${store}/objects/${sha256.slice(0, 2)}/${sha256.slice(2, 4)}/${sha256}`;
}

/** Whether a store has it, as far as its size says. */
export async function holdsContent(files: Files, store: string, content: Pointer): Promise<boolean> {
  return isOfSize(files, pathOfContent(store, content), content);
}

async function isOfSize(files: Files, path: string, { bytes }: Pointer): Promise<boolean> {
  const facts = await files.stat(path);
  return facts?.kind === 'file' && facts.sizeBytes === bytes;
}

/**
 * Copies a file whose bytes were not checked. It is never linked: who wrote it could change it later. No link on the way is followed.
 *
 * @returns false when it is not there, or is not what it should be; nothing is left then.
 */
export async function copyContent(
  files: Files,
  { from, to, content }: { readonly from: string; readonly to: string; readonly content: Pointer },
  sha256Of: Sha256Of,
): Promise<boolean> {
  if (!(await isOfSize(files, from, content)) || (await files.realpath(from)) !== (await realPathOf(files, from)))
    return false;
  await files.rm(to);
  await files.copy(from, to);
  if ((await isOfSize(files, to, content)) && (await sha256Of(to)) === content.sha256) return true;
  await files.rm(to);
  return false;
}

/** The path below the store's own place: only the directories above a store may be links. */
async function realPathOf(files: Files, path: string): Promise<string | undefined> {
  const at = path.lastIndexOf('/lfs/');
  if (at === -1) return files.realpath(path);
  const above = await files.realpath(path.slice(0, at));
  return above === undefined ? undefined : `${above}${path.slice(at)}`;
}

/** Puts content into a store in one step, if it is what it should be and is not there. @returns whether the store has it now. */
export async function keepContent(
  files: Files,
  { from, store, content }: { readonly from: string; readonly store: string; readonly content: Pointer },
  sha256Of: Sha256Of,
): Promise<boolean> {
  if (await holdsContent(files, store, content)) return true;
  const into = pathOfContent(store, content);
  const partial = `${store}/tmp/drover-${content.sha256}`;
  await files.mkdir(`${store}/tmp`);
  if (!(await copyContent(files, { from, to: partial, content }, sha256Of))) return false;
  await files.mkdir(into.slice(0, into.lastIndexOf('/')));
  await files.rename(partial, into);
  return true;
}
