/**
 * The landing worktree: a worktree of the depot in which candidates are checked that no worker's worktree has. Ignored files stay,
 * such as installed packages: the project's set-up commands run when it is made.
 */
import { DEADLINES_MS, type Git, type GitCall, git, gitText } from '../git/git.ts';
import { type FileChange, statusBy } from '../git/status.ts';
import { alone } from './alone.ts';
import { convertersOf, copyKeys } from '../project/converters.ts';
import { fillLanding } from '../submodules/landing.ts';
import { withDepot } from './depot.ts';
import { LANDINGS, lendersIn, storeIn } from '../content/store.ts';
import { clearIn } from './locks.ts';
import { type Depot, type DepotPlace, depotOf } from './place.ts';

/** Work to check, and the place for it. */
interface LandingRequest {
  /**
   * Directory's name in the depot's. Checks can leave ignored files in a landing worktree, so groups that the
   * machine's owner trusts differently each have their own.
   */
  readonly name: string;
  /** A commit of the depot. */
  readonly commit: string;
  /** The project's archive: workers keep there what Git LFS points to. */
  readonly archive: string;
  /** A person waits for it: it comes before the checks that Drover runs by itself. */
  readonly isFirst?: boolean | undefined;
  /** Prepares a fresh landing worktree. The preparation runs again when `key` has changed, and after it failed. */
  readonly setUp: { readonly key: string; readonly run: (at: string) => Promise<void> };
}

/** Outcome of {@link withLanding} when `act` was over. */
type LandingOutcome<T> =
  | { readonly kind: 'done'; readonly value: T }
  /** Changed: the tracked files differ from those to check, or there are new ones. */
  | { readonly kind: 'changed'; readonly value: T; readonly files: readonly FileChange[] };

/**
 * Brings the landing worktree to a commit and runs `act` alone there. `wanted` tells what runs there that one for which a person waits is next.
 *
 * @throws {GitError}, and what `setUp` and `act` throw.
 */
export async function withLanding<T>(
  context: Git,
  place: DepotPlace,
  { act, ...request }: LandingRequest & { readonly act: (at: string, wanted: AbortSignal) => Promise<T> },
): Promise<LandingOutcome<T>> {
  const at = landingOf(place, request.name);
  return alone(at, { signal: context.signal, isFirst: request.isFirst }, async (wanted) => {
    const landing = { ...request, at, lenders: await lendersIn(context, request.archive) };
    await withDepot(context, place, (depot) => bringTo(depot, landing));
    const marker = `${at}.ready`;
    const { files } = context;
    if ((await files.readFile(marker, { maxBytes: MARKER_BYTES_MAX })) !== request.setUp.key) {
      await files.rm(marker);
      await request.setUp.run(at);
      await files.writeFile(marker, request.setUp.key);
    }
    const value = await act(at, wanted);
    const changes = await differences({ ...context, hooks: false }, { ...landing, place });
    return changes.length === 0 ? { kind: 'done', value } : { kind: 'changed', value, files: changes };
  });
}

/** Bytes of a key: a list of commands. */
const MARKER_BYTES_MAX = 64 * 1024;

/** Path of the landing worktree of this name. */
export function landingOf({ directory }: DepotPlace, name: string): string {
  return `${directory}/${name}`;
}

/** The name of the landing worktree for workers that run free, which no worker can have. */
export const LANDING = '+landing';

/** Removes a landing worktree with all in it. @throws {GitError} */
export async function removeLanding(context: Git, place: DepotPlace, name: string): Promise<void> {
  const at = landingOf(place, name);
  await alone(at, { signal: context.signal }, async () => {
    for (const path of [at, `${at}.ready`, gitDirOf(place, name)]) await context.files.rm(path);
  });
}

/** Landing with the directories beside which git-lfs finds content. */
type Landing = LandingRequest & { readonly at: string; readonly lenders: readonly string[] };

/**
 * Brings the landing worktree to its commit. The directory's content counts only where git's own record of it is
 * whole: a project's checks may have left anything there.
 */
