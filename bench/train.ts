// Measures what a train of five costs beside five accepts one by one: runs of the checks, and time.
import path from 'node:path';
import type { Benchmark } from './src/benchmark.ts';
import {
  ensureWorktree,
  extendChain,
  LANDING,
  makeCandidate,
  prove,
  publish,
  validate,
  withLanding,
  worktreePath,
} from '@drover/worktree';
import { type GitYard, makeGitYard } from './git/yard.ts';
import { writeFile } from 'node:fs/promises';
import { ms, table } from './src/table.ts';

/** Runs of the checks for each work that is merged. Source: docs/git.md, several at once. */
const CHECKS_PER_MERGED_MAX = 0.8;

const WORKERS = ['ann', 'bob', 'cal', 'dan', 'eve'] as const;
const FILES = { full: 5_000, smoke: 300 };
/** Seconds that one run of the checks takes: far less than those of most projects. */
const CHECK_SECS = { full: 5, smoke: 0.3 };

/** The machine's own functions, in the order in which the policy gives the commands. All of the work passes. */
export const benchmark: Benchmark = {
  about:
    'a train of five takes at most 0.8 runs of the checks for each work, and less time than five accepts one by one',
  async run({ smoke, settings }) {
    const size = smoke ? 'smoke' : 'full';
    const files = Number(settings['files'] ?? FILES[size]);
    const secs = Number(settings['check'] ?? CHECK_SECS[size]);
    const single = await measure(files, secs, oneByOne);
    const train = await measure(files, secs, together);
    console.log(
      table(
        [`five works, checks of ${secs} s`, 'runs of the checks', 'time'],
        [
          ['one by one', String(single.checks), ms(single.tookMs)],
          ['a train', String(train.checks), ms(train.tookMs)],
        ],
      ),
    );
    return train.checks / WORKERS.length <= CHECKS_PER_MERGED_MAX && train.tookMs < single.tookMs;
  },
};

interface Work {
  readonly worker: string;
  readonly head: string;
}

interface Merging {
  readonly yard: GitYard;
  readonly works: readonly Work[];
  /** Runs the checks on a commit. */
  readonly check: (commit: string) => Promise<void>;
}

async function measure(
  files: number,
  secs: number,
  merge: (merging: Merging) => Promise<void>,
): Promise<{ readonly checks: number; readonly tookMs: number }> {
  await using yard = await makeGitYard(files);
  const works = await Promise.all(WORKERS.map((worker) => workOf(yard, worker)));
  let checks = 0;
  const check = async (commit: string): Promise<void> => {
    checks += 1;
    const act = (worktree: string) => validate(yard.git, { worktree, commands: [`sleep ${secs}`] });
    const setUp = { key: '', run: async () => {} };
    const request = { name: LANDING, commit, archive: yard.archive, setUp, act };
    const { value } = await withLanding(yard.git, yard.place, request);
    if (value.kind !== 'passed') throw new Error('the checks failed');
  };
  // The depot and the landing worktree are there: both ways begin alike.
  await check((await candidateOf(yard, works[0])).commit);
  checks = 0;
  const startedAt = performance.now();
  await merge({ yard, works, check });
  return { checks, tookMs: performance.now() - startedAt };
}

async function workOf({ git, placeOf, bare }: GitYard, worker: string): Promise<Work> {
  const place = await placeOf(worker);
  const at = place.path;
  await ensureWorktree(git, place);
  await writeFile(path.join(at, `${worker}.txt`), 'mine\n');
  bare(at, 'add', '-A');
  bare(at, 'commit', '-qm', `the work of ${worker}`);
  return { worker, head: bare(at, 'rev-parse', 'HEAD') };
}

async function candidateOf({ git, place, root }: GitYard, work: Work | undefined) {
  if (work === undefined) throw new Error('there is no work');
  const made = await makeCandidate(git, place, { ...work, clone: worktreePath(root, work.worker), began: null });
  if (made.kind !== 'candidate') throw new Error(`the candidate is ${made.kind}`);
  return made;
}

/** The first has passed before its review; the default branch has moved for each of the others. */
async function oneByOne({ yard, works, check }: Merging): Promise<void> {
  for (const [index, work] of works.entries()) {
    const { base, commit } = await candidateOf(yard, work);
    if (index > 0) await check(commit);
    await bring(yard, { worker: work.worker, base, commit });
  }
}

async function together({ yard, works, check }: Merging): Promise<void> {
  const [first, ...others] = works;
  const { base, commit } = await candidateOf(yard, first);
  const items = others.map(({ worker, head }) => ({ worker, at: { head, tree: null } }));
  const { git, place, root, archive } = yard;
  const { links, left } = await extendChain(git, place, { onto: commit, root, archive, items });
  if (left.length > 0) throw new Error(`${left.length} did not come along`);
  const tip = links.at(-1)?.commit ?? commit;
  await check(tip);
  await bring(yard, { worker: first?.worker ?? '', base, commit: tip });
  for (const link of links) await prove(yard.git, yard.place, link.commit);
}

async function bring(
  { git, place }: GitYard,
  request: { readonly worker: string; readonly base: string; readonly commit: string },
): Promise<void> {
  const published = await publish(git, place, request);
  if (published.kind !== 'published') throw new Error(`the publication is ${published.kind}`);
  await prove(git, place, request.commit);
}
