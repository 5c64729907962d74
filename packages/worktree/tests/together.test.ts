import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  checkpoint,
  ensureWorktree,
  fetchDefaultBranch,
  makeCandidate,
  readWorktree,
  prepareForTask,
  publish,
  workerBranch,
  worktreePath,
} from '../src/index.ts';
import { NOW, makeYard } from './support.ts';
import { placeIn, workAt } from './depot/support.ts';

const WORKERS = ['bora', 'cleo', 'dana', 'emil', 'fara', 'gero'];

test('given six workers of one clone, when all are made, prepared and checkpointed at once, then none disturbs another', async () => {
  await using yard = await makeYard();
  const newest = await yard.commit(yard.source, { 'c.txt': 'c\n' });

  await Promise.all(
    WORKERS.map(async (worker) => {
      const worktree = worktreePath(yard.repo, worker);
      const branch = workerBranch(worker);
      await ensureWorktree(yard.git, { repo: yard.repo, path: worktree, branch, base: 'origin/main' });
      const base = await fetchDefaultBranch(yard.git, worktree, 'main');
      const request = { worktree, worker, branch, source: yard.source, base, id: 't1', now: NOW };
      await prepareForTask(yard.git, { ...request, copyFiles: [], commits: 'refuse' });
      await yard.write(worktree, { [`${worker}.txt`]: worker });
      await checkpoint(yard.git, { worktree, worker, id: 'c1', reason: 'periodic', why: '', now: NOW });
    }),
  );

  for (const worker of WORKERS) {
    const facts = await readWorktree(yard.git, { path: worktreePath(yard.repo, worker), base: 'origin/main' });
    expect(facts).toMatchObject({ head: newest, branch: workerBranch(worker), changes: [{ path: `${worker}.txt` }] });
    expect(await yard.sh(yard.repo, 'show', `refs/drover/checkpoints/${worker}/c1:${worker}.txt`)).toBe(worker);
  }
});

test('given two workers whose candidates stand on one main, when both are published at once, then one wins, the other is made again', async () => {
  await using yard = await makeYard();
  const place = placeIn(yard);
  const readied = await Promise.all(
    ['bora', 'cleo'].map(async (worker) => {
      const path = join(yard.repo, '.worktrees', worker);
      await ensureWorktree(yard.git, { repo: yard.repo, path, branch: workerBranch(worker), base: 'origin/main' });
      const head = await yard.commit(path, { [`${worker}.txt`]: worker }, `by ${worker}`);
      return { ...workAt(yard, head), worker } as const;
    }),
  );
  const candidateOf = async (work: (typeof readied)[number]) => {
    const made = await makeCandidate(yard.git, place, work);
    if (made.kind !== 'candidate') throw new Error(made.kind);
    return { worker: work.worker, base: made.base, commit: made.commit };
  };
  const candidates = await Promise.all(readied.map(candidateOf));

  const kinds = (await Promise.all(candidates.map((one) => publish(yard.git, place, one)))).map(({ kind }) => kind);

  expect(kinds.toSorted()).toEqual(['moved', 'published']);
  const loser = readied[kinds.indexOf('moved')];
  if (loser === undefined) throw new Error('nobody lost');
  expect((await publish(yard.git, place, await candidateOf(loser))).kind).toBe('published');
  expect((await yard.sh(yard.source, 'log', '--format=%s', 'main')).split('\n').sort()).toEqual([
    'by bora',
    'by cleo',
    'first',
  ]);
  expect(await yard.sh(yard.source, 'status', '--porcelain')).toBe('');
});
