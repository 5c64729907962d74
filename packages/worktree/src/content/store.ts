/**
 * Directories in which repositories keep content for Git LFS: each file is named by its SHA-256. Each worker has its own in the archive, so
 * that "git lfs prune" of one takes nothing of another, and all read all of them: git-lfs looks beside borrowed objects.
 */
import { type Git, git } from '../git/git.ts';
import { commonDirOf, reading } from '../git/revisions.ts';
import { safeDirectory } from '../names.ts';
import type { Host } from '@drover/host';
import type { GitFiles } from '../git/on-host.ts';
import type { Pointer } from '../review/lfs-pointer.ts';

/** The part of an archive in which each worker, and the landing worktrees, keep content. */
export function contentOf(archive: string): string {
  return `${safeDirectory(archive)}/content`;
}

/** The name of the landing worktrees, which no worker has. */
export const LANDINGS = '+landing';

/** The store of the clone of a worker of this name. */
export function storeIn(archive: string, name: string): string {
  return `${contentOf(archive)}/${name}/lfs`;
}

/**
 * Directories to borrow from, so that git-lfs finds content of others: each lies beside a store, and has no objects.
 * None where Git LFS is not used.
 */
export async function lendersIn({ files }: Pick<Git, 'files'>, archive: string): Promise<readonly string[]> {
  const lenders: string[] = [];
  for (const store of await storesIn(files, archive)) {
    const lender = `${store.slice(0, store.lastIndexOf('/'))}/objects`;
    await files.mkdir(lender);
    lenders.push(lender);
  }
  return lenders;
}

/** The stores of an archive in which there is something. */
async function storesIn(files: GitFiles, archive: string): Promise<readonly string[]> {
  const stores = (await files.list(contentOf(archive))).map((name) => storeIn(archive, name));
  const isThere = await Promise.all(stores.map((store) => files.stat(`${store}/objects`)));
  return stores.filter((_, index) => isThere[index]?.kind === 'directory');
}

/** Finds content in the stores of an archive by its size alone: an agent can write there, so the caller checks the bytes. */
export async function findContent(files: GitFiles, archive: string, content: Pointer): Promise<readonly string[]> {
  const paths = (await storesIn(files, archive)).map((store) => pathOfContent(store, content));
  const isThere = await Promise.all(paths.map((path) => isOfSize(files, path, content)));
  return paths.filter((_, index) => isThere[index]);
}

/** Finds the store of a repository by the repository's own settings. @throws {GitError} */
export async function storeOfRepository(context: Git, at: string): Promise<string> {
  const common = await commonDirOf(context, at);
  const call = { ...reading(at, 'read where Git LFS keeps files'), allow: [1] };
  const set = (await git(context, ['config', '--type=path', '--get', 'lfs.storage'], call)).stdout.trimEnd();
  if (set === '') return `${common}/lfs`;
  return set.startsWith('/') ? set : `${common}/${set}`;
}

/** Path of the content in a store. */
export function pathOfContent(store: string, { sha256 }: Pick<Pointer, 'sha256'>): string {
  return `${store}/objects/${sha256.slice(0, 2)}/${sha256.slice(2, 4)}/${sha256}`;
}

/** Tells whether a store has the content, as far as its size says. */
export async function holdsContent(files: GitFiles, store: string, content: Pointer): Promise<boolean> {
  return isOfSize(files, pathOfContent(store, content), content);
}

async function isOfSize(files: GitFiles, path: string, { bytes }: Pointer): Promise<boolean> {
  const facts = await files.stat(path);
  return facts?.kind === 'file' && facts.size === bytes;
}

/**
 * Copies a file whose bytes were not checked. Such a file is never linked: its writer could change it later. No link on the way is followed.
 *
 * @returns false when it is not there, or is not what it should be; nothing is left then.
 */
export async function copyContent(
  files: GitFiles,
  { from, to, content }: { readonly from: string; readonly to: string; readonly content: Pointer },
  sha256Of: Host['sha256'],
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
async function realPathOf(files: GitFiles, path: string): Promise<string | undefined> {
  const at = path.lastIndexOf('/lfs/');
  if (at === -1) return files.realpath(path);
  const above = await files.realpath(path.slice(0, at));
  return above === undefined ? undefined : `${above}${path.slice(at)}`;
}

/** Puts content into a store in one step, if it is what it should be and is not there. @returns whether the store has it now. */
export async function keepContent(
  files: GitFiles,
  { from, store, content }: { readonly from: string; readonly store: string; readonly content: Pointer },
  sha256Of: Host['sha256'],
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
