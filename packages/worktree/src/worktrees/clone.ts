/**
 * Makes a worker's place: a clone of its own, in which stash, settings, hooks, refs, index and locks are its alone.
 * The clone borrows the objects of the depot, so that it costs a checkout and little more.
 * (docs/adr/0014-a-clone-for-each-worker.md)
 */
import { baseRef, borrowFrom, noteBase } from '../archive/archive.ts';
import { bringFromArchive, keepBranch } from '../archive/keep.ts';
import { alone } from '../depot/alone.ts';
import { lendersIn, storeIn } from '../content/store.ts';
import { DEADLINES_MS, type Git, git, gitText, unconfined } from '../git/git.ts';
import { commitOf, reading, writing } from '../git/revisions.ts';
import { quote, safeDirectory, workerBranch } from '../names.ts';
import { convertersOf, copyKeys } from '../project/converters.ts';
import { isRemoteUrl } from '../project/remote.ts';
import { unfinishedOf } from './beside.ts';
import { addressSettings, settingsText } from './settings.ts';
import { resolved } from './worktrees.ts';

/** Place of a worker, and what it is made from. */
export interface WorkerPlace {
  /** The directory of its clone. */
  readonly path: string;
  readonly worker: string;
  /** The bare repository whose objects it borrows. */
  readonly depot: string;
  readonly archive: string;
  readonly defaultBranch: string;
  /** The newest commit of the default branch, which the depot has. */
  readonly base: string;
  /** Source of the project's Git LFS content: a directory, or an address. */
  readonly source: string;
  /** Address of `origin` for people and programs in the place; Drover fetches nothing from there. */
  readonly origin: string;
}

/** Outcome of {@link ensureWorktree}. Nothing is changed in the last case. */
export type EnsureOutcome =
  /** Path and head. `repaired`: the files were there without their `.git`. The files are as they were, on the branch as Drover last saw it. */
  | { readonly kind: 'created' | 'exists' | 'repaired'; readonly path: string; readonly head: string }
  | { readonly kind: 'occupied'; readonly path: string; readonly message: string };

/** The setting of a clone that says whose it is. */
const WORKER_SETTING = 'drover.worker';

/**
 * Makes a worker's clone on its branch, or finds it made. A branch that the archive knows keeps its commits; a new one
 * starts at `base`. Clears first what a crash left of an unfinished clone.
 *
 * @throws {GitError} `bad-name`, …
 */
export async function ensureWorktree(context: Git, request: WorkerPlace): Promise<EnsureOutcome> {
  workerBranch(context, request.worker);
  const path = await resolved(context, safeDirectory(request.path));
  return alone(path, { signal: context.signal }, () => ensure(context, { ...request, path }));
}

async function ensure(context: Git, place: WorkerPlace): Promise<EnsureOutcome> {
  const { files } = context;
  const { path } = place;
  const marker = await files.stat(`${path}/.git`);
  if (marker?.kind === 'directory') return found(context, place);
  const occupied = (message: string): EnsureOutcome => ({ kind: 'occupied', path, message });
  if (marker !== undefined)
    return occupied(
      `"${path}" was made by another build of Drover or by hand, so Drover leaves it unchanged: move it away`,
    );
  const facts = await files.stat(path);
  if (facts !== undefined && facts.kind !== 'directory') return occupied(`"${path}" is not a directory: move it away`);
  const kept = await commitOf(unconfined(context), place.archive, `refs/heads/${workerBranch(context, place.worker)}`);
  if (facts === undefined || (await files.list(path)).length === 0)
    return create(context, { place, start: kept ?? place.base });
  if (kept === undefined) return occupied(`"${path}" exists and is not a worktree of "${place.worker}": move it away`);
  return repair(context, { place, start: kept });
}

async function found(context: Git, place: WorkerPlace): Promise<EnsureOutcome> {
  const { path, worker, depot } = place;
  if (!(await isPlaceOf(context, path, worker))) {
    const message = `Drover did not make "${path}/.git": move that directory away, and Drover makes a new one around the files`;
    return { kind: 'occupied', path, message };
  }
  await borrowFrom(context, `${path}/.git`, [`${depot}/objects`, ...(await lendersIn(context, place.archive))]);
  await noteBase(context, path, place);
  const call = { ...reading(path, 'read its branch'), allow: [1] };
  const branch = await gitText(context, ['symbolic-ref', '--quiet', '--short', 'HEAD'], call);
  if (branch !== '' && branch !== workerBranch(context, worker)) {
    const message = `"${path}" has branch ${quote(branch)} checked out, not ${quote(workerBranch(context, worker))}`;
    return { kind: 'occupied', path, message };
  }
  return { kind: 'exists', path, head: (await commitOf(context, path, 'HEAD')) ?? '' };
}

/** Tells whether a directory holds the clone that Drover made for a worker. */
export async function isPlaceOf(context: Git, at: string, worker: string): Promise<boolean> {
  if ((await context.files.stat(`${at}/.git`))?.kind !== 'directory') return false;
  const call = { ...reading(at, 'see whose it is'), allow: [1, 128] };
  return (await gitText(context, ['config', '--local', '--get', WORKER_SETTING], call)) === worker;
}

