/**
 * Finds the submodules of a commit, nested ones too, and brings their commits into the depot, from which places
 * borrow. Nothing in `.gitmodules` is ever run or followed out of the place: Drover reads names, paths and addresses,
 * and does the rest itself.
 */
import { type Git, type GitCall, git, gitText } from '../git/git.ts';
import { GitError } from '../git/git-error.ts';
import { type Depot, FETCH, idsOf, inDepot } from '../depot/place.ts';
import { type Naming, readAddress } from '../gitlinks/address.ts';
import { isWithin } from '../gitlinks/ask.ts';
import { type SubmoduleSettings, submodulesIn } from '../gitlinks/settings.ts';
import { outside } from '../project/remote.ts';
import { safeName, safePath } from './safe.ts';

/** Submodule whose commit the depot has. */
export interface Submodule {
  /** Path from the top of the place. */
  readonly path: string;
  /** The path of its git directory below that of the place, such as `modules/lib`. */
  readonly gitDir: string;
  /** The name that `.gitmodules` gives it. */
  readonly name: string;
  readonly commit: string;
  /** The address for people and programs in it; null: none that may be used. */
  readonly url: string | null;
  /** The git directory of the submodule that it lies in; empty: the place itself. */
  readonly parent: string;
}

/** Submodule that is not filled. `why` follows "its". */
export interface LackingSubmodule {
  readonly path: string;
  readonly why: string;
}

/** The submodules of a commit. */
export interface FoundSubmodules {
  readonly filled: readonly Submodule[];
  readonly lacking: readonly LackingSubmodule[];
}

/** Submodules of one commit that are filled; the others are named. */
const SUBMODULES_MAX = 200;
/** Nesting that is followed. */
const DEPTH_MAX = 8;
/** Time limit of one call to another machine, in milliseconds: a person waits for the task to begin. After one that is silent no more are made. */
const FETCH_MS = 30_000;

/** The repositories that may have the commits. */
export interface SubmoduleSources extends Naming {
  /** The directory of the source on this machine, which has its own submodules; null: it is elsewhere. */
  readonly source: string | null;
}

/** A search for all submodules of one commit. */
interface Search {
  readonly depot: Depot;
  readonly own: readonly string[];
  /** The first address that did not answer: no other is asked then. */
  silent: string | undefined;
  readonly filled: Submodule[];
  readonly lacking: LackingSubmodule[];
}

/** A repository whose submodules are looked for. */
interface Parent {
  readonly commit: string;
  /** Path with a slash at its end, or empty. */
  readonly path: string;
  readonly gitDir: string;
  readonly origin: string | undefined;
  /** The git directory, and the files, of the same repository in the source. */
  readonly there: { readonly gitDir: string; readonly files: string } | null;
}

/** Finds them, and brings what the depot lacks: from the source, else from their addresses. @throws {GitError} */
export async function bringSubmodules(
  depot: Depot,
  { commit, ...from }: SubmoduleSources & { readonly commit: string },
): Promise<FoundSubmodules> {
  const search: Search = {
    depot,
    own: from.own,
    silent: undefined,
    filled: [],
    lacking: [],
  };
  const there = from.source === null ? null : await thereOf(depot.git, from.source);
  await descend(search, { commit, path: '', gitDir: '', origin: from.origin, there }, 0);
  return { filled: search.filled, lacking: search.lacking };
}

async function thereOf(context: Git, source: string): Promise<Parent['there']> {
  const call = { ...inSource(source, 'find its submodules'), allow: [128] };
  const gitDir = await gitText(context, ['rev-parse', '--path-format=absolute', '--git-common-dir'], call);
  return gitDir === '' ? null : { gitDir, files: source };
}

function inSource(at: string, action: string): GitCall {
  return { at, action, timeoutMs: FETCH_MS, reads: true };
}

async function descend(search: Search, parent: Parent, depth: number): Promise<void> {
  const { depot, lacking, filled } = search;
  const settings = await settingsAt(depot, parent.commit);
  const wanted = settings.filter(({ update }) => update !== 'none');
  const named = wanted.filter(({ path }) => safePath(path));
  // Paths that git could not check out are named without asking git.
  for (const { path } of wanted)
    if (!safePath(path))
      lacking.push({ path: `${parent.path}${path}`.slice(0, SHOWN_CHARS_MAX), why: 'path leads elsewhere' });
  const links = await linksAt(
    depot,
    parent.commit,
    named.map(({ path }) => path),
  );
  for (const one of named) {
    const commit = links.get(one.path);
    if (commit === undefined) continue;
    if (filled.length >= SUBMODULES_MAX || depth >= DEPTH_MAX) {
      lacking.push({ path: parent.path + one.path, why: 'turn did not come: there are too many submodules' });
      continue;
    }
    const child = await bring(search, { parent, one, commit, among: settings });
    if (child !== undefined) await descend(search, child, depth + 1);
  }
}

/** Characters of a path in words. */
const SHOWN_CHARS_MAX = 300;

/** Git takes no symbolic link for the settings of submodules. */
async function settingsAt(depot: Depot, commit: string): Promise<readonly SubmoduleSettings[]> {
  const call = inDepot(depot, 'read .gitmodules');
  const entry = await gitText(depot.git, ['ls-tree', '-z', commit, '--', '.gitmodules'], call);
  const [, blob] = /^100(?:644|755) blob ([0-9a-f]+)\t/u.exec(entry) ?? [];
  return blob === undefined ? [] : submodulesIn(depot.git, call, blob);
}

