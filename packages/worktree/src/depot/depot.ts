/**
 * The depot: a full bare repository of a project on this machine that Drover alone writes. Reviews, candidates and merges read
 * it, because an agent can write everything in the clone: attributes, settings, replaced objects. (docs/adr/0086-depot.md)
 */
import { type Git, git } from '../git/git.ts';
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
    const depot: Depot = { git: { ...context, hooks: false }, at, place };
    await clearLocks(context.files, at);
    if ((await context.files.stat(at)) === undefined) await create(depot);
    return act(depot);
  });
}

/** HEAD names a branch that never exists: git would take attributes from its commit. */
const UNBORN = 'refs/heads/drover/unborn';

/**
 * Settings for gits of people and checks that look into the depot; Drover's own calls give theirs. The source fetches a candidate by its id.
 * One file, written in one step: a git for each would take longer than all the rest of a new depot.
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

/** Bytes of what git itself writes into the configuration of a new repository, with room to spare. */
const NEW_CONFIG_BYTES_MAX = 64 * 1024;

/** Makes the repository under a second name and renames it when complete. It has no objects yet. */
async function create(depot: Depot): Promise<void> {
  const { git: context, at, place } = depot;
  const { files } = context;
  const partial = `${at}.partial`;
  await files.rm(partial);
  await files.mkdir(place.directory);
  const format = await carrierOf(context, place.target).objectFormat();
  const call = { ...plain('make the depot'), at: place.directory };
  const args = ['init', '--quiet', '--bare', '--template=', `--object-format=${refComponent(format)}`, '--', partial];
  await git(context, args, call);
  const config = `${partial}/config`;
  const initial = (await files.readFile(config, { maxBytes: NEW_CONFIG_BYTES_MAX })) ?? '';
  await files.writeFile(config, `${initial}${CONFIG}`);
  await files.writeFile(`${partial}/HEAD`, `ref: ${UNBORN}\n`);
  await files.rename(partial, at);
}

/** Brings the target's main into the depot, for a clone that fetches from there. @throws {GitError} */
export async function bringMain(context: Git, place: DepotPlace): Promise<void> {
  await withDepot(context, place, async (depot) => {
    await syncMain(depot);
    const { target } = depot.place;
    // A clone takes it from here, as from a source.
    if (target.kind === 'home' && target.home.identity !== null)
      await keepIdentity(depot.git, depot.at, target.home.identity);
  });
}

/** Brings the target's main into the depot if it is not there. @returns its newest commit. @throws {GitError} */
export async function syncMain(depot: Depot): Promise<string> {
  const carrier = carrierOf(depot.git, depot.place.target);
  const there = await carrier.readMain();
  const [here] = await idsOf(depot, [mainRef(depot.place)]);
  if (here !== there) await carrier.fetchMain(depot, { isFirst: here === undefined });
  // Whatever came in the meantime is for the next time.
  return there;
}
