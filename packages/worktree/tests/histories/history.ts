/**
 * Plays random histories on real git: a worker and other people change files, and the work goes its whole way into the
 * default branch, or not. Judges what must hold from trees and refs alone, by other means than those of the flow (G1
 * to G13 of the design).
 */
import { mkdir, appendFile, lutimes, readFile, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { messageOf } from '@drover/base';
import { type DepotPlace, type Git, depotOf, makeCandidate, prove, publish, recycle } from '../../src/index.ts';
import { type Chance, seededChance } from '../chance.ts';
import { olderGit, placeIn, workAt } from '../depot/support.ts';
import { placeOf, BRANCH, NOW, WORKER, type Yard, makeYard } from '../support.ts';
import { commitChanges, drawLineEnds } from './changes.ts';
import { sidesOf, treeOf } from './trees.ts';

/** End of a piece of work. */
type Ending = 'merged' | 'merged-kept' | 'clash' | 'contained';

/** Counts of each ending, and of each thing on the way. */
type Tally = Map<Ending | 'moved' | 'blocked' | 'meddled', number>;

interface World {
  readonly yard: Yard;
  /** The flow under test; `yard.git` is sound. */
  readonly git: Git;
  readonly chance: Chance;
  readonly tally: Tally;
  /** A depot in which a git works as it was before 2.38. */
  readonly second: DepotPlace;
}

/** Piece of work: the commit where its task began, and its own commit. */
interface Work {
  readonly began: string;
  readonly head: string;
}

type Made = Extract<Awaited<ReturnType<typeof makeCandidate>>, { kind: 'candidate' }>;

/** Histories of one yard: each begins where the one before ended. */
const HISTORIES_EACH = 20;

/** 9 September 2001, in seconds. */
const LONG_AGO = 1_000_000_000;

/** Plays so many histories. @throws with the seed that plays the broken one again. */
export async function playHistories({
  seed,
  count,
  flow = (git) => git,
}: {
  readonly seed: number;
  readonly count: number;
  readonly flow?: ((git: Git) => Git) | undefined;
}): Promise<Tally> {
  const tally: Tally = new Map();
  for (let done = 0; done < count; done += HISTORIES_EACH) {
    const own = seed + done;
    const chance = seededChance(own);
    await using yard = await makeYard();
    const second = { ...placeIn(yard), directory: join(yard.dir, 'depot-older') };
    const world: World = { yard, git: flow(yard.git), chance, tally, second };
    await yard.commit(yard.source, { '.gitattributes': drawLineEnds(chance) });
    await giveUp(world, 'contained');
    for (let index = 0; index < Math.min(HISTORIES_EACH, count - done); index += 1) {
      try {
        count1(tally, await play(world));
      } catch (error) {
        const words = messageOf(error);
        throw new Error(`history ${index} of seed ${own}: ${words}`, { cause: error });
      }
    }
    demand(
      (await yard.sh(depotOf(placeIn(yard)), 'fsck', '--strict', '--no-dangling')) === '',
      'G10: the depot is not whole',
    );
  }
  return tally;
}

function count1(tally: Tally, what: Ending | 'moved' | 'blocked' | 'meddled'): void {
  tally.set(what, (tally.get(what) ?? 0) + 1);
}

function demand(holds: boolean, broken: string): asserts holds {
  if (!holds) throw new Error(broken);
}

async function play(world: World): Promise<Ending> {
  const { yard, chance } = world;
  const { worktree, source } = yard;
  const began = await yard.sh(worktree, 'rev-parse', 'HEAD');
  for (let left = 1 + chance.below(3); left > 0; left -= 1) await commitChanges(yard, worktree, chance);
  for (let left = chance.below(3); left > 0; left -= 1) await commitChanges(yard, source, chance);
  await yard.write(worktree, { 'build/cache': 'installed' });
  const work = { began, head: await yard.sh(worktree, 'rev-parse', 'HEAD') };

  const made = await makeAndJudge(world, work);
  if (made.kind !== 'candidate') return giveUp(world, made.kind);
  if (chance.happens(0.3)) await meddle(world, { work, made });
  await touchAll(worktree);
  await touchAll(yard.source);
  const published = await publishAndJudge(world, { work, made });
  return published.kind === 'published'
    ? recycleAndJudge(world, work, published.commit)
    : giveUp(world, published.kind);
}

type Outcome = Awaited<ReturnType<typeof makeCandidate>>;

/** Narrows the outcome: in these histories main only goes on, and nothing was shown before. */
export function expected(made: Outcome): Extract<Outcome, { kind: 'candidate' | 'clash' | 'contained' }> {
  if (made.kind === 'rewritten' || made.kind === 'changed') throw new Error(`G1: the work is taken for ${made.kind}`);
  return made;
}

/** G2, G8, G11: two ways of git to merge, in two depots, say the same; and each file is as the side has it that changed it. */
async function makeAndJudge(
  { yard, git, second }: World,
  work: Work,
): Promise<Made | { readonly kind: 'clash' | 'contained' }> {
  const request = workAt(yard, work.head);
  const made = expected(await makeCandidate(git, placeIn(yard), request));
  const again = await makeCandidate(olderGit(git), second, request);
  const isSame = made.kind === 'clash' ? again.kind === 'clash' : isDeepStrictEqual(made, again);
  demand(isSame, `G11: made again elsewhere it is ${JSON.stringify(again)}, not ${JSON.stringify(made)}`);
  const main = await yard.sh(yard.source, 'rev-parse', 'main');
  demand(made.base === main, `G1: it stands on ${made.base}, and the default branch is at ${main}`);
  const [before, own, theirs] = await Promise.all([
    treeOf(yard, yard.worktree, work.began),
    treeOf(yard, yard.worktree, work.head),
    treeOf(yard, yard.source, main),
  ]);
  const wanted = sidesOf({ before, own, theirs });
  if (made.kind === 'clash') return made;
  const result = made.kind === 'contained' ? theirs : await treeOf(yard, depotOf(placeIn(yard)), made.commit);
  for (const [path, entry] of wanted)
    demand(result.get(path) === entry, `G2: ${path} is ${result.get(path)}, and only one side changed it, to ${entry}`);
  if (made.kind === 'contained') return made;
  const parents = await yard.sh(depotOf(placeIn(yard)), 'rev-parse', `${made.commit}^@`);
  demand(parents === main, `G2: it stands on ${parents}`);
  return made;
}

/** Meddles (G8): what an agent writes into its clone beside commits changes nothing of what is reviewed and merged. */
async function meddle(world: World, { work, made }: { work: Work; made: Made }): Promise<void> {
  const { yard, git, tally } = world;
  const { worktree: repo } = yard;
  const attributes = join(repo, '.git/info/attributes');
  await mkdir(join(repo, '.git/info'), { recursive: true });
  await writeFile(attributes, '* merge=mine\n* text eol=crlf\n');
  await yard.sh(repo, 'config', 'merge.mine.driver', 'true');
  if (work.began !== work.head) await yard.sh(repo, 'replace', '-f', work.head, work.began);
  // Forgets what was known of the work: the depot fetches and merges anew.
  await yard.sh(depotOf(placeIn(yard)), 'update-ref', '-d', `refs/drover/reviews/${WORKER}`);
  const again = await makeCandidate(git, placeIn(yard), workAt(yard, work.head));
  demand(isDeepStrictEqual(again, made), `G8: with settings of the clone it is ${JSON.stringify(again)}`);
  if (work.began !== work.head) await yard.sh(repo, 'replace', '-d', work.head);
  await writeFile(attributes, '');
  count1(tally, 'meddled');
}

/** Checks G1 and G4: the branch goes from what was known of it to the candidate, or stays; and no file of a person is touched. */
async function publishAndJudge(
  world: World,
  { work, made }: { work: Work; made: Made },
): Promise<{ readonly kind: 'published'; readonly commit: string } | { readonly kind: 'clash' | 'contained' }> {
  const { yard, git, chance, tally } = world;
  const { source } = yard;
  const { base, commit } = made;
  const request = { worker: WORKER, base, commit };
  if (chance.happens(0.2)) {
    const racing = chance.happens(0.5) ? committingBefore(git, yard) : git;
    if (racing === git) await yard.commit(source, { 'raced.txt': `${chance.below(1000)}\n` }, 'raced');
    const outcome = await publish(racing, placeIn(yard), request);
    demand(outcome.kind === 'moved', `G4: somebody moved the branch, and it says ${outcome.kind}`);
    demand(
      (await yard.sh(source, 'log', '-1', '--format=%s', 'main')) === 'raced',
      'G4: the commit of a person is gone',
    );
    await expectClean(yard, 'raced');
    count1(tally, 'moved');
    const next = await makeAndJudge(world, work);
    return next.kind === 'candidate' ? publishAndJudge(world, { work, made: next }) : next;
  }
  const dirty = chance.happens(0.4) ? await changeByPerson(yard, chance) : undefined;
  const outcome = await publish(git, placeIn(yard), request);
  const main = await yard.sh(source, 'rev-parse', 'main');
  if (dirty !== undefined) {
    const text = await readFile(join(source, dirty.path), 'utf8').catch(() => undefined);
    demand(text === dirty.text, `a person's ${dirty.path} is overwritten (${outcome.kind})`);
    await dirty.undo();
  }
  const moving = (await yard.sh(source, 'diff', '--no-renames', '--name-only', '-z', base, made.tree)).split('\0');
  const isInTheWay = dirty !== undefined && moving.includes(dirty.path);
  demand(isInTheWay === (outcome.kind === 'blocked'), `G1: ${dirty?.path} of a person was changed: ${outcome.kind}`);
  if (outcome.kind === 'blocked') {
    demand(main === base, `G1: it is blocked, and the default branch is at ${main}`);
    count1(tally, 'blocked');
    return publishAndJudge(world, { work, made });
  }
  demand(outcome.kind === 'published', `it is not published: ${JSON.stringify(outcome)}`);
  demand(main === commit, `G4: the default branch is at ${main}, not at ${commit}`);
  await expectClean(yard, 'published');
  return { kind: 'published', commit };
}

async function expectClean({ sh, source }: Yard, when: string): Promise<void> {
  await touchAll(source);
  const status = (await sh(source, 'status', '--porcelain', '-z')).replaceAll('\0', ', ');
  demand(status === '', `G1: ${when}, the files of the source are not as its branch has them: ${status}`);
}

/** Gives every file another time, so that git must read its content: else a fault would show by chance alone. */
async function touchAll(directory: string): Promise<void> {
  const entries = await readdir(directory, { withFileTypes: true });
  const others = entries.filter(({ name }) => name !== '.git');
  await Promise.all(
    others.map(async (entry) => {
      const path = join(directory, entry.name);
      await (entry.isDirectory() ? touchAll(path) : lutimes(path, LONG_AGO, LONG_AGO));
    }),
  );
}

/** A person commits between the last look at the branch and its move. */
function committingBefore(git: Git, yard: Yard): Git {
  let isDone = false;
  return {
    ...git,
    run: async (program, args, options) => {
      if (args.some((word) => word === `drover: accept ${WORKER}`) && !isDone) {
        isDone = true;
        await yard.commit(yard.source, { 'raced.txt': 'in between\n' }, 'raced');
      }
      return git.run(program, args, options);
    },
  };
}

interface Dirty {
  readonly path: string;
  readonly text: string;
  undo(): Promise<void>;
}

/** A person changes a tracked file, staged or not, or has a new one. Links and binary files are left alone. */
async function changeByPerson(yard: Yard, chance: Chance): Promise<Dirty | undefined> {
  const { source } = yard;
  const tracked = (await yard.sh(source, 'ls-files', '-s', '-z')).split('\0');
  const plain = tracked.flatMap((one) => /^100\d{3} \S+ 0\t(.*\.txt)$/u.exec(one)?.[1] ?? []);
  const [first, ...others] = plain;
  if (first === undefined || chance.happens(0.3)) {
    const path = chance.pick(['moved-1.txt', 'a.txt', 'mine.txt'] as const);
    if (plain.includes(path) || tracked.some((one) => one.endsWith(`\t${path}`))) return undefined;
    await writeFile(join(source, path), 'of a person\n');
    return { path, text: 'of a person\n', undo: () => yard.write(source, { [path]: undefined }) };
  }
  const path = chance.pick([first, ...others]);
  await appendFile(join(source, path), 'of a person\n');
  const text = await readFile(join(source, path), 'utf8');
  if (chance.happens(0.3)) await yard.sh(source, 'add', '--', path);
  return { path, text, undo: async () => void (await yard.sh(source, 'checkout', '-q', 'HEAD', '--', path)) };
}

/** Checks G5, G6 and G13: only what is in the default branch is cleared away; commits that came later stay, and so do ignored files. */
async function recycleAndJudge(world: World, work: Work, commit: string): Promise<Ending> {
  const { yard, git, chance } = world;
  const { archive, worktree } = yard;
  const proof = await prove(git, placeIn(yard), commit);
  demand(proof.kind === 'merged', `G5: the default branch has it, and the proof says ${proof.kind}`);
  const later = chance.happens(0.2) ? await yard.commit(worktree, { 'later.txt': 'l\n' }, 'later') : undefined;
  const place = await placeOf(yard, WORKER, git);
  const outcome = await recycle(git, { place, head: work.head, commit, now: NOW });
  if (later !== undefined) {
    demand(outcome.kind === 'kept', `G6: a commit came after the review, and it says ${outcome.kind}`);
    demand((await yard.sh(worktree, 'rev-parse', BRANCH)) === later, 'G6: a commit after the review is gone');
    return giveUp(world, 'merged-kept');
  }
  demand(outcome.kind === 'recycled', `it is not recycled: ${JSON.stringify(outcome)}`);
  const keepers = await yard.sh(archive, 'for-each-ref', `--contains=${work.head}`, '--format=%(refname)');
  demand(keepers !== '', 'G6: no ref keeps the commits as they were');
  await touchAll(worktree);
  const status = await yard.sh(worktree, 'status', '--porcelain=v2', '--branch');
  const wanted = `# branch.oid ${commit}\n# branch.head ${BRANCH}`;
  demand(status === wanted, `the fresh worktree is ${status}`);
  demand((await yard.read(worktree, 'build/cache')) === 'installed', 'G13: an ignored file is gone');
  return 'merged';
}

/** The next task begins on the newest default branch. */
async function giveUp<E extends Ending>({ yard }: World, ending: E): Promise<E> {
  const { worktree, source } = yard;
  await yard.sh(worktree, 'fetch', '-q', source, 'main');
  await yard.sh(worktree, 'reset', '-q', '--hard', 'FETCH_HEAD');
  await yard.sh(worktree, 'clean', '-qffd');
  return ending;
}
