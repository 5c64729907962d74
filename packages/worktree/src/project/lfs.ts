/** Does the repository keep large files with Git LFS, and are they here? */
import { DEADLINES_MS, type Git, git } from '../git/git.ts';
import { GitError } from '../git/git-error.ts';
import { reading } from '../git/revisions.ts';

/** What {@link pullLfs} found. Only `failed` and `not-installed` leave pointers where files should be. */
export type LfsOutcome =
  | { readonly kind: 'not-used' | 'pulled' | 'not-installed' }
  | { readonly kind: 'failed'; readonly message: string };

/** Fetches the files behind LFS pointers where the repository uses LFS and git-lfs is installed. */
export async function pullLfs(context: Git, at: string): Promise<LfsOutcome> {
  if (!(await usesLfs(context, at))) return { kind: 'not-used' };
  const version = await git(context, ['lfs', 'version'], { ...reading(at, 'find git-lfs'), allow: [1, 2, 127, 128] });
  if (version.status !== 0) return { kind: 'not-installed' };
  try {
    await git(context, ['lfs', 'pull'], { at, action: 'pull the LFS files', timeoutMs: DEADLINES_MS.clone });
    return { kind: 'pulled' };
  } catch (error) {
    if (!(error instanceof GitError)) throw error;
    return { kind: 'failed', message: error.message };
  }
}

async function usesLfs(context: Git, at: string): Promise<boolean> {
  const args = ['grep', '--quiet', '--fixed-strings', '-e', 'filter=lfs', '--', ':(glob,top)**/.gitattributes'];
  const { status } = await git(context, args, { ...reading(at, 'look for LFS'), allow: [1] });
  return status === 0;
}
