/**
 * Takes a parcel into a repository. Until everything was checked, its objects lie in a quarantine, which goes whatever happens:
 * git 2.39 checks no object of a bundle by itself. The quarantine lies where no agent can write its configuration.
 */
import { type Git, git } from '../git/git.ts';
import { GitError } from '../git/git-error.ts';
import { reading, writing } from '../git/revisions.ts';
import { quote, safeDirectory, safeRevision } from '../names.ts';
import type { Host } from '@drover/host';
import { checkParcelRef, PARCEL_REFS, type ParcelRef } from './pack.ts';
import { frugally, readBeside, makeWorkshop, workshopIn } from './workshop.ts';

/** Parcel to unpack, and its file. */
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

/** Outcome of {@link unpack}. Beside `unpacked`, nothing of the parcel is left in the repository. */
export type UnpackOutcome =
  | { readonly kind: 'unpacked' }
  /** The parcel builds on commits that are not here: pack it without leaving anything out. */
  | { readonly kind: 'incomplete'; readonly missing: readonly string[] }
  /** Differs from what was sent: in its bytes, its form, its objects or its commits. */
  | { readonly kind: 'damaged'; readonly why: string };

/** Bytes of a bundle's head, which names what it builds on. */
const HEAD_BYTES_MAX = 1024 * 1024;

/**
 * Digest, form, commits as expected, each object as git wants it, nothing missing: then the objects and the refs are the
 * repository's. A ref that keeps its commit already is left alone, so that it is safe to repeat.
 *
 * @throws {GitError} `id-taken` when a ref keeps another commit; `disk-full`.
 */
export async function unpack(context: Git, request: UnpackRequest, sha256Of: Host['sha256']): Promise<UnpackOutcome> {
  const { repo, file, sha256, refs, id } = request;
  for (const ref of refs) checkParcelRef(ref);
  const quarantine = workshopIn(request.spool, 'unpack', id);
  const digest = await sha256Of(file);
  if (digest !== sha256) return damaged(`its SHA-256 is ${digest}, not ${sha256}`);
  const head = readHead((await context.files.readFile(file, { maxBytes: HEAD_BYTES_MAX })) ?? '');
  if (head === undefined) return damaged('it is not a git bundle');
  const other = refs.find(({ name, commit }) => head.holds.get(`${PARCEL_REFS}/${name}`) !== commit);
  if (other !== undefined) return damaged(`it does not hold ${other.commit} as "${other.name}"`);
  const { missing } = await readPresent(context, safeDirectory(repo), { refs, commits: head.buildsOn });
  if (missing.length > 0) return { kind: 'incomplete', missing };
  const beside = await readBeside(context, repo);
  try {
    await makeWorkshop(context, quarantine, beside);
    const damage = await check(context, { quarantine, file, refs });
    if (damage !== undefined) return damage;
    await adopt(context, { repo, quarantine, packs: `${beside.objects}/pack`, stem: `pack-drover-${id}`, refs });
    return { kind: 'unpacked' };
  } finally {
    await context.files.rm(quarantine);
  }
}

function damaged(why: string): UnpackOutcome {
  return { kind: 'damaged', why };
}

/**
 * Finds the refs that must be made, and the commits that are missing, with one git.
 *
 * @throws {GitError} `id-taken` when a ref keeps another commit.
 */
async function readPresent(
  context: Git,
  repo: string,
  { refs, commits = [] }: { readonly refs: UnpackRequest['refs']; readonly commits?: readonly string[] },
): Promise<{ readonly toMake: UnpackRequest['refs']; readonly missing: readonly string[] }> {
  const names = [...refs.map(({ into }) => `${safeRevision(into)}^{commit}`), ...commits];
  const { stdout } = await git(context, ['cat-file', '--batch-check=%(objectname)'], {
    ...reading(repo, 'look for what the parcel builds on'),
    searchesUp: true,
    input: names.map((name) => `${name}\n`).join(''),
  });
  const found = stdout.split('\n').map((line) => (OBJECT_ID.test(line) ? line : undefined));
  const other = refs.find(({ commit }, index) => found[index] !== undefined && found[index] !== commit);
  if (other !== undefined) {
    throw new GitError('id-taken', `Cannot keep ${other.commit} as ${quote(other.into)}: it keeps another commit`);
  }
  return {
    toMake: refs.filter((_, index) => found[index] === undefined),
    missing: commits.filter((_, index) => found[refs.length + index] === undefined),
  };
}

