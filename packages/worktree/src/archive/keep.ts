/** Brings commits from a worker's clone into the archive, and from there back into a clone. */
import { FETCH, plain } from '../depot/place.ts';
import { DEADLINES_MS, type Git, git, unconfined } from '../git/git.ts';
import { GitError } from '../git/git-error.ts';
import { firstParent } from '../git/kept-refs.ts';
import { changedPaths, commitOf, refAt, writing } from '../git/revisions.ts';
import { quote, workerBranch } from '../names.ts';

/** A commit of a repository, and the ref of the archive that keeps it from now on. */
interface Keeping {
  /** The git directory of a worker's clone, or the archive itself. */
  readonly from: string;
  readonly ref: string;
  readonly commit: string;
}

/**
 * Keeps a commit on a ref of the archive that must not exist yet, or that keeps the same work already. Never overwrites, and is safe to
 * repeat.
 *
 * @throws {GitError} `id-taken` when the ref keeps other work.
 */
export async function keepIn(context: Git, archive: string, { from, ref, commit }: Keeping): Promise<void> {
  const own = unconfined(context);
  const existing = await commitOf(own, archive, ref);
  if (existing === commit) return;
  const isOwn = from === archive;
  if (existing === undefined) {
    const args = ['update-ref', ref, commit, '0'.repeat(commit.length)];
    await (isOwn
      ? git(own, args, writing(archive, `make ${ref}`))
      : fetchInto(own, archive, { from, refs: [{ ref, commit }] }));
    return;
  }
  if (!isOwn) await fetchInto(own, archive, { from, commits: [commit] });
  const sameParent = (await firstParent(own, archive, existing)) === (await firstParent(own, archive, commit));
  if (!sameParent || (await changedPaths(own, archive, [existing, commit])).length > 0)
    throw new GitError('id-taken', `${quote(ref)} in "${archive}" already keeps other work: use another id`);
}

/** A worker's branch as it is now. */
interface Branch {
  readonly worker: string;
  readonly tip: string;
  /** The worker's place, which has the commit; null: the depot has it. */
  readonly from: string | null;
}

/** Saves the worker's branch in the archive as it is now. @throws {GitError} */
export async function keepBranch(context: Git, archive: string, { from, worker, tip }: Branch): Promise<void> {
  const own = unconfined(context);
  const ref = `refs/heads/${workerBranch(context, worker)}`;
  if ((await refAt(own, archive, { gitDir: archive, ref })) === tip) return;
  if (from !== null)
    return fetchInto(own, archive, { from: `${from}/.git`, refs: [{ ref, commit: tip, isMoved: true }] });
  await git(own, ['update-ref', ref, tip], writing(archive, `note where "${worker}" is`));
}

/** Keeps a checkpoint, and moves the branch along with it in one step. The refs were looked up before. @throws {GitError} */
export async function keepCheckpoint(
  context: Git,
  archive: string,
  { from, ref, commit, branch }: Keeping & { readonly branch: Pick<Branch, 'worker' | 'tip'> | null },
): Promise<void> {
  const moved =
    branch === null
      ? []
      : [{ ref: `refs/heads/${workerBranch(context, branch.worker)}`, commit: branch.tip, isMoved: true }];
  await fetchInto(unconfined(context), archive, { from, refs: [{ ref, commit }, ...moved] });
}

/** Makes a clone have commits of the archive; no ref leads to them there. @throws {GitError} */
export async function bringFromArchive(
  context: Git,
  clone: string,
  { archive, commit }: { readonly archive: string; readonly commit: string },
): Promise<void> {
  const options = ['--quiet', '--no-tags', '--no-recurse-submodules', '--no-write-fetch-head'];
  const call = { at: clone, action: 'bring back what is kept', timeoutMs: DEADLINES_MS.checkout };
  await git(context, ['fetch', '--upload-pack=git-upload-pack', ...options, '--', archive, commit], call);
}

/** Ref of the archive, and the commit that it names from now on. */
interface Fetched {
  readonly ref: string;
  readonly commit: string;
  /** Lets the ref leave another commit. */
  readonly isMoved?: boolean;
}

/**
 * Fetches by git's own rules alone: an agent can write everything in the clone but the ids of its objects. Takes what stands on a history that
 * is cut off, too, and looks whether each ref is there: git leaves one out and reports no error.
 */
async function fetchInto(
  own: Git,
  archive: string,
  {
    from,
    refs = [],
    commits = [],
  }: { readonly from: string; readonly refs?: readonly Fetched[]; readonly commits?: readonly string[] },
): Promise<void> {
  const [fetch, ...options] = FETCH;
  const what = [
    ...refs.map(({ ref, commit, isMoved }) => `${isMoved === true ? '+' : ''}${commit}:${ref}`),
    ...commits,
  ];
  await git(own, [fetch, '--update-shallow', ...options, from, ...what], { ...plain('keep the work'), at: archive });
  for (const { ref, commit } of refs)
    if ((await refAt(own, archive, { gitDir: archive, ref })) !== commit)
      throw new GitError(
        'failed',
        `git fetched ${quote(ref)} from "${from}" without an error, and "${archive}" lacks it`,
      );
}
