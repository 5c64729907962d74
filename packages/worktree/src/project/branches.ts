/** Which branches of workers does a clone have, and what do they hold that is not merged? */
import { baseRef } from './clone.ts';
import { type Git, git, gitText } from '../git/git.ts';
import { aheadBehind, reading } from '../git/revisions.ts';

/** A branch `drover/<name>`. */
interface WorkerBranch {
  /** The worker's name. */
  readonly name: string;
  readonly head: string;
  /** Commits that the default branch has not. */
  readonly ahead: number;
  /** The commit at which it left the default branch; undefined without a common one. */
  readonly base: string | undefined;
  readonly subject: string;
}

const PREFIX = 'refs/heads/drover/';

/** Lists the branches of workers by name, whether or not there is such a worker. @throws {GitError} */
export async function listWorkerBranches(
  context: Git,
  { repo, defaultBranch }: { readonly repo: string; readonly defaultBranch: string },
): Promise<readonly WorkerBranch[]> {
  const format = '--format=%(refname)%00%(objectname)%00%(contents:subject)';
  const text = await gitText(context, ['for-each-ref', format, PREFIX], reading(repo, 'list the branches of workers'));
  const upstream = baseRef(defaultBranch);
  const found: WorkerBranch[] = [];
  for (const line of text.split('\n').filter((one) => one !== '')) {
    const [ref = '', head = '', subject = ''] = line.split('\0');
    const { ahead } = await aheadBehind(context, repo, { base: upstream, tip: head });
    found.push({
      name: ref.slice(PREFIX.length),
      head,
      ahead,
      base: await mergeBase(context, repo, [head, upstream]),
      subject,
    });
  }
  return found;
}

async function mergeBase(context: Git, repo: string, commits: readonly [string, string]): Promise<string | undefined> {
  const call = { ...reading(repo, 'find where a branch began'), allow: [1] };
  const { stdout } = await git(context, ['merge-base', ...commits], call);
  return stdout.trim() === '' ? undefined : stdout.trim();
}
