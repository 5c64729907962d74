/**
 * The depot: a full bare repository of a project on this machine that Drover alone writes. Reviews, candidates and merges read
 * it, because an agent can write everything in the clone: attributes, settings, replaced objects. (docs/adr/0016-merges-are-candidates.md)
 */
import { type Git, git, unconfined } from '../git/git.ts';
import { refComponent } from '../names.ts';
import { keepIdentity } from '../project/identity.ts';
import { alone } from './alone.ts';
import { clearLocks } from './locks.ts';
import { type Depot, type DepotPlace, depotOf, idsOf, mainRef, plain } from './place.ts';
import { carrierOf } from './targets/carrier-of.ts';

/** Makes the depot where it is missing, clears the locks of killed gits, and runs `act` alone in it. @throws {GitError} */
export async function withDepot<T>(context: Git, place: DepotPlace, act: (depot: Depot) => Promise<T>): Promise<T> {
  const at = depotOf(place);
  return alone(at, { signal: context.signal }, async () => {
    const depot: Depot = { git: unconfined(context), at, place };
    await clearLocks(context.files, at);
    if ((await context.files.stat(at)) === undefined) await create(depot);
    return act(depot);
  });
}

/** HEAD names a branch that never exists: git would take attributes from its commit. */
const UNBORN = 'refs/heads/drover/unborn';

/**
 * Settings for gits of people and checks that look into the depot; Drover's own calls give theirs. The source fetches
 * a candidate by its id, and a clone a checkpoint. Written as one file in one step: a git for each setting would take
 * longer than all the rest of a new repository.
 */
const CONFIG = `[core]
	attributesFile = /dev/null
	hooksPath = /dev/null
	logAllRefUpdates = false
[gc]
	auto = 0
[maintenance]
	auto = false
[uploadpack]
	allowAnySHA1InWant = true
`;

/** The depot: no git drops objects there, also not one that a person starts, because clones borrow them. */
const LENDING = '[core]\n\trepositoryFormatVersion = 1\n[extensions]\n\tpreciousObjects = true\n';

/** The archive: where a worker's branch was before an agent set it back is kept as long as git remembers. */
const REMEMBERED = '[core]\n\tlogAllRefUpdates = always\n';

/** Bytes of what git itself writes into the configuration of a new repository, with room to spare. */
const NEW_CONFIG_BYTES_MAX = 64 * 1024;

/** Makes an empty depot, without objects. */
async function create({ git: context, at, place }: Depot): Promise<void> {
  const format = await carrierOf(context, place.target).objectFormat();
  await makeBare(context, { directory: place.directory, at, format, borrowed: null });
}

/** Repository of Drover's own to make. */
interface Bare {
  /** The directory that holds it. */
  readonly directory: string;
  readonly at: string;
  /** The format of its ids: `sha1` or `sha256`. */
  readonly format: string;
  /** The objects that it borrows; null: none. */
  readonly borrowed: string | null;
}

/** Makes a bare repository under a second name and renames it when complete. @throws {GitError} */
export async function makeBare(context: Git, { directory, at, format, borrowed }: Bare): Promise<void> {
  const { files } = context;
  const partial = `${at}.partial`;
  await files.rm(partial);
  await files.mkdir(directory);
  const call = { ...plain('make a repository'), at: directory };
  const args = ['init', '--quiet', '--bare', '--template=', `--object-format=${refComponent(format)}`, '--', partial];
  await git(context, args, call);
  const config = `${partial}/config`;
  const initial = (await files.readFile(config, { maxBytes: NEW_CONFIG_BYTES_MAX })) ?? '';
  await files.writeFile(config, `${initial}${CONFIG}${borrowed === null ? LENDING : REMEMBERED}`);
  await files.writeFile(`${partial}/HEAD`, `ref: ${UNBORN}\n`);
  if (borrowed !== null) {
    await files.mkdir(`${partial}/objects/info`);
    await files.writeFile(`${partial}/objects/info/alternates`, `${borrowed}\n`);
  }
  await files.rename(partial, at);
}

/** Brings the target's main into the depot, from which clones borrow it. @returns its newest commit. @throws {GitError} */
export async function bringMain(context: Git, place: DepotPlace): Promise<string> {
  return withDepot(context, place, async (depot) => {
    const main = await syncMain(depot);
    const { target } = depot.place;
    // A clone takes it from here, as from a source.
    if (target.kind === 'home' && target.home.identity !== null)
      await keepIdentity(depot.git, depot.at, target.home.identity);
    return main;
  });
}

/** Brings the target's main into the depot if it is not there. @returns its newest commit. @throws {GitError} */
export async function syncMain(depot: Depot): Promise<string> {
  const carrier = carrierOf(depot.git, depot.place.target);
  const there = await carrier.readMain();
  const [here] = await idsOf(depot, [mainRef(depot.place)]);
  if (here !== there) await carrier.fetchMain(depot, { isFirst: here === undefined });
  // Leaves whatever came in the meantime for the next time.
  return there;
}
