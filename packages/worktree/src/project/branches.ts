/** Branches of workers, and their commits that are not merged. */
import { branchOfWorker } from '@drover/core';
import { baseRef } from '../archive/archive.ts';
import { type Git, git, gitText, unconfined } from '../git/git.ts';
import { aheadBehind, reading } from '../git/revisions.ts';
import { workerBranch } from '../names.ts';

/** A branch of a worker. */
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

/** Lists the branches of workers that the archive knows, as Drover last saw them, by name. @throws {GitError} */
export async function listWorkerBranches(
  context: Git,
  { archive, defaultBranch }: { readonly archive: string; readonly defaultBranch: string },
): Promise<readonly WorkerBranch[]> {
  if ((await context.files.stat(archive)) === undefined) return [];
  const prefix = `refs/heads/${branchOfWorker('', context.branchPrefix)}`;
  return read(unconfined(context), { repo: archive, refs: prefix, prefix, defaultBranch });
}

/** A branch of the archive that no default branch holds. */
export interface UnmergedBranch {
  /** Branch with its prefix, such as `drover/alba`. */
  readonly branch: string;
  /** Commits of it that are not merged. */
  readonly commits: number;
}

/** Lists branches with work that the archive alone may hold; none where none is there. @throws {GitError} */
export async function listUnmergedBranches(context: Git, archive: string): Promise<readonly UnmergedBranch[]> {
  if ((await context.files.stat(archive)) === undefined) return [];
  const own = unconfined(context);
  const format = '--format=%(objectname) %(refname:lstrip=2)';
  const text = await gitText(own, ['for-each-ref', format, 'refs/heads'], reading(archive, 'list its branches'));
  const found: UnmergedBranch[] = [];
  for (const line of text.split('\n').filter((one) => one !== '')) {
    const tip = line.slice(0, line.indexOf(' '));
    const args = ['rev-list', '--count', tip, '--not', '--remotes'];
    const commits = Number(await gitText(own, args, reading(archive, 'count what is not merged')));
    if (commits > 0) found.push({ branch: line.slice(tip.length + 1), commits });
  }
  return found;
}

/** The branch of a worker as it is now in its place; undefined: it has none. @throws {GitError} */
export async function readWorkerBranch(
  context: Git,
  { path, worker, defaultBranch }: { readonly path: string; readonly worker: string; readonly defaultBranch: string },
): Promise<WorkerBranch | undefined> {
  const refs = `refs/heads/${workerBranch(context, worker)}`;
  const prefix = refs.slice(0, -worker.length);
  return (await read(context, { repo: path, refs, prefix, defaultBranch }))[0];
}

interface Reading {
  readonly repo: string;
  /** A ref, or the beginning of refs. */
  readonly refs: string;
  /** Prefix of the name of a worker. */
  readonly prefix: string;
  readonly defaultBranch: string;
}

async function read(context: Git, { repo, refs, prefix, defaultBranch }: Reading): Promise<readonly WorkerBranch[]> {
  const format = '--format=%(refname)%00%(objectname)%00%(contents:subject)';
  const text = await gitText(context, ['for-each-ref', format, refs], reading(repo, 'list the branches of workers'));
  const upstream = baseRef(defaultBranch);
  const found: WorkerBranch[] = [];
  for (const line of text.split('\n').filter((one) => one !== '')) {
    const [ref = '', head = '', subject = ''] = line.split('\0');
    const { ahead } = await aheadBehind(context, repo, { base: upstream, tip: head });
    found.push({
      name: ref.slice(prefix.length),
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
