/** The `origin` of a worker's clone, and roots of other builds. */
import { type Git, git } from '../git/git.ts';
import { reading } from '../git/revisions.ts';
import { isRemoteUrl, safeRemoteUrl } from './remote.ts';

/**
 * The address from which people of the source fetch, so that submodules with relative addresses, and programs that ask a forge, find it; the
 * source itself where it has none, or one that must not be shown to agents.
 *
 * @throws {GitError}
 */
export async function originOf(context: Git, source: string): Promise<string> {
  if (isRemoteUrl(source)) return source;
  const call = { ...reading(source, 'read where it comes from'), allow: [1, 2, 128] };
  const { status, stdout } = await git(context, ['remote', 'get-url', 'origin'], call).catch(() => NONE);
  const address = stdout.trim();
  if (status !== 0 || address === '') return source;
  if (!isRemoteUrl(address)) return address.startsWith('/') ? address : source;
  try {
    return safeRemoteUrl(address);
  } catch {
    return source;
  }
}

const NONE = { status: 1, stdout: '' } as const;

/** Tells whether a directory is a clone of a source that another build made, with linked worktrees of workers. @throws {GitError} */
export async function isOfOtherBuild(context: Git, root: string): Promise<boolean> {
  if ((await context.files.stat(`${root}/.git/config`)) === undefined) return false;
  const call = { ...reading('/', 'see who made it'), allow: [1] };
  const { status } = await git(context, ['config', '--file', `${root}/.git/config`, '--get', 'drover.source'], call);
  return status === 0;
}
