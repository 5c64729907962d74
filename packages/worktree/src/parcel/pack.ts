/** Packs commits of a repository into one file that another repository can take. */
import { shellWord } from '@drover/core/shell-word';
import { type Git, git, gitText } from '../git/git.ts';
import { GitError } from '../git/git-error.ts';
import { reading } from '../git/revisions.ts';
import { quote } from '../names.ts';
import type { Host } from '@drover/host';
import { frugally, readBeside, makeWorkshop, workshopIn } from './workshop.ts';

/** Commits to pack. */
export interface PackRequest {
  readonly repo: string;
  /** Commits, each with the name that it has in the parcel. */
  readonly refs: readonly ParcelRef[];
  /** Commits that the receiver has. Unknown ones are ignored. */
  readonly not: readonly string[];
  /** A directory that only Drover can write to, where the file is left. */
  readonly spool: string;
  /** Names the work: no two at once have the same. */
  readonly id: string;
  readonly maxBytes: number;
}

/** A commit in a parcel: `name` is letters, digits and dashes. */
export interface ParcelRef {
  readonly name: string;
  readonly commit: string;
}

/** Outcome of {@link pack}. Beside `packed`, no file is left. */
export type PackOutcome =
  | { readonly kind: 'packed'; readonly path: string; readonly sha256: string; readonly bytes: number }
  /** The receiver has every commit. */
  | { readonly kind: 'contained' }
  /** Lacks a part of the objects to pack; the message has the command that completes the repository. */
  | { readonly kind: 'shallow' | 'partial'; readonly message: string }
  | { readonly kind: 'too-large'; readonly message: string };

/** The prefix of refs inside a parcel. */
export const PARCEL_REFS = 'refs/parcel';

/** Full ids alone: anything else could be read as an option or as an expression. */
const OBJECT_ID = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/u;
const NAME = /^[A-Za-z0-9][A-Za-z0-9-]{0,63}$/u;

/**
 * Leaves a bundle in the spool directory, named by the id and its SHA-256. Writes nothing into the repository and runs nothing that its
 * configuration names. Repeated, it makes the file again.
 *
 * @throws {GitError} `unknown-revision` when a commit is not there; `bad-name`; `disk-full`.
 */
export async function pack(context: Git, request: PackRequest, sha256Of: Host['sha256']): Promise<PackOutcome> {
  const { repo, refs, not, spool, maxBytes } = request;
  const workshop = workshopIn(spool, 'pack', request.id);
  for (const ref of refs) checkParcelRef(ref);
  for (const id of not) checkObjectId(id);
  if (refs.length === 0) throw new GitError('bad-name', 'A parcel holds at least one commit');
  const beside = await readBeside(context, repo);
  if (beside.isShallow) return shallow(repo);
  const named = refs.map(({ name, commit }) => ({ name: `${PARCEL_REFS}/${name}`, commit }));
  const draft = `${workshop}/parcel`;
  try {
    await makeWorkshop(context, workshop, { ...beside, refs: named });
    const leftOut = (await commitsToLeaveOut(context, workshop, request)).map((id) => `^${id}`);
    const range = [...refs.map(({ commit }) => commit), ...leftOut].join('\n');
    const estimated = await sizeOf(context, workshop, range).catch((error: unknown) => orPartial(context, repo, error));
    if (typeof estimated !== 'number') return estimated;
    if (estimated === 0) return { kind: 'contained' };
    if (estimated > maxBytes) return tooLarge(repo, { bytes: estimated, maxBytes });
    const input = [...named.map(({ name }) => name), ...leftOut].join('\n');
    await git(context, ['bundle', 'create', '--quiet', draft, '--stdin'], {
      ...frugally(workshop, 'pack the commits'),
      input,
    });
    const bytes = (await context.files.stat(draft))?.size ?? 0;
    if (bytes > maxBytes) return tooLarge(repo, { bytes, maxBytes });
    const sha256 = await sha256Of(draft);
    const path = `${spool}/${request.id}.${sha256}`;
    await context.files.rename(draft, path);
    return { kind: 'packed', path, sha256, bytes };
  } finally {
    await context.files.rm(workshop);
  }
}

/** @throws {GitError} `bad-name`. */
export function checkParcelRef({ name, commit }: ParcelRef): void {
  if (!NAME.test(name)) throw new GitError('bad-name', `${quote(name)} cannot be a name in a parcel`);
  checkObjectId(commit);
}

function checkObjectId(id: string): void {
  if (!OBJECT_ID.test(id)) throw new GitError('bad-name', `${quote(id)} is not the full id of a commit`);
}

function shallow(repo: string): PackOutcome {
  const message = `"${repo}" is a shallow clone, which lacks older commits: run "git -C ${shellWord(repo)} fetch --unshallow"`;
  return { kind: 'shallow', message };
}

/**
 * Reports a partial clone when measuring it fails because objects are missing: the workshop fetches none. A partial
 * clone that has all objects to pack is packed like a whole one.
 *
 * @throws the error, where that is not the reason.
 */
async function orPartial(context: Git, repo: string, error: unknown): Promise<PackOutcome> {
  if (!(error instanceof GitError) || !ABOUT_OBJECTS.has(error.code)) throw error;
  const promises = ['config', '--get-regexp', String.raw`^(extensions\.partialclone|remote\..*\.promisor)$`];
  const call = { ...reading(repo, 'see whether it is whole'), searchesUp: true, allow: [1] };
  if ((await git(context, promises, call)).status !== 0) throw error;
  const message = `"${repo}" is a partial clone, which lacks objects: run "git -C ${shellWord(repo)} fetch --refetch --no-filter origin"`;
  return { kind: 'partial', message };
}

/** Errors by which git may say that an object is missing. */
const ABOUT_OBJECTS: ReadonlySet<GitError['code']> = new Set(['failed', 'unknown-revision']);

/** Finds the commits of `not` that are known here. @throws {GitError} `unknown-revision` when a commit to pack is not known. */
async function commitsToLeaveOut(
  context: Git,
  at: string,
  { refs, not }: Pick<PackRequest, 'refs' | 'not'>,
): Promise<readonly string[]> {
  const { stdout } = await git(context, ['cat-file', '--batch-check=%(objectname) %(objecttype)'], {
    ...reading(at, 'look for the commits'),
    input: [...refs.map(({ commit }) => commit), ...not].map((id) => `${id}\n`).join(''),
  });
  const found = new Set(
    stdout.split('\n').flatMap((line) => (line.endsWith(' commit') ? [line.slice(0, -' commit'.length)] : [])),
  );
  const missing = refs.find(({ commit }) => !found.has(commit));
  if (missing === undefined) return not.filter((id) => found.has(id));
  throw new GitError('unknown-revision', `Cannot pack the commit ${missing.commit}: it is not in this repository`);
}

/** Estimates the bytes of the parcel by what its objects take here. */
async function sizeOf(context: Git, at: string, range: string): Promise<number> {
  const args = ['rev-list', '--objects', '--disk-usage', '--stdin'];
  return Number(await gitText(context, args, { ...frugally(at, 'measure the parcel'), input: range }));
}

function tooLarge(repo: string, { bytes, maxBytes }: { bytes: number; maxBytes: number }): PackOutcome {
  const message = `What is to be carried of "${repo}" takes ${inMib(bytes)} MiB, and a parcel holds at most ${inMib(maxBytes)}: raise coordinator.parcel_max_mib`;
  return { kind: 'too-large', message };
}

function inMib(bytes: number): number {
  return Math.ceil(bytes / 1_048_576);
}
