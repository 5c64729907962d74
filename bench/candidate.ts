// Measures what it costs to keep waiting work on the newest main, and to publish it, beside git's own commands.
import type { Benchmark } from './src/benchmark.ts';
import { bringBase, depotOf, makeCandidate, noteBase, prove, publish, rebaseOnto, recycle } from '@drover/worktree';
import { type GitYard, makeGitYard, WORKER } from './git/yard.ts';
import { median, ms, table } from './src/table.ts';

/** A candidate may take this part of a rebase in the worktree, which it stands in for. */
const PART_OF_REBASE = 1 / 20;
/** All of an accept but the checks may take so many times what its bare git commands take. */
const TIMES_BARE = 1.5;
/** A smoke run has a small repository, in which starting programs is all that a rebase costs. */
const SMOKE_SLACK = 20;

const FILES = { full: 20_000, smoke: 500 };
const ROUNDS = { full: 15, smoke: 3 };
/** Files that others change between two candidates, and files of the work. */
const MOVED_FILES = 40;
const WORK_FILES = 5;

/** All ways in turn within each round, so that a load that comes and goes falls on each of them. */
export const benchmark: Benchmark = {
  about:
    'a candidate on a newer main takes at most 1/20 of a rebase; an accept at most 1.5 times its bare git commands',
  async run({ smoke, settings }) {
    const size = smoke ? 'smoke' : 'full';
    const files = Number(settings['files'] ?? FILES[size]);
    await using yard = await makeGitYard(files);
    const head = await yard.work(WORK_FILES);
    for (const worker of [WORKER, ANOTHER])
      await makeCandidate(yard.git, yard.place, { worker, clone: yard.worktree, head, began: null });
    const kept: Rounds = {
      'candidate, the first on this main': [],
      candidate: [],
      rebase: [],
      'git merge-tree': [],
      'git rebase': [],
    };
    for (let round = 0; round < ROUNDS[size]; round += 1) await measureMove(yard, head, kept);
    const accepts: Rounds = { accept: [], 'its bare git commands': [] };
    for (let round = 0; round < ROUNDS[size]; round += 1) await measureAccept(yard, accepts, round);
    const rows = Object.entries({ ...kept, ...accepts }).map(([what, values]) => [
      what,
      ms(Math.min(...values)),
      ms(median(values)),
    ]);
    console.log(table([`${files} files`, 'least', 'median'], rows));
    const part = middle(kept, 'candidate') / middle(kept, 'rebase');
    const times = middle(accepts, 'accept') / middle(accepts, 'its bare git commands');
    console.log(
      `candidate: 1/${(1 / part).toFixed(1)} of a rebase; accept: ${times.toFixed(2)} times its bare git commands`,
    );
    const slack = smoke ? SMOKE_SLACK : 1;
    return part <= PART_OF_REBASE * slack && times <= TIMES_BARE * slack;
  },
};

type Rounds = Record<string, number[]>;

function middle(rounds: Rounds, what: string): number {
  return median(rounds[what] ?? []);
}

async function time(rounds: Rounds, what: string, act: () => unknown): Promise<void> {
  const startedAt = performance.now();
  await act();
  rounds[what]?.push(performance.now() - startedAt);
}

/** Worker with the same work that comes after the first: the depot has main by then. */
const ANOTHER = 'bruno';

/** Main moves; the work is brought onto it in each way. The rebases are taken back. */
async function measureMove(yard: GitYard, head: string, rounds: Rounds): Promise<void> {
  const { git, place, worktree, bare } = yard;
  await yard.moveMain(MOVED_FILES);
  const work = { worker: WORKER, clone: worktree, head, began: null };
  await time(rounds, 'candidate, the first on this main', () => makeCandidate(git, place, work));
  await time(rounds, 'candidate', () => makeCandidate(git, place, { ...work, worker: ANOTHER }));
  const back = (): string => bare(worktree, 'reset', '-q', '--hard', head);
  await time(rounds, 'rebase', async () => {
    const onto = await bringBase(git, place);
    await noteBase(git, worktree, { depot: depotOf(place), defaultBranch: 'main', base: onto });
    await rebaseOnto(git, { worktree, onto });
  });
  back();
  await time(rounds, 'git rebase', () => bare(worktree, 'rebase', '-q', 'origin/main'));
  back();
  await time(rounds, 'git merge-tree', () => bare(worktree, 'merge-tree', '--write-tree', 'origin/main', head));
}

/** The whole way of new work into main by Drover, and of other work by the same commands of git. */
async function measureAccept(yard: GitYard, rounds: Rounds, round: number): Promise<void> {
  const { git, place, worktree, source, bare } = yard;
  bare(worktree, 'fetch', '-q', 'origin');
  bare(worktree, 'reset', '-q', '--hard', 'origin/main');
  const head = await yard.work(WORK_FILES);
  await yard.moveMain(MOVED_FILES);
  await time(rounds, 'accept', async () => {
    const made = await makeCandidate(git, place, { worker: WORKER, clone: worktree, head, began: null });
    if (made.kind !== 'candidate') throw new Error(`round ${round}: ${made.kind}`);
    const { base, commit } = made;
    const published = await publish(git, place, { worker: WORKER, base, commit });
    if (published.kind !== 'published') throw new Error(`round ${round}: ${published.kind}`);
    await prove(git, place, commit);
    await recycle(git, { place: await yard.placeOf(WORKER), head, commit, now: Date.now() });
  });
  const next = await yard.work(WORK_FILES);
  await yard.moveMain(MOVED_FILES);
  await time(rounds, 'its bare git commands', () => {
    const main = bare(source, 'rev-parse', 'main');
    bare(worktree, 'fetch', '-q', 'origin');
    const tree = bare(worktree, 'merge-tree', '--write-tree', main, next);
    const commit = bare(worktree, 'commit-tree', tree, '-p', main, '-m', 'the work');
    bare(source, 'fetch', '-q', worktree, commit);
    bare(source, 'diff', '--quiet', 'HEAD');
    bare(source, 'update-ref', 'refs/heads/main', commit, main);
    bare(source, 'read-tree', '-m', '-u', main, commit);
    bare(source, 'merge-base', '--is-ancestor', commit, 'main');
    bare(worktree, 'fetch', '-q', 'origin');
    bare(worktree, 'status', '--porcelain');
    bare(worktree, 'checkout', '-q', '-B', `drover/${WORKER}`, 'origin/main');
  });
}
