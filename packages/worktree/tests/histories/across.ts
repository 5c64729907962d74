/**
 * Plays random histories of a machine whose main is on another one. Parcels between them are altered, cut, replaced by
 * another sound parcel, or forged by a machine that lies; people commit in between, and answers are lost. Judges by
 * plain git what must hold (G1 to G11).
 */
import { existsSync } from 'node:fs';
import { copyFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { messageOf } from '@drover/base';
import { type Git, type ParcelFile, depotOf, makeCandidate, prove, publish } from '../../src/index.ts';
import { type Chance, seededChance } from '../chance.ts';
import { placeAtHome, SOUND } from '../depot/home-port.ts';
import { placeIn, workAt } from '../depot/support.ts';
import { WORKER, type Yard, makeYard, sha256Of } from '../support.ts';
import { commitChanges } from './changes.ts';
import { expected } from './history.ts';
import { LIES, type Liar, makeLiar } from './liar.ts';

/** A build of the flow with a fault: in the git of either machine, or it takes each file for what it is said to be. */
export interface Build {
  readonly here?: (git: Git) => Git;
  readonly home?: (git: Git) => Git;
  readonly believesDigests?: boolean;
}

type Tally = Map<string, number>;

interface World {
  readonly yard: Yard;
  readonly here: Git;
  readonly place: ReturnType<typeof placeAtHome>;
  readonly liar: Liar;
  readonly chance: Chance;
  readonly tally: Tally;
  /** Fault that happens once on the way, or at the home, to what comes next. */
  readonly next: { garble: Garble | null; atHome: ((git: Git) => Git) | null };
}

type Garble = (file: ParcelFile, path: string) => Promise<void>;

interface Made {
  readonly base: string;
  readonly commit: string;
}

/** Histories of one yard: each begins where the one before ended. */
const HISTORIES_EACH = 10;

/** Plays so many. @throws with the seed that plays the broken one again. */
export async function playAcross({
  seed,
  count,
  build = {},
}: {
  readonly seed: number;
  readonly count: number;
  readonly build?: Build | undefined;
}): Promise<Tally> {
  const tally: Tally = new Map();
  for (let done = 0; done < count; done += HISTORIES_EACH) {
    const own = seed + done;
    await using yard = await makeYard();
    const world = await worldOf(yard, { chance: seededChance(own), tally, build });
    for (let index = 0; index < Math.min(HISTORIES_EACH, count - done); index += 1) {
      try {
        await play(world);
      } catch (error) {
        const words = messageOf(error);
        throw new Error(`history ${index} across machines of seed ${own}: ${words}`, { cause: error });
      }
    }
    for (const depot of [depotOf(world.place), homeDepot(yard)])
      if (existsSync(depot))
        demand((await yard.sh(depot, 'fsck', '--no-dangling')) === '', `G10: "${depot}" is not whole`);
  }
  return tally;
}

async function worldOf(
  yard: Yard,
  { chance, tally, build }: Pick<World, 'chance' | 'tally'> & { readonly build: Build },
): Promise<World> {
  const next: World['next'] = { garble: null, atHome: null };
  const sound = build.home?.(yard.git) ?? yard.git;
  const homeGit = (): Git => next.atHome?.(sound) ?? sound;
  const told = new Map<string, string>();
  const place = placeAtHome(yard, homeGit, {
    sha256Of: async (path) => told.get(path) ?? sha256Of(path),
    carry: async (file, to) => {
      if (build.believesDigests === true) told.set(to.path, file.sha256);
      const { garble } = next;
      next.garble = null;
      await (garble === null ? SOUND.carry(file, to) : garble(file, to.path));
    },
  });
  return { yard, here: build.here?.(yard.git) ?? yard.git, place, liar: await makeLiar(yard), chance, tally, next };
}

function homeDepot({ dir }: Yard): string {
  return join(dir, 'home-depot/depot.git');
}

function demand(holds: boolean, broken: string): asserts holds {
  if (!holds) throw new Error(broken);
}

function count1({ tally }: World, what: string): void {
  tally.set(what, (tally.get(what) ?? 0) + 1);
}

async function mainOf({ yard }: World): Promise<string> {
  return yard.sh(yard.source, 'rev-parse', 'main');
}

async function play(world: World): Promise<void> {
  const { yard, chance } = world;
  const { worktree, source } = yard;
  for (let left = 1 + chance.below(2); left > 0; left -= 1) await commitChanges(yard, worktree, chance);
  for (let left = chance.below(3); left > 0; left -= 1) await commitChanges(yard, source, chance);
  const head = await yard.sh(worktree, 'rev-parse', 'HEAD');
  const made = await makeAndJudge(world, head);
  count1(world, made.kind);
  if (made.kind === 'candidate') {
    if (chance.happens(0.4)) await hearLie(world, made);
    await publishAndJudge(world, { head, made });
  }
  await yard.sh(worktree, 'fetch', '-q', source, 'main');
  await yard.sh(worktree, 'reset', '-q', '--hard', 'FETCH_HEAD');
  await yard.sh(worktree, 'clean', '-qffd');
}

type Candidate = Awaited<ReturnType<typeof makeCandidate>>;

/**
 * Checks G1, G10 and G11: it is based on the commit that the other machine says, is what that machine would make, and
 * has nothing of a parcel that was altered.
 */
async function makeAndJudge(world: World, head: string): Promise<Candidate> {
  const { yard, here, place, chance, next } = world;
  const request = workAt(yard, head);
  if (chance.happens(0.4)) {
    const coming = await mainOf(world);
    const wasThere = await holds(yard, depotOf(place), coming);
    next.garble = garbleOf(world);
    const outcome = await makeCandidate(here, place, request).catch(() => 'refused' as const);
    const wasCarried = next.garble === null;
    next.garble = null;
    if (wasCarried) {
      demand(outcome === 'refused', 'G10: main came as something else, and was taken');
      const isThere = await holds(yard, depotOf(place), coming);
      demand(isThere === wasThere, 'G10: the depot has a commit of what it refused');
      count1(world, 'altered on its way here');
    }
  }
  const made = expected(await makeCandidate(here, place, request));
  const main = await mainOf(world);
  demand(made.base === main, `G1: it stands on ${made.base}, and the default branch is at ${main}`);
  const beside = { ...placeIn(yard), directory: join(yard.dir, 'depot-beside') };
  const again = await makeCandidate(yard.git, beside, request);
  const isSame = made.kind === 'clash' ? again.kind === 'clash' : isDeepStrictEqual(made, again);
  demand(isSame, `G11: where main is it would be ${JSON.stringify(again)}, not ${JSON.stringify(made)}`);
  return made;
}

/** Tells whether a commit is in the depot, however it is kept. */
async function holds(yard: Yard, depot: string, commit: string): Promise<boolean> {
  return yard.sh(depot, 'cat-file', '-e', commit).then(
    () => true,
    () => false,
  );
}

/** Draws a garble; each is found by another check: its end, its digest, or its digest alone. */
function garbleOf({ chance, liar }: World): Garble {
  const at = chance.part();
  switch (chance.below(3)) {
    case 0:
      return async (file, path) => {
        const bytes = await readFile(file.path);
        const where = Math.floor(at * bytes.length);
        bytes[where] = (bytes[where] ?? 0) ^ 1;
        await writeFile(path, bytes);
      };
    case 1:
      return async (file, path) => {
        const bytes = await readFile(file.path);
        await writeFile(path, bytes.subarray(0, Math.floor(at * bytes.length)));
      };
    default:
      return async (file, path) => copyFile(await liar.repack(file.path), path);
  }
}

/** G2, G10: a machine that lies gets nothing into main, nor into the depot of the home. */
async function hearLie(world: World, { base }: Made): Promise<void> {
  const { yard, place, liar, chance } = world;
  const lie = chance.pick(LIES);
  const main = await mainOf(world);
  const { file, commit, inside } = await liar.tell(lie, base);
  const outcome = await place.target.home
    .publish(file, { worker: WORKER, base, commit })
    .catch(() => 'refused' as const);
  const kind = outcome === 'refused' ? outcome : outcome.kind;
  demand(kind !== 'published', `G10: it published ${lie}`);
  demand((await mainOf(world)) === main, `G10: main moved for ${lie}`);
  // Allows the home to keep sound commits for a while; they are not used.
  const isKept = await holds(yard, homeDepot(yard), inside);
  demand(!isKept || lie === 'a commit that does not stand on main', `G10: the home keeps ${lie}`);
  count1(world, lie);
}

/** G1, G4, G5: main goes from where it was to the candidate, or stays, whatever is altered, lost or done by others meanwhile. */
async function publishAndJudge(
  world: World,
  { head, made }: { readonly head: string; readonly made: Made },
): Promise<void> {
  const { yard, here, place, chance, next } = world;
  const request = { worker: WORKER, base: made.base, commit: made.commit };
  const happening = chance.part();
  let later = made.commit;
  if (happening < 0.25) {
    next.garble = garbleOf(world);
    const outcome = await publish(here, place, request).catch(() => 'refused' as const);
    demand(outcome === 'refused', 'G10: the work came as something else, and was taken');
    demand((await mainOf(world)) === made.base, 'G10: main moved for a parcel that was altered');
    count1(world, 'altered on its way home');
  } else if (happening < 0.45) {
    next.atHome = (git) =>
      beforeMove(git, () => yard.commit(yard.source, { 'raced.txt': `${chance.below(1000)}\n` }, 'raced'));
    const outcome = await publish(here, place, request);
    next.atHome = null;
    demand(outcome.kind === 'moved', `G4: somebody moved the branch, and it says ${outcome.kind}`);
    const last = await yard.sh(yard.source, 'log', '-1', '--format=%s', 'main');
    demand(last === 'raced', 'G4: the commit of a person is gone');
    count1(world, 'raced');
    const again = await makeAndJudge(world, head);
    return again.kind === 'candidate' ? publishAndJudge(world, { head, made: again }) : undefined;
  } else if (happening < 0.65) {
    next.atHome = (git) => beforeMove(git, null);
    await publish(here, place, request).catch(() => undefined);
    next.atHome = null;
    count1(world, 'answer lost');
    if (chance.happens(0.5))
      later = await yard.commit(yard.source, { 'later.txt': `${chance.below(1000)}\n` }, 'later');
  }
  const outcome = await publish(here, place, request);
  demand(outcome.kind === 'published', `G5: it is not published: ${JSON.stringify(outcome)}`);
  const main = await mainOf(world);
  demand(main === later, `G4: the default branch is at ${main}, not at ${later}`);
  const proof = await prove(here, place, made.commit);
  demand(proof.kind === 'merged', `G5: the default branch has it, and the proof says ${proof.kind}`);
  count1(world, 'published');
}

/** Runs an act between the last look at the branch and its move; null: it moves, and the home dies before it says so. */
function beforeMove(git: Git, act: (() => Promise<unknown>) | null): Git {
  let isDone = false;
  return {
    ...git,
    run: async (program, args, options) => {
      const isMove = !isDone && args.includes(`drover: accept ${WORKER}`);
      if (isMove) isDone = true;
      if (isMove && act !== null) await act();
      const result = await git.run(program, args, options);
      if (isMove && act === null) throw new Error('killed');
      return result;
    },
  };
}