/** The commits that a tree names at these paths. */
async function linksAt(depot: Depot, commit: string, paths: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const links = new Map<string, string>();
  // Asks for limited numbers of paths: each path is a word of a command line, whose length is limited.
  for (let at = 0; at < paths.length; at += SUBMODULES_MAX) {
    const args = ['ls-tree', '-z', commit, '--', ...paths.slice(at, at + SUBMODULES_MAX)];
    const { stdout } = await git(depot.git, args, {
      ...inDepot(depot, 'look for submodules'),
      env: { ...inDepot(depot, '').env, GIT_LITERAL_PATHSPECS: '1' },
    });
    for (const line of stdout.split('\0')) {
      const [, id, path] = /^160000 commit ([0-9a-f]+)\t([^]*)$/u.exec(line) ?? [];
      if (id !== undefined && path !== undefined) links.set(path, id);
    }
  }
  return links;
}

interface Wanted {
  readonly parent: Parent;
  readonly one: SubmoduleSettings;
  readonly commit: string;
  readonly among: readonly SubmoduleSettings[];
}

/** Brings a submodule into the depot. @returns it as the parent of others; undefined: it lacks. */
async function bring(search: Search, { parent, one, commit, among }: Wanted): Promise<Parent | undefined> {
  const { depot, filled } = search;
  const path = `${parent.path}${one.path}`;
  const lacks = (why: string): undefined => {
    search.lacking.push({ path, why });
    return undefined;
  };
  if (
    !safeName(
      one.name,
      among.map(({ name }) => name),
    )
  )
    return lacks('name in .gitmodules cannot be used: give it another one there');
  // Git itself reads no status where it is so.
  if (one.update?.startsWith('!') === true)
    return lacks('settings would run a program to update it, which git refuses: take "update" out of .gitmodules');
  if (among.some((other) => other !== one && other.path === one.path))
    return lacks('path stands twice in .gitmodules: leave one of them');
  const address = readAddress(one.url, { origin: parent.origin });
  const url = 'url' in address ? address.url : undefined;
  const gitDir = `${parent.gitDir === '' ? '' : `${parent.gitDir}/`}modules/${one.name}`;
  const there =
    parent.there === null
      ? null
      : { gitDir: `${parent.there.gitDir}/modules/${one.name}`, files: `${parent.there.files}/${one.path}` };
  const [has] = await idsOf(depot, [`${commit}^{commit}`]);
  if (has === undefined && !(await fetchFromSource(depot, there, commit))) {
    if (!('url' in address)) return lacks(`address ${address.why}`);
    if (address.kind === 'directory') {
      const real = await depot.git.files.realpath(address.path);
      if (real === undefined) return lacks('address is not there');
      if (search.own.some((directory) => isWithin(real, directory)))
        return lacks("address lies in Drover's own directories");
    }
    const failed = await fetchFromAddress(search, address.url, commit);
    if (failed !== undefined) return lacks(failed);
  }
  filled.push({ path, gitDir, name: one.name, commit, url: url ?? null, parent: parent.gitDir });
  return { commit, path: `${path}/`, gitDir, origin: url, there };
}

/** The ref of the depot that keeps a commit of a submodule. */
function keptAt(commit: string): string {
  return `refs/drover/submodules/${commit}`;
}

/** The person's own repository of the submodule, whether git put it below its `.git/modules`, or it was made at the path. */
async function fetchFromSource(
  { git: context, ...depot }: Depot,
  there: Parent['there'],
  commit: string,
): Promise<boolean> {
  if (there === null) return false;
  const call = { ...inDepot({ git: context, ...depot }, 'bring a submodule'), allow: [1, 128] };
  for (const at of [there.gitDir, `${there.files}/.git`]) {
    if ((await context.files.stat(at))?.kind !== 'directory') continue;
    const { status } = await git(context, [...FETCH, at, `${commit}:${keptAt(commit)}`], call);
    if (status === 0) return true;
  }
  return false;
}

/** @returns why it failed, after "its". */
async function fetchFromAddress(search: Search, url: string, commit: string): Promise<string | undefined> {
  const { depot, silent } = search;
  if (silent !== undefined) return `address "${url}" was not asked, because "${silent}" did not answer`;
  const call: GitCall = {
    ...outside(`fetch a submodule from "${url}"`),
    at: depot.at,
    timeoutMs: FETCH_MS,
    env: { GIT_NO_LAZY_FETCH: '1' },
    allow: [1, 128, 255],
  };
  const options = ['--quiet', '--no-tags', '--no-recurse-submodules', '--no-write-fetch-head', '--no-auto-maintenance'];
  try {
    const args = ['fetch', ...options, '--', url, `${commit}:${keptAt(commit)}`];
    const { status, stderr } = await git(depot.git, args, call);
    if (status === 0) return undefined;
    const words = /^(?:fatal|error|ssh): .*/mu.exec(stderr)?.[0] ?? stderr.trim();
    return `address "${url}" does not give ${commit.slice(0, 12)} (${words.slice(0, WORDS_CHARS_MAX)})`;
  } catch (error) {
    if (!(error instanceof GitError) || error.code === 'cancelled') throw error;
    search.silent = url;
    return `address "${url}" did not answer within ${FETCH_MS / 1000} s`;
  }
}

/** Characters of git's message that are shown. */
const WORDS_CHARS_MAX = 200;
