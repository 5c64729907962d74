/** A source that is no directory of this machine: its address, and what it says of itself. */
import { DEADLINES_MS, type Git, type GitCall, git } from '../git/git.ts';
import { GitError } from '../git/git-error.ts';
import { safeRevision } from '../names.ts';
import type { SourceCheck } from './source-check.ts';

/** Tells whether a source is an address, such as `https://…`, `ssh://…` or `git@host:path`, and no directory. */
export function isRemoteUrl(source: string): boolean {
  return !source.startsWith('/') && /^[a-z][a-z0-9+.-]*:\/\/|^[^/]+:/iu.test(source);
}

/**
 * An address that git takes as one, and that runs nothing and shows no password. The configuration refuses others when it is loaded;
 * this is for what comes over a wire.
 *
 * @throws {GitError} `bad-name`.
 */
export function safeRemoteUrl(url: string): string {
  const problem = problemOfUrl(url);
  if (problem === undefined) return url;
  throw new GitError('bad-name', `The address of a repository ${problem}`);
}

/** Says why git must not be sent to an address, in words after "the address"; undefined where nothing speaks against it. */
export function problemOfUrl(url: string): string | undefined {
  if (url.startsWith('-')) return 'starts with a dash, which git would read as an option';
  if (/^[a-z0-9+.-]+::/iu.test(url)) return 'names a git helper program ("…::"): use https, ssh, git or file';
  if (/^[a-z][a-z0-9+.-]*:\/\/[^/@]*:[^/]*@/iu.test(url))
    return 'contains a password: use a git credential helper or an SSH key';
  return undefined;
}

/** Options of a call that talks to a remote. A person's own settings count there, because they know who asks (credentials, keys). */
export function outside(action: string): GitCall {
  return { at: '/', action, timeoutMs: DEADLINES_MS.checkout, config: ['push.pushOption='] };
}

/** Checks a remote as `checkSource` does a directory. Without a wanted branch it is the one that its HEAD names. @throws {GitError} */
export async function checkRemote(context: Git, url: string, wanted: string | undefined): Promise<SourceCheck> {
  const names = wanted === undefined ? ['HEAD'] : ['HEAD', `refs/heads/${safeRevision(wanted)}`];
  const args = ['ls-remote', '--symref', '--', safeRemoteUrl(url), ...names];
  const { stdout } = await git(context, args, outside(`ask "${url}" for its branches`));
  const branch = wanted ?? /^ref: refs\/heads\/(.+)\tHEAD$/mu.exec(stdout)?.[1];
  if (branch === undefined)
    return {
      kind: 'no-commits',
      message: `"${url}" names no default branch: push a first commit there, or name a branch`,
    };
  const wantedRef = wanted === undefined ? 'HEAD' : `refs/heads/${branch}`;
  const line = stdout.split('\n').find((one) => one.endsWith(`\t${wantedRef}`) && !one.startsWith('ref:'));
  const [head] = line?.split('\t') ?? [];
  if (head === undefined)
    return { kind: 'no-such-branch', branch, message: `"${url}" has no branch "${branch}": name one that exists` };
  return { kind: 'ok', root: url, defaultBranch: branch, head, upstream: undefined };
}
