/** Existing work on which a task may begin: a branch of the source or of its remote, or a pull request there (`drover start --from`). */
import { nearest } from '@drover/core';
import { type Git, type GitCall, git, gitText } from '../git/git.ts';
import { GitError } from '../git/git-error.ts';
import { aheadBehind, reading } from '../git/revisions.ts';
import { syncMain, withDepot } from '../depot/depot.ts';
import { type Depot, type DepotPlace, FETCH, type Target, idsOf, inDepot } from '../depot/place.ts';
import { quote, safeRevision } from '../names.ts';
import { isRemoteUrl, outside, safeRemoteUrl } from './remote.ts';

/** Outcome of a search. `not-found` and `unrelated` say in words what was looked for, where, and what to do. */
export type StartPoint =
  | {
      readonly kind: 'found';
      /** A commit that the depot has from now on. */
      readonly commit: string;
      /** Name in words, such as `branch "feat/x" of "/srv/app"`. */
      readonly name: string;
      /** Commits of it that the default branch lacks. */
      readonly ahead: number;
    }
  | { readonly kind: 'not-found' | 'unrelated'; readonly message: string };

/** Time limit of one call to another machine, in milliseconds: a person waits. */
const FETCH_MS = 10_000;

/** Finds it, and brings it to the depot. @throws {GitError} `bad-name` for what can name neither a branch nor a pull request. */
export async function findStart(context: Git, place: DepotPlace, from: string): Promise<StartPoint> {
  const { target } = place;
  if (target.kind === 'home')
    return notFound(
      'The repository of the project is a directory of another machine: a task that begins on existing work runs on a worker of that machine, which "--worker" names',
    );
  return withDepot(context, place, async (depot) => {
    const main = await syncMain(depot);
    const request = readRequest(from);
    const found =
      request === undefined
        ? await findBranch(depot, target, safeRevision(from))
        : await findRequest(depot, target, request);
    return typeof found === 'string' ? notFound(found) : related(depot, { main, found });
  });
}

/** Tells whether the depot has a commit. @throws {GitError} */
export async function hasStart(context: Git, place: DepotPlace, commit: string): Promise<boolean> {
  return withDepot(context, place, async (depot) => (await idsOf(depot, [`${commit}^{commit}`]))[0] !== undefined);
}

function notFound(message: string): StartPoint {
  return { kind: 'not-found', message };
}

/** A commit, by a ref of the depot, and its name in words. */
interface Found {
  readonly commit: string;
  readonly name: string;
}

async function related(
  { git: context, at, place }: Depot,
  { main, found: { commit, name } }: { readonly main: string; readonly found: Found },
): Promise<StartPoint> {
  const { defaultBranch } = place.target;
  const call = { ...reading(at, 'find where the branches parted'), allow: [1] };
  const { status } = await git(context, ['merge-base', main, commit], call);
  if (status !== 0) {
    const message = `${name} (${commit.slice(0, 12)}) has no commit in common with "${defaultBranch}", so it cannot be merged there: start without it`;
    return { kind: 'unrelated', message };
  }
  const { ahead } = await aheadBehind(context, at, { base: main, tip: commit });
  if (ahead > 0) return { kind: 'found', commit, name, ahead };
  const message = `${name} (${commit.slice(0, 12)}) has no commit that "${defaultBranch}" lacks: start without it`;
  return { kind: 'unrelated', message };
}

/** A pull request, or a merge request, by its number. */
interface Request {
  readonly number: string;
  /** The path of its repository, where an address names it. */
  readonly repository: string | undefined;
}

/** The parts of addresses before the number of a request. */
const REQUEST_PARTS: ReadonlySet<string> = new Set(['pull', 'pulls', 'pull-requests', 'merge_requests']);

