/** Brings a source's default branch to the branch that it follows, where the project says so (`repo.follow`). */
import { type Git, type GitCall, git, gitText } from '../git/git.ts';
import { GitError } from '../git/git-error.ts';
import { commitsOf, reading } from '../git/revisions.ts';
import { withDepot } from '../depot/depot.ts';
import type { DepotPlace } from '../depot/place.ts';
import { fastForward, sourceCarrier } from '../depot/targets/source.ts';
import { quote, safeRevision } from '../names.ts';
import { readUpstream } from './upstream.ts';

/** The outcome of following. */
export type Followed =
  /** The branch has all that its upstream has. */
  | { readonly kind: 'newest' }
  | { readonly kind: 'forwarded'; readonly name: string; readonly commits: number }
  /** The branch may lack commits: a sentence for people, which says what to do. */
  | { readonly kind: 'not-followed'; readonly says: string };

/** Time limit of asking the remote, in milliseconds: a task waits. */
const FETCH_MS = 10_000;

/** Fetches the one branch, and moves the default branch forward to it. Does nothing where that cannot be. @throws {GitError} */
export async function followUpstream(context: Git, place: DepotPlace): Promise<Followed> {
  const { target } = place;
  // An address is asked for its newest commit in any case, and another machine follows by itself.
  if (target.kind !== 'source') return { kind: 'newest' };
  const { source, defaultBranch: branch } = target;
  const failed = await fetchUpstream(context, { source, branch });
  const upstream = await readUpstream(context, { source, branch });
  if (upstream === undefined)
    return {
      kind: 'not-followed',
      says: `repo.follow is set, and ${quote(branch)} follows no branch that is there: run "git branch --set-upstream-to=origin/${branch} ${branch}" in "${source}"`,
    };
  const { name, ahead, behind } = upstream;
  if (behind === 0) {
    // Files that did not follow when it was moved before, because that was cut off.
    await withDepot(context, place, () => sourceCarrier(context, target).settle());
    return failed === undefined
      ? { kind: 'newest' }
      : { kind: 'not-followed', says: `${quote(branch)} is at ${quote(name)} as it was fetched last: ${failed}` };
  }
  const lag = `${quote(branch)} is ${counted(behind)} behind ${quote(name)}`;
  if (ahead > 0)
    return {
      kind: 'not-followed',
      says: `${lag}, and has ${ahead} that ${quote(name)} lacks, so it cannot follow: merge or rebase it in "${source}", or push it`,
    };
  return withDepot(context, place, async () => {
    const refs = [`refs/heads/${safeRevision(branch)}`, `${branch}@{upstream}`] as const;
    const [base] = await commitsOf(context, source, [refs[0]]);
    const call = reading(source, 'read the newest commit');
    const commit = await gitText(context, ['rev-parse', '--verify', `${refs[1]}^{commit}`], call);
    if (base === undefined) return { kind: 'newest' };
    const outcome = await fastForward(context, target, { base, commit, why: `follow ${name}` });
    switch (outcome.kind) {
      case 'published':
        return { kind: 'forwarded', name, commits: behind };
      // Takes the present state: somebody moved the branch at this moment.
      case 'moved':
        return { kind: 'newest' };
      case 'blocked':
        return { kind: 'not-followed', says: `${lag}, and ${tellBlocked(outcome)}` };
      default:
        return outcome satisfies never;
    }
  });
}

/** Files that are named. */
const NAMED_MAX = 5;

function tellBlocked({ path, files }: { readonly path: string; readonly files: readonly string[] }): string {
  const named = files.slice(0, NAMED_MAX).map(quote).join(', ');
  const more = files.length > NAMED_MAX ? ` and ${files.length - NAMED_MAX} more` : '';
  return `your changes in "${path}" block the update (${named}${more}): commit or stash them`;
}

function counted(commits: number): string {
  return commits === 1 ? '1 commit' : `${commits} commits`;
}

/** Fetches as a person does there, with their settings. @returns why it failed, in words. */
async function fetchUpstream(
  context: Git,
  { source, branch }: { readonly source: string; readonly branch: string },
): Promise<string | undefined> {
  const format = '--format=%(upstream:remotename)%00%(upstream:remoteref)%00%(upstream)';
  const args = ['for-each-ref', format, '--', `refs/heads/${safeRevision(branch)}`];
  const line = await gitText(context, args, reading(source, 'read what its branch follows'));
  const [remote = '', theirs = '', ours = ''] = line.split('\0');
  // A branch of the same repository is there already.
  if (remote === '' || remote === '.' || !ours.startsWith('refs/remotes/')) return undefined;
  const options = ['--quiet', '--no-tags', '--no-recurse-submodules', '--no-write-fetch-head', '--no-auto-maintenance'];
  const call: GitCall = { at: source, action: `fetch ${quote(branch)}`, timeoutMs: FETCH_MS, allow: [1, 128, 255] };
  try {
    const { status, stderr } = await git(context, ['fetch', ...options, '--', remote, `+${theirs}:${ours}`], call);
    if (status === 0) return undefined;
    const words = (/^(?:fatal|error|ssh): .*/mu.exec(stderr)?.[0] ?? stderr.trim()).slice(0, WORDS_CHARS_MAX);
    return `${quote(remote)} could not be asked (${words})`;
  } catch (error) {
    if (!(error instanceof GitError) || error.code !== 'timed-out') throw error;
    return `${quote(remote)} did not answer within ${FETCH_MS / 1000} s`;
  }
}

/** Characters of git's message that are shown. */
const WORDS_CHARS_MAX = 200;
