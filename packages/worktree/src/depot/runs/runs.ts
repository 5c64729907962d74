/**
 * Keeps the commits of runs in the depot, joins them, and makes of one what would be merged. Each step can be repeated: the same commits give
 * the same commits, and a pin is named by its commit.
 */
import { type Git, git, gitText } from '../../git/git.ts';
import { GitError } from '../../git/git-error.ts';
import { KEEPER, refComponent } from '../../names.ts';
import { mergeWork, writeCandidate } from '../candidate.ts';
import { syncMain, withDepot } from '../depot.ts';
import { droppedFrom } from '../former-mains.ts';
import { bringHead, checkId, type WorkOfWorker } from '../head.ts';
import { type Depot, type DepotPlace, depotOf, FETCH, idsOf, inDepot } from '../place.ts';

export const RUNS = 'refs/drover/runs';

/** A commit of the depot with its tree. Ids are full. */
export interface RunCommit {
  readonly commit: string;
  readonly tree: string;
}

/** Commit of an item of a run. */
export interface RunPart {
  readonly item: string;
  readonly commit: string;
}

/** Outcome of {@link joinRun}. `items` conflict with the others; the commit is the candidate without them. */
export type RunJoined =
  | ({ readonly kind: 'joined' } & RunCommit)
  | ({ readonly kind: 'conflict'; readonly items: readonly string[]; readonly files: readonly string[] } & RunCommit);

/** Outcome of {@link candidateOfRun}. */
export type RunCandidate =
  | ({ readonly kind: 'candidate'; readonly base: string } & RunCommit)
  | { readonly kind: 'contained'; readonly base: string }
  | { readonly kind: 'clash'; readonly base: string; readonly files: readonly string[] }
  | { readonly kind: 'rewritten'; readonly dropped: string };

/** Brings a worker's commit into the depot and keeps it there for the run. @throws {GitError} */
export async function pinForRun(
  context: Git,
  place: DepotPlace,
  { run, ...work }: WorkOfWorker & { readonly run: string },
): Promise<RunCommit> {
  return withDepot(context, place, async (depot) => {
    await bringHead(depot, work);
    return pin(depot, run, work.head);
  });
}

/** Keeps files that were saved in the archive as one commit on the worker's own HEAD. @throws {GitError} */
export async function pinSavedForRun(
  context: Git,
  place: DepotPlace,
  {
    run,
    archive,
    saved,
    message,
    ...work
  }: WorkOfWorker & {
    readonly run: string;
    readonly archive: string;
    /** Checkpoint commit of the archive. */
    readonly saved: string;
    readonly message: string;
  },
): Promise<RunCommit> {
  checkId(saved);
  return withDepot(context, place, async (depot) => {
    await bringHead(depot, work);
    const call = inDepot(depot, 'keep the files of a run');
    const ref = refOf(run, saved);
    await git(depot.git, [...FETCH, archive, `+${saved}:${ref}`], call);
    const who = { NAME: KEEPER.name, EMAIL: KEEPER.email };
    const date = await gitText(depot.git, ['log', '-1', '--format=%cI', saved], { ...call, reads: true });
    const env = {
      ...call.env,
      GIT_AUTHOR_NAME: who.NAME,
      GIT_AUTHOR_EMAIL: who.EMAIL,
      GIT_AUTHOR_DATE: date,
      GIT_COMMITTER_NAME: who.NAME,
      GIT_COMMITTER_EMAIL: who.EMAIL,
      GIT_COMMITTER_DATE: date,
    };
    const args = ['commit-tree', `${saved}^{tree}`, '-p', work.head, '-m', message];
    const commit = await gitText(depot.git, args, { ...call, env });
    const pinned = await pin(depot, run, commit);
    await git(depot.git, ['update-ref', '-d', ref], call);
    return pinned;
  });
}

/** Brings main into the depot, and keeps its newest commit for the run. @throws {GitError} */
export async function pinMainForRun(context: Git, place: DepotPlace, run: string): Promise<RunCommit> {
  return withDepot(context, place, async (depot) => pin(depot, run, await syncMain(depot)));
}