const OBJECT_ID = /^[0-9a-f]{40,64}$/u;

/** Head of a bundle, before its objects: commits that it builds on, and those that it holds, by name. */
interface Head {
  readonly buildsOn: readonly string[];
  readonly holds: ReadonlyMap<string, string>;
}

/** @returns undefined when it is no bundle. */
function readHead(text: string): Head | undefined {
  const [signature = '', ...lines] = text.split('\n');
  const end = lines.indexOf('');
  if (!/^# v[23] git bundle$/u.test(signature) || end === -1) return undefined;
  const head = lines.slice(0, end);
  return {
    buildsOn: head.flatMap((line) => /^-([0-9a-f]{40,64})(?: |$)/u.exec(line)?.[1] ?? []),
    holds: new Map(
      head.flatMap((line) => {
        const [, id, name] = /^([0-9a-f]{40,64}) (.+)$/u.exec(line) ?? [];
        return id === undefined || name === undefined ? [] : [[name, id]];
      }),
    ),
  };
}

interface Checked {
  readonly quarantine: string;
  readonly file: string;
  readonly refs: UnpackRequest['refs'];
}

/**
 * Checks everything that can be wrong with the objects: each is as git wants it, and all that the commits lead to is
 * there, down to what a ref of the repository leads to. The parcel's own claim of what it builds on is ignored: such
 * commits may be in the parcel alone.
 *
 * @returns undefined when nothing is wrong.
 */
async function check(context: Git, { quarantine, file, refs }: Checked): Promise<UnpackOutcome | undefined> {
  return tried(async () => {
    await git(context, ['bundle', 'unbundle', file], frugally(quarantine, 'read the parcel'));
    for (const name of await packsIn(context, quarantine)) {
      const path = `${quarantine}/objects/pack/${name}`;
      await git(context, ['index-pack', '--strict', '--verify', path], frugally(quarantine, 'check its objects'));
    }
    const commits = refs.map(({ commit }) => commit);
    const walk = ['rev-list', '--objects', '--quiet', ...commits, '--not', '--alternate-refs', '--'];
    await git(context, walk, frugally(quarantine, 'look for gaps'));
  });
}

/** Failures of the machine stay failures; any other word of git is about the parcel. */
async function tried(act: () => Promise<unknown>): Promise<UnpackOutcome | undefined> {
  try {
    await act();
    return undefined;
  } catch (error) {
    if (!(error instanceof GitError) || !ABOUT_PARCEL.has(error.code)) throw error;
    return damaged(error.message);
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

/**
 * Copies the packs into the repository, then makes the refs. Each is on the disk before the next is begun: after a
 * power cut no ref names a missing object. (docs/adr/0019-parcels-and-frozen-places.md)
 */
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
    // Succeeds if another call took the same commits meanwhile, and with them its own pack.
    if (error instanceof GitError && (await readPresent(context, repo, { refs })).toMake.length === 0) return;
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
    // Writes the `.keep` file: while it is there, no git packs these objects anew and drops them, as no ref leads to
    // them yet.
    await files.writeFile(`${to}.keep`, '');
    await files.copy(`${from}.pack`, `${to}.pack`, { flush: true });
    await files.copy(`${from}.idx`, `${to}.idx.part`, { flush: true });
    await files.rename(`${to}.idx.part`, `${to}.idx`);
  }
}

async function makeRefs(context: Git, repo: string, refs: UnpackRequest['refs']): Promise<void> {
  const { toMake } = await readPresent(context, repo, { refs });
  if (toMake.length === 0) return;
  const input = toMake.map(({ into, commit }) => `create ${into}\0${commit}\0`).join('');
  const call = { ...writing(repo, 'keep what came'), searchesUp: true, input, config: ['core.fsync=reference'] };
  await git({ ...context, hooks: false }, ['update-ref', '--stdin', '-z'], call);
}
