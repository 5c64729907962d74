/**
 * Takes a parcel into a repository. Until everything was checked, its objects lie in a quarantine, which goes whatever happens:
 * git 2.39 checks no object of a bundle by itself. The quarantine lies where no agent can write its configuration.
 */
import { type Git, git } from '../git/git.ts';
import { GitError } from '../git/git-error.ts';
import { commitOf, reading, writing } from '../git/revisions.ts';
import { quote, safeDirectory } from '../names.ts';
import type { Sha256Of } from '../ports.ts';
import { checkParcelRef, PARCEL_REFS, type ParcelRef } from './pack.ts';
import { frugally, makeWorkshop, workshopIn } from './workshop.ts';

/** What is to be taken, from which file. */
export interface UnpackRequest {
  readonly repo: string;
  readonly file: string;
  readonly sha256: string;
  /** Commits that the parcel holds, by their names in it, each with the ref that keeps it from now on. */
  readonly refs: readonly (ParcelRef & { readonly into: string })[];
  /** A directory that only Drover can write to, for the quarantine. */
  readonly spool: string;
  /** Names the work: no two at once have the same. */
  readonly id: string;
}

/** What {@link unpack} came to. Beside `unpacked`, nothing of the parcel is left in the repository. */
export type UnpackOutcome =
  | { readonly kind: 'unpacked' }
  /** The parcel builds on commits that are not here: pack it without leaving anything out. */
  | { readonly kind: 'incomplete'; readonly missing: readonly string[] }
  /** It is not what was sent: its bytes, its form, its objects or its commits. */
  | { readonly kind: 'damaged'; readonly why: string };

/** Bytes of a bundle's head, which names what it builds on. */
const HEAD_BYTES_MAX = 1024 * 1024;

/**
 * Digest, form, commits as expected, each object as git wants it, nothing missing: then the objects and the refs are the
 * repository's. A ref that keeps its commit already is left alone, so that it is safe to repeat.
 *
 * @throws {GitError} `id-taken` when a ref keeps another commit; `disk-full`.
 */
export async function unpack(context: Git, request: UnpackRequest, sha256Of: Sha256Of): Promise<UnpackOutcome> {
  const { repo, file, sha256, refs, id } = request;
  for (const ref of refs) checkParcelRef(ref);
  const quarantine = workshopIn(request.spool, 'unpack', id);
  const digest = await sha256Of(file);
  if (digest !== sha256) return { kind: 'damaged', why: `its SHA-256 is ${digest}, not ${sha256}` };
  await refsToMake(context, safeDirectory(repo), refs);
  const head = readHead((await context.files.readFile(file, { maxBytes: HEAD_BYTES_MAX })) ?? '');
  if (head === undefined) return { kind: 'damaged', why: 'it is no bundle of git' };
  const missing = await missingAmong(context, repo, head.buildsOn);
  if (missing.length > 0) return { kind: 'incomplete', missing };
  try {
    const { objects } = await makeWorkshop(context, quarantine, { repo });
    const damage = await check(context, { quarantine, file, refs });
    if (damage !== undefined) return damage;
    await adopt(context, { repo, quarantine, packs: `${objects}/pack`, stem: `pack-drover-${id}`, refs });
    return { kind: 'unpacked' };
  } finally {
    await context.files.rm(quarantine);
  }
}

/** The refs that are not there yet. */
async function refsToMake(context: Git, repo: string, refs: UnpackRequest['refs']): Promise<UnpackRequest['refs']> {
  const found = await Promise.all(refs.map(({ into }) => commitOf(context, repo, into)));
  const other = refs.find(({ commit }, index) => found[index] !== undefined && found[index] !== commit);
  if (other !== undefined) {
    throw new GitError('id-taken', `Cannot keep ${other.commit} as ${quote(other.into)}: it keeps another commit`);
  }
  return refs.filter((_, index) => found[index] === undefined);
}

