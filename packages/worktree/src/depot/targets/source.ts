/** Main is a branch of a repository on this machine, in which people work: it moves in one step, and their changed files stay. */
import { DEADLINES_MS, type Git, git, gitText } from '../../git/git.ts';
import { GitError, errorFromGit } from '../../git/git-error.ts';
import { commitOf, refAt, isAncestor, reading, writing } from '../../git/revisions.ts';
import { INCOMING, safeDirectory, safeRevision, workerName } from '../../names.ts';
import { bringContent } from '../../content/bring.ts';
import { type Depot, FETCH, type Target, inDepot, mainRef } from '../place.ts';
import { keepFormerMain } from '../former-mains.ts';
import type { Carrier } from './carrier.ts';
import type { PublishOutcome, PublishRequest } from './outcome.ts';
import { type Checkout, bringFiles, changedByPeople, checkoutsOf } from './source-files.ts';

type Source = Extract<Target, { kind: 'source' }>;

/** Inputs of a publication. */
interface Publication extends PublishRequest {
  readonly source: string;
  readonly defaultBranch: string;
}

/** `context` may run the hooks of the source where the project says so. */
export function sourceCarrier(context: Git, { source, defaultBranch }: Source): Carrier {
  const at = safeDirectory(source);
  const ref = `refs/heads/${safeRevision(defaultBranch)}`;
  return {
    objectFormat: () => gitText(context, ['rev-parse', '--show-object-format'], reading(at, 'read its format')),
    async readMain() {
      const commit = await refAt(context, at, { gitDir: `${at}/.git`, ref });
      if (commit !== undefined) return commit;
      throw new GitError('unknown-revision', `"${source}" has no branch "${defaultBranch}": make it, or name another`);
    },
    async fetchMain(depot, { isFirst }) {
      if (isFirst) await refuseIncomplete(context, at);
      await keepFormerMain(depot);
      // Turns fsck off for the project's own history, where it would refuse old mistakes that cannot be undone.
      const { config = [] } = inDepot(depot, 'fetch');
      const call = { at: depot.at, action: `fetch "${defaultBranch}" of the source`, timeoutMs: DEADLINES_MS.clone };
      await git(depot.git, [...FETCH, at, `+${ref}:${mainRef(depot.place)}`], { ...call, config });
    },
    publish: (depot, request) => publishToSource(context, depot, { ...request, source: at, defaultBranch }),
    async settle() {
      const { now: tip, left } = await readTarget(context, at, ref);
      if (tip !== undefined) await finishEarlier(context, { source: at, defaultBranch, tip, left });
    },
  };
}

/** A repository without all of its history, or of its objects, would give the depot holes. @throws {GitError} `incomplete`. */
async function refuseIncomplete(context: Git, at: string): Promise<void> {
  const isShallow = await gitText(context, ['rev-parse', '--is-shallow-repository'], reading(at, 'look for history'));
  if (isShallow === 'true')
    throw new GitError('incomplete', `"${at}" has only a part of its history: run "git fetch --unshallow" there`);
  const args = ['config', '--local', '--get-regexp', String.raw`^(remote\..*\.promisor|extensions\.partialclone)$`];
  const { status } = await git(context, args, { ...reading(at, 'look for missing objects'), allow: [1] });
  if (status !== 0) return;
  const how = 'clone it again without "--filter", and name the new clone as the source';
  throw new GitError('incomplete', `"${at}" is a partial clone, which has only some of its objects: ${how}`);
}

async function publishToSource(context: Git, depot: Depot, request: Publication): Promise<PublishOutcome> {
  const { source, base, commit } = request;
  const ref = `refs/heads/${safeRevision(request.defaultBranch)}`;
  const { now, left } = await readTarget(context, source, ref);
  if (now === commit) return { kind: 'published', checkout: await finish(context, request, left) };
  if (now !== base) {
    const isIn = now !== undefined && (await isAncestor(context, source, { ancestor: commit, descendant: now }));
    return isIn ? { kind: 'published', checkout: { kind: 'none' } } : { kind: 'moved', now };
  }
  await finishEarlier(context, { ...request, tip: base, left });
  const lacking = await bringContent(context, depot, request);
  if (lacking !== undefined) return lacking;
  await bringObjects(context, depot, request);
  return advance(context, request, { left, why: `accept ${request.worker}` });
}

/** The commit is there, held by the helping ref of this publication. `why` is for the reflog. */
async function advance(
  context: Git,
  request: Publication,
  { left, why }: { readonly left: readonly Left[]; readonly why: string },
): Promise<Extract<PublishOutcome, { kind: 'published' | 'moved' | 'blocked' }>> {
  const { source, base } = request;
  const ref = `refs/heads/${safeRevision(request.defaultBranch)}`;
  for (const path of await checkoutsOf(context, request)) {
    const files = await changedByPeople(context, path, { ...request, id: saveId(request) });
    if (files.length === 0) continue;
    // A person who commits at this moment has changed files, and moves the branch with them.
    const then = await commitOf(context, source, ref);
    return then === base ? { kind: 'blocked', path, files } : { kind: 'moved', now: then };
  }
  const moved = await swap(context, { request, ref, why });
  return moved ?? { kind: 'published', checkout: await finish(context, request, left) };
}

