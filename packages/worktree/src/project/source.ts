/** Checks that this directory is a repository that Drover can work from, and that git is new enough. */
import { DEADLINES_MS, type Git, gitText } from '../git/git.ts';
import { GitError } from '../git/git-error.ts';
import { safeDirectory, safeRevision } from '../names.ts';
import { commitOf, reading } from '../git/revisions.ts';
import { checkRemote, isRemoteUrl } from './remote.ts';
import type { SourceCheck } from './source-check.ts';
import { type Status, readStatus } from '../git/status.ts';
import { readUpstream } from './upstream.ts';

/**
 * Oldest git that supports this package: 2.34 made `ort` the strategy of rebase, whose conflict stages conflicts.ts
 * reads. Ubuntu 22.04 carries it.
 */
const MIN: readonly [number, number] = [2, 34];
/** The same in words. */
export const GIT_VERSION_MIN = MIN.join('.');

/** The version of git, such as `2.39.5`. @throws {GitError} `git-missing`, `git-too-old`. */
export async function gitVersion(context: Git): Promise<string> {
  const answer = await gitText(context, ['--version'], {
    at: '/',
    action: 'read the version',
    timeoutMs: DEADLINES_MS.read,
  });
  const [version = '', major = '0', minor = '0'] = /(?<!\d)(\d+)\.(\d+)[.\d]*/.exec(answer) ?? [];
  if (isOlder([Number(major), Number(minor)])) {
    throw new GitError(
      'git-too-old',
      `This machine has git "${answer}"; Drover needs ${GIT_VERSION_MIN} or newer: update git`,
    );
  }
  return version;
}

function isOlder([major, minor]: readonly [number, number]): boolean {
  const [majorMin, minorMin] = MIN;
  return major < majorMin || (major === majorMin && minor < minorMin);
}

/**
 * Checks a source repository, a directory or an address. The default branch is the one given, else the one checked out. Untracked files do
 * not make it dirty; changed tracked files do, when the default branch is the one checked out.
 *
 * @throws {GitError} `bad-name`, `unsafe-owner`, `timed-out`, …
 */
export async function checkSource(
  context: Git,
  path: string,
  { defaultBranch }: { readonly defaultBranch?: string } = {},
): Promise<SourceCheck> {
  if (isRemoteUrl(path)) return checkRemote(context, path, defaultBranch);
  if ((await context.files.stat(safeDirectory(path))) === undefined) {
    return { kind: 'missing', message: `"${path}" does not exist: give the directory of a git repository` };
  }
  const place = await whereIs(context, path);
  if (place.kind !== 'root') return place;
  const status = await readStatus(context, place.root, 'no');
  return judge(context, { root: place.root, status, wanted: defaultBranch });
}

type Place =
  | { readonly kind: 'root'; readonly root: string }
  | { readonly kind: 'bare' | 'not-a-repository'; readonly message: string };

async function whereIs(context: Git, path: string): Promise<Place> {
  const call = { ...reading(path, 'look for a git repository'), searchesUp: true };
  try {
    const [bare, insideGitDir] = (
      await gitText(context, ['rev-parse', '--is-bare-repository', '--is-inside-git-dir'], call)
    ).split('\n');
    if (bare === 'true') {
      return { kind: 'bare', message: `"${path}" is a bare repository: give one with a working tree` };
    }
    if (insideGitDir === 'true') {
      return { kind: 'not-a-repository', message: `"${path}" is a git directory: give the working tree above it` };
    }
    return { kind: 'root', root: await gitText(context, ['rev-parse', '--show-toplevel'], call) };
  } catch (error) {
    if (!(error instanceof GitError) || error.code !== 'not-a-repository') throw error;
    return {
      kind: 'not-a-repository',
      message: `"${path}" is not a git repository: run "git init" and commit there first`,
    };
  }
}

async function judge(
  context: Git,
  { root, status, wanted }: { root: string; status: Status; wanted: string | undefined },
): Promise<SourceCheck> {
  if (status.head === undefined) {
    return { kind: 'no-commits', message: `"${root}" has no commits: make a first commit there` };
  }
  const branch = wanted ?? status.branch;
  if (branch === undefined) {
    return { kind: 'detached', message: `HEAD of "${root}" is detached: check out the default branch, or name it` };
  }
  const head = await commitOf(context, root, `refs/heads/${safeRevision(branch)}`);
  if (head === undefined) {
    return { kind: 'no-such-branch', branch, message: `"${root}" has no branch "${branch}": name one that exists` };
  }
  if (status.branch === branch && status.changes.length > 0) {
    const message = `"${root}" has uncommitted changes on "${branch}" (${status.changes.length} files): commit or stash them`;
    return { kind: 'dirty', files: status.changes, message };
  }
  return {
    kind: 'ok',
    root,
    defaultBranch: branch,
    head,
    upstream: await readUpstream(context, { source: root, branch }),
  };
}