/** Keeps commits that the depot has for a run. @throws {GitError} `unknown-revision`: one of them is not there any more. */
export async function pinAlsoForRun(
  context: Git,
  place: DepotPlace,
  { run, commits }: { readonly run: string; readonly commits: readonly string[] },
): Promise<readonly RunCommit[]> {
  return withDepot(context, place, async (depot) => {
    const pinned: RunCommit[] = [];
    for (const commit of commits) pinned.push(await pin(depot, run, commit));
    return pinned;
  });
}

/** Puts the commits on the base, each on the one before, as one commit each, and keeps the last. @throws {GitError} */
export async function joinRun(
  context: Git,
  place: DepotPlace,
  { run, base, parts }: { readonly run: string; readonly base: string; readonly parts: readonly RunPart[] },
): Promise<RunJoined> {
  return withDepot(context, place, async (depot) => {
    let onto = base;
    const items: string[] = [];
    const files = new Set<string>();
    for (const { item, commit: head } of parts) {
      const { merged, commits } = await mergeWork(depot, { base: onto, head });
      if (merged.kind === 'clash') {
        items.push(item);
        for (const file of merged.files) files.add(file);
        continue;
      }
      const [before] = await idsOf(depot, [`${onto}^{tree}`]);
      if (merged.tree !== before) onto = await writeCandidate(depot, { base: onto, tree: merged.tree, commits });
    }
    const pinned = await pin(depot, run, onto);
    return items.length === 0
      ? { kind: 'joined', ...pinned }
      : { kind: 'conflict', items, files: [...files], ...pinned };
  });
}

/** Makes of a pinned commit one commit on the newest main. @throws {GitError} */
export async function candidateOfRun(
  context: Git,
  place: DepotPlace,
  { run, began, commit: head }: { readonly run: string; readonly began: string; readonly commit: string },
): Promise<RunCandidate> {
  return withDepot(context, place, async (depot) => {
    const base = await syncMain(depot);
    const dropped = await droppedFrom(depot, { base, head, known: [began] });
    if (dropped !== undefined) return { kind: 'rewritten', dropped };
    const { merged, commits } = await mergeWork(depot, { base, head });
    if (merged.kind === 'clash') return { kind: 'clash', base, files: merged.files };
    const [before] = await idsOf(depot, [`${base}^{tree}`]);
    if (merged.tree === before) return { kind: 'contained', base };
    const commit = await writeCandidate(depot, { base, tree: merged.tree, commits });
    return { kind: 'candidate', base, ...(await pin(depot, run, commit)) };
  });
}

/** Lets go of all commits of a run that is over. A machine without a depot has none. @throws {GitError} */
export async function forgetRun(context: Git, place: DepotPlace, run: string): Promise<void> {
  if ((await context.files.stat(depotOf(place))) === undefined) return;
  await withDepot(context, place, async (depot) => {
    const call = inDepot(depot, 'forget a run');
    const text = await gitText(
      depot.git,
      ['for-each-ref', '--format=%(refname)', `${RUNS}/${refComponent(run)}`],
      call,
    );
    const input = text
      .split('\n')
      .filter((ref) => ref !== '')
      .map((ref) => `delete ${ref}\0\0`)
      .join('');
    if (input !== '') await git(depot.git, ['update-ref', '--stdin', '-z'], { ...call, input });
  });
}

function refOf(run: string, commit: string): string {
  checkId(commit);
  return `${RUNS}/${refComponent(run)}/${commit}`;
}

export async function pin(depot: Depot, run: string, commit: string): Promise<RunCommit> {
  const ref = refOf(run, commit);
  const [known, tree] = await idsOf(depot, [`${commit}^{commit}`, `${commit}^{tree}`]);
  if (known === undefined || tree === undefined)
    throw new GitError('unknown-revision', `The depot has no commit ${commit}`);
  await git(depot.git, ['update-ref', ref, commit], inDepot(depot, 'keep a commit of a run'));
  return { commit, tree };
}