/** Reads `12`, `#12`, `!12`, or an address. Pure. */
function readRequest(from: string): Request | undefined {
  const [, short] = /^[#!]?(\d{1,9})$/u.exec(from) ?? [];
  if (short !== undefined) return { number: short, repository: undefined };
  if (!/^https?:\/\//u.test(from)) return undefined;
  // Takes the part after the two slashes and the host.
  const parts = (from.split(/[?#]/u)[0] ?? '').split('/').slice(3);
  const at = parts.findIndex((part, index) => REQUEST_PARTS.has(part) && /^\d{1,9}$/u.test(parts[index + 1] ?? ''));
  const number = parts[at + 1];
  if (at < 1 || number === undefined) return undefined;
  const repository = parts.slice(0, parts[at - 1] === '-' ? at - 1 : at).join('/');
  return { number, repository };
}

/** Removes the endings that an address of a repository may have. */
function plainly(address: string): string {
  return address
    .split('/')
    .filter((part) => part !== '')
    .join('/')
    .replace(/\.git$/u, '');
}

async function findRequest(depot: Depot, target: Target, { number, repository }: Request): Promise<Found | string> {
  const remote = await remoteOf(depot.git, target, 'origin');
  if (remote === undefined)
    return `Cannot look for the request ${number}: the source has no remote "origin" with an address`;
  if (repository !== undefined && !plainly(remote).endsWith(repository))
    return `The request ${number} belongs to "${repository}", but the source comes from "${remote}": give a request of that repository`;
  const refs = [`refs/pull/${number}/head`, `refs/merge-requests/${number}/head`];
  for (const ref of refs) {
    const got = await fetchStart(depot, { from: remote, ref });
    if (got.kind === 'found') return { commit: got.commit, name: `request ${number} of "${remote}"` };
    if (got.kind === 'failed') return got.words;
  }
  return `"${remote}" has no request ${number}: looked for ${refs.join(' and ')} there`;
}

/** First of the source itself, then of its remotes, as they are now. */
async function findBranch(depot: Depot, target: Target, name: string): Promise<Found | string> {
  const own = target.kind === 'source' ? target.source : undefined;
  const looked: string[] = [];
  if (own !== undefined) {
    const got = await fetchStart(depot, { from: own, ref: `refs/heads/${name}` });
    if (got.kind === 'found') return { commit: got.commit, name: `branch ${quote(name)} of "${own}"` };
    looked.push(`"${own}"`);
  }
  const failures: string[] = [];
  for (const { remote, branch } of await remotesFor(depot.git, target, name)) {
    const address = await remoteOf(depot.git, target, remote);
    if (address === undefined) continue;
    const got = await fetchStart(depot, { from: address, ref: `refs/heads/${branch}` });
    if (got.kind === 'found') return { commit: got.commit, name: `branch ${quote(branch)} of "${address}"` };
    looked.push(`"${address}"`);
    if (got.kind === 'absent') continue;
    failures.push(got.words);
    // The last fetched one counts where the remote does not answer.
    if (own === undefined) continue;
    const known = await fetchStart(depot, { from: own, ref: `refs/remotes/${remote}/${branch}` });
    if (known.kind === 'found')
      return { commit: known.commit, name: `branch ${quote(branch)} of "${address}", as "${own}" fetched it last,` };
  }
  const near = await nearNames(depot.git, target, name);
  const hint = near === '' ? 'give the name of a branch, or the number of a pull request' : `did you mean ${near}?`;
  return [`There is no branch ${quote(name)} in ${looked.join(' or ')}: ${hint}`, ...failures].join('. ');
}

/** `origin/feat/x` is `feat/x` of the remote `origin`; another name is looked for in `origin`. */
async function remotesFor(
  context: Git,
  target: Target,
  name: string,
): Promise<readonly { readonly remote: string; readonly branch: string }[]> {
  const names =
    target.kind === 'source'
      ? (await gitText(context, ['remote'], reading(target.source, 'list its remotes'))).split('\n')
      : ['origin'];
  const called = names.filter((remote) => remote !== '' && name.startsWith(`${remote}/`));
  const plain = names.includes('origin') ? [{ remote: 'origin', branch: name }] : [];
  return [...called.map((remote) => ({ remote, branch: name.slice(remote.length + 1) })), ...plain];
}

/** Finds the address of a remote; undefined: there is none, or it cannot be asked. */
async function remoteOf(context: Git, target: Target, remote: string): Promise<string | undefined> {
  if (target.kind === 'remote') return target.url;
  if (target.kind !== 'source') return undefined;
  const call = { ...reading(target.source, 'read where it comes from'), allow: [1, 2, 128] };
  const { status, stdout } = await git(context, ['remote', 'get-url', remote], call);
  const address = stdout.trim();
  if (status !== 0 || !(address.startsWith('/') || isRemoteUrl(address))) return undefined;
  return safeRemoteUrl(address);
}

type Fetched =
  | { readonly kind: 'found'; readonly commit: string }
  | { readonly kind: 'absent' }
  | { readonly kind: 'failed'; readonly words: string };

/** Brings one ref to the depot. */
async function fetchStart(
  depot: Depot,
  { from, ref }: { readonly from: string; readonly ref: string },
): Promise<Fetched> {
  const isHere = from.startsWith('/');
  const action = `fetch ${ref} of "${from}"`;
  const call: GitCall = {
    ...(isHere ? inDepot(depot, action) : { ...outside(action), at: depot.at }),
    allow: [1, 128, 255],
  };
  const into = 'refs/drover/start';
  const args = [...(isHere ? FETCH : REMOTE_FETCH), from, `+${ref}:${into}`];
  try {
    const { status, stderr } = await git(depot.git, args, { ...call, timeoutMs: FETCH_MS });
    if (status !== 0)
      return /couldn't find remote ref/u.test(stderr)
        ? { kind: 'absent' }
        : { kind: 'failed', words: `"${from}" could not be asked: ${wordsOf(stderr)}` };
  } catch (error) {
    if (!(error instanceof GitError) || error.code !== 'timed-out') throw error;
    return { kind: 'failed', words: `"${from}" did not answer within ${FETCH_MS / 1000} s` };
  }
  const [commit] = await idsOf(depot, [`${into}^{commit}`]);
  return commit === undefined ? { kind: 'absent' } : { kind: 'found', commit };
}

const REMOTE_FETCH = [
  'fetch',
  '--quiet',
  '--no-tags',
  '--no-recurse-submodules',
  '--no-write-fetch-head',
  '--no-auto-maintenance',
  '--',
] as const;

/** Characters of git's message that are shown. */
const WORDS_CHARS_MAX = 200;

function wordsOf(stderr: string): string {
  return (/^(?:fatal|error|ssh): .*/mu.exec(stderr)?.[0] ?? stderr.trim()).slice(0, WORDS_CHARS_MAX);
}

/** Names that are offered. */
const NEAR_MAX = 3;

/** Names like it, of what the source knows or the address says; empty: none. */
async function nearNames(context: Git, target: Target, name: string): Promise<string> {
  const call = target.kind === 'source' ? reading(target.source, 'list its branches') : outside('list its branches');
  const args =
    target.kind === 'remote'
      ? ['ls-remote', '--heads', '--', target.url]
      : ['for-each-ref', '--format=%(refname)', 'refs/heads', 'refs/remotes'];
  const { stdout } = await git(context, args, { ...call, timeoutMs: FETCH_MS, allow: [1, 128] }).catch(() => NONE);
  const names = stdout
    .split('\n')
    .map(branchIn)
    .filter((one) => one !== '' && !one.endsWith('/HEAD'));
  const best = nearest(name, names);
  const word = name.split('/').at(-1) ?? name;
  const alike = names.filter((one) => one !== best && one.includes(word));
  return [...(best === null ? [] : [best]), ...alike].slice(0, NEAR_MAX).map(quote).join(', ');
}

const NONE = { stdout: '' } as const;

/** The name of the branch in a line that ends with its ref; empty: there is none. */
function branchIn(line: string): string {
  for (const prefix of ['refs/heads/', 'refs/remotes/']) {
    const at = line.indexOf(prefix);
    if (at >= 0) return line.slice(at + prefix.length);
  }
  return '';
}