async function bringTo(depot: Depot, landing: Landing): Promise<void> {
  const { git: context, place } = depot;
  const { at, commit, name } = landing;
  await clearIn(context.files, gitDirOf(place, name));
  if (!(await isWhole(context, place, landing))) await make(depot, landing);
  await context.files.writeFile(`${at}/.git`, `gitdir: ${gitDirOf(place, name)}\n`);
  await bringConverters(depot, name);
  const call = inLanding(place, landing, 'bring the landing worktree to what is to be checked');
  await git(context, ['checkout', '--quiet', '--force', '--detach', commit], call);
  await git(context, ['clean', '--quiet', '-ffd'], call);
  await fillLanding(depot, { at, commit, memory: `${gitDirOf(place, name)}/submodules`, call });
}

/** Converts files as in the source. Its settings are in a file: they may be secret, and arguments are not. */
async function bringConverters({ git: context, at, place }: Depot, name: string): Promise<void> {
  const { target } = place;
  if (target.kind !== 'source') return;
  const converters = await convertersOf(context, target.source);
  await context.files.writeFile(convertersIn(place, name), converters.settings);
  // A program asks for the directory of the worktree, or for the one that all share.
  for (const directory of [gitDirOf(place, name), at]) await copyKeys(context, converters, directory);
}

function convertersIn(place: DepotPlace, name: string): string {
  return `${gitDirOf(place, name)}/converters`;
}

async function isWhole(context: Git, place: DepotPlace, { at, name }: Landing): Promise<boolean> {
  const { files } = context;
  const marker = await files.stat(`${at}/.git`);
  if (marker !== undefined && marker.kind !== 'file') await files.rm(`${at}/.git`);
  if ((await files.stat(at))?.kind !== 'directory') return false;
  return (await files.stat(`${gitDirOf(place, name)}/index`)) !== undefined;
}

async function make(depot: Depot, { at, name, commit }: Landing): Promise<void> {
  const { git: context, place } = depot;
  for (const path of [at, `${at}.ready`, gitDirOf(place, name)]) await context.files.rm(path);
  const call = { at: depot.at, action: 'make the landing worktree', timeoutMs: DEADLINES_MS.checkout };
  await git(context, ['worktree', 'add', '--quiet', '--force', '--detach', '--no-checkout', '--', at, commit], call);
  await git(context, ['read-tree', commit], { ...call, ...surroundings(place, name, at) });
}

/** Git's own record of a landing worktree. */
export function gitDirOf(place: DepotPlace, name: string): string {
  return `${depotOf(place)}/worktrees/${name}`;
}

function surroundings(place: DepotPlace, name: string, at: string): Pick<GitCall, 'at' | 'env'> {
  // Names the repository in the environment, so that no file in the worktree says which repository it belongs to.
  return { at, env: { GIT_DIR: gitDirOf(place, name), GIT_WORK_TREE: at } };
}

/** Keeps the user's own settings: programs that a checkout runs, such as Git LFS, are what the machine's owner has set up. */
function inLanding(place: DepotPlace, { at, name, archive, lenders }: Landing, action: string): GitCall {
  const config = [
    'submodule.recurse=false',
    'core.hooksPath=/dev/null',
    `lfs.storage=${storeIn(archive, LANDINGS)}`,
    ...(place.target.kind === 'source'
      ? [`remote.origin.url=${place.target.source}`, `include.path=${convertersIn(place, name)}`]
      : []),
  ];
  const { env } = surroundings(place, name, at);
  const borrowed = lenders.length === 0 ? {} : { GIT_ALTERNATE_OBJECT_DIRECTORIES: lenders.join(':') };
  return { at, env: { ...env, ...borrowed }, action, timeoutMs: DEADLINES_MS.checkout, config };
}

/** Tracked files that are not as in the commit, and new ones that are not ignored. Git runs nothing within submodules. */
async function differences(
  context: Git,
  { place, ...landing }: Landing & { readonly place: DepotPlace },
): Promise<readonly FileChange[]> {
  const call = inLanding(place, landing, 'compare what was checked');
  const head = await gitText(context, ['rev-parse', '--verify', 'HEAD'], { ...call, reads: true });
  if (head !== landing.commit) return [{ path: 'HEAD', kind: 'tracked', letters: 'M.' }];
  const args = ['status', '--porcelain=v2', '-z', '--no-renames', '--untracked-files=all', '--ignore-submodules=all'];
  return (await statusBy(context, args, { ...call, reads: true })).changes;
}
