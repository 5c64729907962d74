import { expect, test } from 'vitest';
import {
  checkpoint,
  ensureWorktree,
  makeCandidate,
  readWorktree,
  prepareForTask,
  publish,
  workerBranch,
  worktreePath,
} from '../src/index.ts';
import { addWorker, placeOf, NOW, makeYard } from './support.ts';
import { placeIn, workAt } from './depot/support.ts';

const WORKERS = ['bora', 'cleo', 'dana', 'emil', 'fara', 'gero'];

test('given six workers of one project, when all are made, prepared and checkpointed at once, then none disturbs another', async () => {
  await using yard = await makeYard();
  const newest = await yard.commit(yard.source, { 'c.txt': 'c\n' });

  await Promise.all(
    WORKERS.map(async (worker) => {
      const worktree = worktreePath(yard.root, worker);
      const branch = workerBranch(yard.git, worker);
      const place = await placeOf(yard, worker);
      await ensureWorktree(yard.git, place);
      const { archive } = yard;
      const request = { worktree, archive, worker, branch, source: yard.source, base: place.base, id: 't1', now: NOW };
      await prepareForTask(yard.git, { ...request, copyFiles: [], commits: 'refuse' });
      await yard.write(worktree, { [`${worker}.txt`]: worker });
      await checkpoint(yard.git, { worktree, archive, worker, id: 'c1', reason: 'periodic', why: '', now: NOW });
    }),
  );

  for (const worker of WORKERS) {
    const facts = await readWorktree(yard.git, { path: worktreePath(yard.root, worker), base: 'origin/main' });
    expect(facts).toMatchObject({
      head: newest,
      branch: workerBranch(yard.git, worker),
      changes: [{ path: `${worker}.txt` }],
    });
    expect(await yard.sh(yard.archive, 'show', `refs/drover/checkpoints/${worker}/c1:${worker}.txt`)).toBe(worker);
  }
});

test('given two workers whose candidates stand on one main, when both are published at once, then one wins, the other is made again', async () => {
  await using yard = await makeYard();
  const place = placeIn(yard);
  const readied = await Promise.all(
    ['bora', 'cleo'].map(async (worker) => {
      const path = await addWorker(yard, worker);
      const head = await yard.commit(path, { [`${worker}.txt`]: worker }, `by ${worker}`);
      return { ...workAt(yard, head), worker, clone: path } as const;
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
