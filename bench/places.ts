// The cost of a place of its own for each worker, in time and on the disk, beside the linked worktrees of git.
import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { ensureWorktree, prepareForTask, removeWorktree } from '@drover/worktree';
import { execFileSync } from 'node:child_process';
import type { Benchmark } from './src/benchmark.ts';
import { type GitYard, makeGitYard } from './git/yard.ts';
import { median, ms, table } from './src/table.ts';

/** A place may take so many times what a linked worktree takes. */
const TIMES_LINKED = 1.2;
/** Factor for smoke runs: in a small repository a place is the starts of its programs. */
const SMOKE_SLACK = 10;

const FILES = { full: 12_000, smoke: 500 };
const WORKERS = { full: 50, smoke: 3 };
/** Mebibytes of former files that are in the history alone. */
const HISTORY = { full: 1_024, smoke: 1 };
const MIB = 1024 * 1024;

/** Runs both ways in turn for each worker, so that a load that comes and goes falls on both. */
export const benchmark: Benchmark = {
  about: "a worker's place takes at most 1.2 times a linked worktree of git, in time and on the disk",
  async run({ smoke, settings }) {
    const size = smoke ? 'smoke' : 'full';
    const files = Number(settings['files'] ?? FILES[size]);
    const workers = Number(settings['workers'] ?? WORKERS[size]);
    await using yard = await makeGitYard(files);
    await growHistory(yard, Number(settings['history'] ?? HISTORY[size]));
    const taken: Record<string, number[]> = { place: [], 'git worktree add': [], prepare: [], 'remove, clean': [] };
    const time = async (what: string, act: () => unknown): Promise<void> => {
      const startedAt = performance.now();
      await act();
      taken[what]?.push(performance.now() - startedAt);
    };
    const linked = path.join(yard.source, '..', 'linked');
    await yard.placeOf('first');
    for (let index = 0; index < workers; index += 1) {
      const worker = `w${index}`;
      const place = await yard.placeOf(worker);
      await time('place', () => ensureWorktree(yard.git, place));
      await time('git worktree add', () =>
        yard.bare(yard.source, 'worktree', 'add', '-q', '-b', worker, path.join(linked, worker), 'main'),
      );
    }
    const [own, theirs] = [sizeOf(path.join(yard.root, '.worktrees')), sizeOf(linked)];
    for (let index = 0; index < Math.min(workers, ROUNDS_MAX); index += 1) await useAndRemove(yard, `w${index}`, time);
    const rows = Object.entries(taken).map(([what, values]) => [what, ms(Math.min(...values)), ms(median(values))]);
    console.log(table([`${files} files, ${workers} workers`, 'least', 'median'], rows));
    const depot = sizeOf(yard.place.directory);
    // The yard has a worker of its own.
    const times = own / (workers + 1) / (theirs / workers);
    console.log(
      `disk: ${own} MiB for ${workers + 1} places, ${theirs} MiB for ${workers} linked worktrees (${times.toFixed(2)} times for each); ${depot} MiB of depot and archive once`,
    );
    const slower = median(taken['place'] ?? []) / median(taken['git worktree add'] ?? []);
    console.log(`time: ${slower.toFixed(2)} times a linked worktree, by the medians`);
    const slack = smoke ? SMOKE_SLACK : 1;
    return slower <= TIMES_LINKED * slack && times <= TIMES_LINKED * slack;
  },
};

/** Places that are prepared and removed. */
const ROUNDS_MAX = 15;

/** Measures a place in which a task begins with nothing to do, and the removal of the place. */
async function useAndRemove(
  { git, placeOf, source, archive }: GitYard,
  worker: string,
  time: (what: string, act: () => unknown) => Promise<void>,
): Promise<void> {
  const { path: worktree, base } = await placeOf(worker);
  const request = { worktree, archive, worker, branch: `drover/${worker}`, source, base, copyFiles: [] };
  const now = Date.now();
  await time('prepare', () => prepareForTask(git, { ...request, commits: 'set-aside', id: `p-${worker}`, now }));
  const going = { archive, path: worktree, worker, base, id: `r-${worker}`, now, force: false };
  await time('remove, clean', () => removeWorktree(git, going));
}

/** Commits files that do not compress, and takes them out again. */
async function growHistory({ source, bare }: GitYard, mebibytes: number): Promise<void> {
  const plain = ['-c', 'core.compression=0', '-c', 'core.bigFileThreshold=1m'];
  for (let left = mebibytes; left > 0; left -= 64) {
    await writeFile(path.join(source, 'former.bin'), randomBytes(Math.min(left, 64) * MIB));
    bare(source, ...plain, 'add', 'former.bin');
    bare(source, 'commit', '-qm', 'a large file');
  }
  bare(source, 'rm', '-q', 'former.bin');
  bare(source, 'commit', '-qm', 'without it');
}

/** Mebibytes on the disk. */
function sizeOf(directory: string): number {
  return Math.round(Number(execFileSync('du', ['-sk', directory], { encoding: 'utf8' }).split('\t')[0]) / 1024);
}