/** The name of its helping ref, where no worker publishes. */
const FOLLOWING = 'upstream';

/**
 * Moves main forward to a commit that the source has, as a merge does: in one compare-and-swap, with its files, and not over those of a
 * person. Finishes what an earlier call left. @throws {GitError}
 */
export async function fastForward(
  context: Git,
  { source, defaultBranch }: Source,
  { base, commit, why }: { readonly base: string; readonly commit: string; readonly why: string },
): Promise<Extract<PublishOutcome, { kind: 'published' | 'moved' | 'blocked' }>> {
  const at = safeDirectory(source);
  const request = { source: at, defaultBranch, worker: FOLLOWING, base, commit };
  const { now, left } = await readTarget(context, at, `refs/heads/${safeRevision(defaultBranch)}`);
  if (now !== base) return { kind: 'moved', now };
  await finishEarlier(context, { source: at, defaultBranch, tip: base, left });
  await git(context, ['update-ref', incoming(request), commit], writing(at, 'hold the newest commit'));
  return advance(context, request, { left, why });
}

/** A helping ref that a publication has left: whose it was, and between which commits it was to move main. */
interface Left {
  readonly ref: string;
  readonly worker: string;
  readonly commit: string;
  /** Undefined: its name does not say. */
  readonly base: string | undefined;
}

/** Reads main, and the helping refs that publications have left, with one process. */
async function readTarget(
  context: Git,
  at: string,
  ref: string,
): Promise<{ readonly now: string | undefined; readonly left: readonly Left[] }> {
  const args = ['for-each-ref', '--format=%(objectname) %(refname)', '--', ref, INCOMING];
  const lines = (await gitText(context, args, reading(at, 'read its default branch'))).split('\n');
  const refs = lines.map((line) => line.split(' ')).map(([commit = '', name = '']) => ({ commit, name }));
  const now = refs.find(({ name }) => name === ref)?.commit;
  const left = refs.flatMap(({ commit, name }): Left[] => {
    if (!name.startsWith(`${INCOMING}/`)) return [];
    const [worker = '', base] = name.slice(INCOMING.length + 1).split('.', 2);
    return [{ ref: name, worker, commit, base }];
  });
  return { now, left };
}

/**
 * A publication that moved main and was given up before the files of the source followed, such as on a full disk, has left its
 * helping ref. Its files follow now: else they stand there as if a person had undone that work.
 */
async function finishEarlier(
  context: Git,
  {
    source,
    defaultBranch,
    tip,
    left,
  }: Pick<Publication, 'source' | 'defaultBranch'> & { readonly tip: string; readonly left: readonly Left[] },
): Promise<void> {
  for (const one of left) {
    if (one.commit !== tip) continue;
    const parent = ['rev-parse', '--verify', `${tip}^`];
    const base = one.base ?? (await gitText(context, parent, reading(source, 'read its parent')));
    await finish(context, { worker: one.worker, source, defaultBranch, base, commit: tip }, left);
  }
}

/** Copies the commit's objects into the source, held there by a ref of Drover's own. */
async function bringObjects(context: Git, depot: Depot, publication: Publication): Promise<void> {
  const { source, worker, commit } = publication;
  const args = ['fetch', '--quiet', '--no-tags', '--no-recurse-submodules', '--no-write-fetch-head', '--', depot.at];
  await git(context, [...args, `+${commit}:${incoming(publication)}`], {
    at: source,
    action: `bring in the work of "${worker}"`,
    timeoutMs: DEADLINES_MS.checkout,
  });
}

/** Ref whose name tells from where main is to move, since a train moves it by several commits at once. */
function incoming({ worker, base }: Pick<Publication, 'worker' | 'base'>): string {
  return `${INCOMING}/${workerName(worker)}.${base}`;
}

function saveId({ worker }: Publication): string {
  return `accept-${workerName(worker)}`;
}

async function swap(
  context: Git,
  { request, ref, why }: { readonly request: Publication; readonly ref: string; readonly why: string },
): Promise<Extract<PublishOutcome, { kind: 'moved' }> | undefined> {
  const { source, commit, base } = request;
  const call = { ...writing(source, `advance "${request.defaultBranch}"`), allow: [1, 128] };
  const { status, stderr } = await git(context, ['update-ref', '-m', `drover: ${why}`, ref, commit, base], call);
  if (status === 0) return undefined;
  const now = await commitOf(context, source, ref);
  if (now !== base) return { kind: 'moved', now };
  throw errorFromGit(`${call.action} in "${source}"`, stderr);
}

/** Brings working trees to the commit where every file is as before or as after; then drops the worker's helping refs. */
async function finish(context: Git, request: Publication, left: readonly Left[]): Promise<Checkout> {
  const outcome = await bringFiles(context, { ...request, id: saveId(request) });
  const own = left.filter(({ worker }) => worker === request.worker).map(({ ref }) => ref);
  const input = [...new Set([...own, incoming(request)])].map((ref) => `delete ${ref}\n`).join('');
  const call = { ...writing(request.source, 'drop the helping ref'), input };
  await git(context, ['update-ref', '--stdin'], call);
  return outcome;
}