/** What a bundle says of itself before its objects. @returns undefined when it is none. */
function readHead(text: string): { readonly buildsOn: readonly string[] } | undefined {
  const [signature = '', ...lines] = text.split('\n');
  const end = lines.indexOf('');
  if (!/^# v[23] git bundle$/u.test(signature) || end === -1) return undefined;
  const buildsOn = lines.slice(0, end).flatMap((line) => /^-([0-9a-f]{40,64})(?: |$)/u.exec(line)?.[1] ?? []);
  return { buildsOn };
}

async function missingAmong(context: Git, repo: string, commits: readonly string[]): Promise<readonly string[]> {
  if (commits.length === 0) return [];
  const { stdout } = await git(context, ['cat-file', '--batch-check=%(objectname) %(objecttype)'], {
    ...reading(repo, 'look for what the parcel builds on'),
    searchesUp: true,
    input: `${commits.join('\n')}\n`,
  });
  return stdout.split('\n').flatMap((line) => (line.endsWith(' missing') ? [line.slice(0, -' missing'.length)] : []));
}

interface Checked {
  readonly quarantine: string;
  readonly file: string;
  readonly refs: UnpackRequest['refs'];
}

/** Everything that can be wrong with the parcel; the fetch itself finds gaps. @returns undefined when nothing is. */
async function check(context: Git, { quarantine, file, refs }: Checked): Promise<UnpackOutcome | undefined> {
  const specs = refs.map(({ name }) => `+${PARCEL_REFS}/${name}:${PARCEL_REFS}/${name}`);
  const options = ['--quiet', '--no-tags', '--no-recurse-submodules', '--no-write-fetch-head'];
  const fetched = await tried(() =>
    git(context, ['fetch', ...options, '--', file, ...specs], frugally(quarantine, 'read the parcel')),
  );
  if (fetched !== undefined) return fetched;
  for (const { name, commit } of refs) {
    const held = await commitOf(context, quarantine, `${PARCEL_REFS}/${name}`);
    if (held !== commit) return { kind: 'damaged', why: `it holds ${held ?? 'nothing'} as "${name}", not ${commit}` };
  }
  for (const name of await packsIn(context, quarantine)) {
    const path = `${quarantine}/objects/pack/${name}`;
    const verified = await tried(() =>
      git(context, ['index-pack', '--strict', '--verify', path], frugally(quarantine, 'check its objects')),
    );
    if (verified !== undefined) return verified;
  }
  return undefined;
}

/** Failures of the machine stay failures; any other word of git is about the parcel. */
async function tried(act: () => Promise<unknown>): Promise<UnpackOutcome | undefined> {
  try {
    await act();
    return undefined;
  } catch (error) {
    if (!(error instanceof GitError) || !ABOUT_PARCEL.has(error.code)) throw error;
    return { kind: 'damaged', why: error.message };
  }
}

const ABOUT_PARCEL: ReadonlySet<GitError['code']> = new Set(['failed', 'unknown-revision', 'not-a-repository']);

async function packsIn({ files }: Git, quarantine: string): Promise<readonly string[]> {
  return (await files.list(`${quarantine}/objects/pack`)).filter((name) => name.endsWith('.pack'));
}

interface Adoption {
  readonly repo: string;
  readonly quarantine: string;
  /** The directory of the repository's packs, and a name that no other pack has. */
  readonly packs: string;
  readonly stem: string;
  readonly refs: UnpackRequest['refs'];
}

/** Copies the packs into the repository, then makes the refs. */
async function adopt(context: Git, adoption: Adoption): Promise<void> {
  const { repo, packs, refs } = adoption;
  const stems: string[] = [];
  const remove = async (ends: readonly string[]): Promise<void> => {
    for (const stem of stems) for (const end of ends) await context.files.rm(`${packs}/${stem}${end}`);
  };
  try {
    await copyPacks(context, adoption, stems);
    await makeRefs(context, repo, refs);
  } catch (error) {
    await remove(['.idx', '.idx.part', '.pack']);
    // Another one took the same commits meanwhile, and with them its own pack.
    if (error instanceof GitError && (await refsToMake(context, repo, refs)).length === 0) return;
    throw error;
  } finally {
    await remove(['.keep']);
  }
}

async function copyPacks(context: Git, { quarantine, packs, stem }: Adoption, stems: string[]): Promise<void> {
  const { files } = context;
  await files.mkdir(packs);
  for (const [index, name] of (await packsIn(context, quarantine)).entries()) {
    const [from, to] = [`${quarantine}/objects/pack/${name.slice(0, -'.pack'.length)}`, `${packs}/${stem}-${index}`];
    stems.push(`${stem}-${index}`);
    // While it is there, no git packs these objects anew and drops them: no ref leads to them yet.
    await files.writeFile(`${to}.keep`, '');
    await files.copy(`${from}.pack`, `${to}.pack`);
    await files.copy(`${from}.idx`, `${to}.idx.part`);
    await files.rename(`${to}.idx.part`, `${to}.idx`);
  }
}

async function makeRefs(context: Git, repo: string, refs: UnpackRequest['refs']): Promise<void> {
  const wanted = await refsToMake(context, repo, refs);
  if (wanted.length === 0) return;
  const input = wanted.map(({ into, commit }) => `create ${into}\0${commit}\0`).join('');
  const call = { ...writing(repo, 'keep what came'), searchesUp: true, input };
  await git({ ...context, hooks: false }, ['update-ref', '--stdin', '-z'], call);
}