/** Place to make, and the commit on which its branch begins. */
interface Making {
  readonly place: WorkerPlace;
  readonly start: string;
}

/** Makes the clone under a second name and renames it when complete. */
async function create(context: Git, { place, start }: Making): Promise<EnsureOutcome> {
  const { path } = place;
  const partial = await makeGit(context, { place, start });
  const call = { at: partial, action: `make the worktree "${path}"`, timeoutMs: DEADLINES_MS.checkout };
  await git(context, ['reset', '--quiet', '--hard', start], call);
  // Saves the branch before the place is there, so that the place can be repaired whatever becomes of its git.
  const { archive, worker, base } = place;
  if (start === base) await keepBranch(context, archive, { from: null, worker, tip: base });
  await context.files.rm(path);
  await context.files.rename(partial, path);
  return { kind: 'created', path, head: start };
}

/** Gives files that lost their `.git` one again. No file is touched; the index is as in the commit. */
async function repair(context: Git, { place, start }: Making): Promise<EnsureOutcome> {
  const { path } = place;
  const partial = await makeGit(context, { place, start });
  await git(context, ['read-tree', start], writing(partial, `repair "${path}"`));
  await context.files.rename(`${partial}/.git`, `${path}/.git`);
  await context.files.rm(partial);
  await git(context, ['update-index', '-q', '--refresh'], { ...writing(path, 'look at its files'), allow: [1] });
  return { kind: 'repaired', path, head: start };
}

/** Makes a repository without files beside the place. @returns where. */
async function makeGit(context: Git, { place, start }: Making): Promise<string> {
  const { path, depot, archive, base, defaultBranch } = place;
  const { files } = context;
  const parent = path.slice(0, path.lastIndexOf('/'));
  const partial = unfinishedOf(path);
  const own = unconfined(context);
  const call = writing(parent, `make the repository of "${path}"`);
  const branch = workerBranch(context, place.worker);
  await files.rm(partial);
  await files.mkdir(parent);
  const format = base.length === SHA256_CHARS ? 'sha256' : 'sha1';
  const args = [
    'init',
    '--quiet',
    '--template=',
    `--object-format=${format}`,
    `--initial-branch=${branch}`,
    '--',
    partial,
  ];
  await git(own, args, call);
  // Programs write into these, and take it that they are there.
  for (const name of ['hooks', 'info']) await files.mkdir(`${partial}/.git/${name}`);
  const config = `${partial}/.git/config`;
  const initial = (await files.readFile(config, { maxBytes: CONFIG_BYTES_MAX })) ?? '';
  const converters = await convertersOf(own, place.source);
  await files.writeFile(config, `${initial}${settingsOf(place)}${converters.settings}`);
  await copyKeys(own, converters, `${partial}/.git`);
  await borrowFrom(context, `${partial}/.git`, [`${depot}/objects`, ...(await lendersIn(context, archive))]);
  // Writes origin's HEAD, as in any clone, for programs that ask which branch is the default one.
  await files.mkdir(`${partial}/.git/refs/remotes/origin`);
  await files.writeFile(`${partial}/.git/refs/remotes/origin/HEAD`, `ref: ${baseRef(defaultBranch)}\n`);
  if (start !== base) await bringFromArchive(own, partial, { archive, commit: start });
  const refs = [
    { ref: baseRef(defaultBranch), commit: base },
    { ref: `refs/heads/${branch}`, commit: start },
  ];
  const input = refs.map(({ ref, commit }) => `create ${ref}\0${commit}\0`).join('');
  await git(own, ['update-ref', '--stdin', '-z'], { ...call, at: partial, input });
  return partial;
}

const SHA256_CHARS = 64;
/** Bytes of what git itself writes into the configuration of a new repository, with room to spare. */
const CONFIG_BYTES_MAX = 64 * 1024;

/**
 * Settings of a worker's clone. An agent that rebases by itself resolves the same conflict once; Drover's own rebases
 * take no recorded answer (docs/adr/0017-git-judges-a-conflict.md). Nothing is collected while a git of ours may still
 * write. Git LFS content outlives the clone.
 */
function settingsOf({ worker, archive, source, origin }: WorkerPlace): string {
  const store: readonly (readonly [string, string])[] = isRemoteUrl(source) ? [] : [['lfsurl', fileUrl(source)]];
  return `${addressSettings(origin, store)}${settingsText([
    [
      'rerere',
      [
        ['enabled', 'true'],
        ['autoUpdate', 'true'],
      ],
    ],
    ['gc', [['auto', '0']]],
    ['lfs', [['storage', storeIn(archive, worker)]]],
    ['drover', [['worker', worker]]],
  ])}`;
}

function fileUrl(path: string): string {
  return `file://${path.split('/').map(encodeURIComponent).join('/')}`;
}
