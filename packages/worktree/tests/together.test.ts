import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  acceptFastForward,
  acceptRebase,
  acceptSquash,
  checkpoint,
  ensureWorktree,
  readWorktree,
  prepareForTask,
  workerBranch,
  worktreePath,
} from '../src/index.ts';
import { NOW, makeYard } from './support.ts';

const WORKERS = ['bora', 'cleo', 'dana', 'emil', 'fara', 'gero'];

test('given six workers of one clone, when all are made, prepared and checkpointed at once, then none disturbs another', async () => {
  await using yard = await makeYard();
  const newest = await yard.commit(yard.source, { 'c.txt': 'c\n' });

  await Promise.all(
    WORKERS.map(async (worker) => {
      const worktree = worktreePath(yard.repo, worker);
      const branch = workerBranch(worker);
      await ensureWorktree(yard.git, { repo: yard.repo, path: worktree, branch, base: 'origin/main' });
      const request = { worktree, worker, branch, source: yard.source, defaultBranch: 'main', id: 't1', now: NOW };
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

test('given two workers whose work was rebased on one main, when both advance it at once, then one wins, the other rebases', async () => {
  await using yard = await makeYard();
  const readied = await Promise.all(
    ['bora', 'cleo'].map(async (worker) => {
      const worktree = join(yard.repo, '.worktrees', worker);
      await ensureWorktree(yard.git, {
        repo: yard.repo,
        path: worktree,
        branch: workerBranch(worker),
        base: 'origin/main',
      });
      await yard.commit(worktree, { [`${worker}.txt`]: worker }, `by ${worker}`);
      return { worker, worktree, source: yard.source, defaultBranch: 'main', id: 'acc', now: NOW } as const;
    }),
  );
  const accept = async (request: (typeof readied)[number]): Promise<string> => {
    const rebased = await acceptRebase(yard.git, request);
    if (rebased.kind !== 'ready') return rebased.kind;
    const squashed = await acceptSquash(yard.git, { ...request, ...rebased });
    if (squashed.kind !== 'already') return squashed.kind;
    const forward = { ...request, expected: rebased.base, commit: squashed.commit };
    return (await acceptFastForward(yard.git, forward)).kind;
  };

  const kinds = await Promise.all(readied.map(accept));

  expect(kinds).toContain('advanced');
  for (const [index, request] of readied.entries()) {
    if (kinds[index] !== 'advanced') expect(await accept(request)).toBe('advanced');
  }
  expect((await yard.sh(yard.source, 'log', '--format=%s', 'main')).split('\n').sort()).toEqual([
    'by bora',
    'by cleo',
    'first',
  ]);
  expect(await yard.sh(yard.source, 'status', '--porcelain')).toBe('');
});
