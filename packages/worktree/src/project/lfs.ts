/** Finds large files that the repository keeps with Git LFS, and tells whether they are here. */
import { DEADLINES_MS, type Git, git } from '../git/git.ts';
import { GitError } from '../git/git-error.ts';
import { reading } from '../git/revisions.ts';
import { filtersIn } from './converters.ts';
import { LFS_POINTER_BYTES_MAX, pointedSize } from '../review/lfs-pointer.ts';

/** State of the LFS files. `pointers`: these files hold a pointer where their content should be. */
export type LfsReport =
  | { readonly kind: 'not-used' | 'complete' }
  | {
      readonly kind: 'pointers';
      readonly files: readonly string[];
      /** `skipped`: git-lfs ran, said that all is well, and left them. */
      readonly why: 'not-installed' | 'failed' | 'skipped';
      /** The words of git-lfs when it failed; else empty. */
      readonly message: string;
    };

/**
 * Fetches the files behind LFS pointers of a repository that uses LFS, if git-lfs is installed. The files in the worktree afterwards decide,
 * not the words of git-lfs: it skips files, and reports success, if "git lfs install" was not run.
 *
 * @throws {GitError} when git itself fails.
 */
export async function pullLfs(context: Git, at: string): Promise<LfsReport> {
  const outcome = await pull(context, at);
  const files = await findPointers(context, at);
  return files.length === 0 ? { kind: 'complete' } : { kind: 'pointers', files, ...outcome };
}

export async function hasLfs(context: Git, at: string): Promise<boolean> {
  const version = await git(context, ['lfs', 'version'], { ...reading(at, 'find git-lfs'), allow: [1, 2, 127, 128] });
  return version.status === 0;
}

/** Tells whether an attribute of the repository gives files to LFS. */
export async function usesLfs(context: Git, at: string): Promise<boolean> {
  return (await filtersIn(context, at)).has('lfs');
}

async function pull(
  context: Git,
  at: string,
): Promise<{ why: 'not-installed' | 'failed' | 'skipped'; message: string }> {
  if (!(await hasLfs(context, at))) return { why: 'not-installed', message: '' };
  try {
    await git(context, ['lfs', 'pull'], { at, action: 'pull the LFS files', timeoutMs: DEADLINES_MS.clone });
    return { why: 'skipped', message: '' };
  } catch (error) {
    if (!(error instanceof GitError) || error.code === 'cancelled') throw error;
    return { why: 'failed', message: error.message };
  }
}

/** Tracked files that the attributes give to LFS and that hold a pointer. */
async function findPointers(context: Git, at: string): Promise<readonly string[]> {
  const list = ['ls-files', '-z', '--', ':(top,attr:filter=lfs)'];
  const { stdout } = await git(context, list, { ...reading(at, 'list the LFS files'), timeoutMs: DEADLINES_MS.write });
  const pointers: string[] = [];
  for (const path of stdout.split('\0')) {
    if (path !== '' && (await isPointer(context, `${at}/${path}`))) pointers.push(path);
  }
  return pointers;
}

async function isPointer({ files }: Git, path: string): Promise<boolean> {
  const facts = await files.stat(path);
  if (facts?.kind !== 'file' || facts.size >= LFS_POINTER_BYTES_MAX) return false;
  return pointedSize((await files.readFile(path, { maxBytes: LFS_POINTER_BYTES_MAX })) ?? '') !== null;
}
