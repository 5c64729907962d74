import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Git, listCheckpoints, readWorktree } from '../src/index.ts';
import { BRANCH, WORKER, makeYard, prepareIn } from './support.ts';

test('given uncommitted work and a newer main, when prepared twice, then the work is saved, told, and main is checked out', async () => {
  await using yard = await makeYard();
  const newest = await yard.commit(yard.source, { 'c.txt': 'c\n' });
  await yard.write(yard.worktree, { 'a.txt': 'half done\n', 'notes.md': 'n' });

  const when = await prepareIn(yard);
  const again = await prepareIn(yard);

  expect(when).toMatchObject({ kind: 'prepared', head: newest, supplies: { lfs: { kind: 'not-used' } } });
  if (when.kind !== 'prepared') throw new Error(when.kind);
  expect(when.setAside.uncommitted).toMatchObject([
    { ref: 'refs/drover/checkpoints/alba/t1', files: ['a.txt', 'notes.md'] },
  ]);
  expect(again).toEqual(when);
  expect(await readWorktree(yard.git, { path: yard.worktree, base: 'origin/main' })).toMatchObject({
    head: newest,
    changeCount: 0,
    branch: BRANCH,
  });
  expect(await yard.sh(yard.archive, 'show', 'refs/drover/checkpoints/alba/t1:a.txt')).toBe('half done');
});

test.each(['--assume-unchanged', '--skip-worktree'])(
  'given changes that %s hides, when prepared, then they stay until something is written over them, and are saved then',
  async (flag) => {
    await using yard = await makeYard();
    await yard.sh(yard.worktree, 'update-index', flag, 'a.txt', 'b.txt');
    await yard.write(yard.worktree, { 'a.txt': 'hidden\n', 'b.txt': 'local settings\n' });
    await yard.commit(yard.source, { 'c.txt': 'of main\n' });

    const first = await prepareIn(yard);
    const stayed = await yard.read(yard.worktree, 'b.txt');
    await yard.commit(yard.source, { 'a.txt': 'of main\n' });
    const second = await prepareIn(yard);

    expect([first, stayed]).toEqual([expect.objectContaining({ kind: 'prepared' }), 'local settings\n']);
    expect(second).toMatchObject({ kind: 'prepared', setAside: { uncommitted: [{ files: ['a.txt', 'b.txt'] }] } });
    expect(await yard.read(yard.worktree, 'a.txt')).toBe('of main\n');
  },
);

test('given a worktree at the newest main, when prepared, then six gits did it', async () => {
  await using yard = await makeYard();
  const before = yard.calls.length;

  const when = await prepareIn(yard);

  expect(when).toMatchObject({ kind: 'prepared', setAside: { uncommitted: [], commits: [] } });
  expect(yard.calls.length - before).toBe(6);
});

test('given commits of its own, when prepared, then they are refused, or set aside on a ref if asked', async () => {
  await using yard = await makeYard();
  const own = await yard.commit(yard.worktree, { 'own.txt': 'o' });

  expect(await prepareIn(yard)).toMatchObject({ kind: 'has-commits', ahead: 1, head: own });
  const when = await prepareIn(yard, { commits: 'set-aside' });

  expect(when).toMatchObject({ kind: 'prepared', setAside: { commits: ['refs/drover/checkpoints/alba/t1-commits0'] } });
  expect(await yard.sh(yard.archive, 'rev-parse', 'refs/drover/checkpoints/alba/t1-commits0^1')).toBe(own);
  expect(await listCheckpoints(yard.git, { archive: yard.archive, worker: WORKER })).toMatchObject([
    { reason: 'set-aside' },
  ]);
});

test('given a clean worktree, when somebody writes into it while it is prepared, then what they wrote stays', async () => {
  await using yard = await makeYard();
  const written: Git = {
    ...yard.git,
    run: async (program, args, options) => {
      if (args.includes('reset')) await yard.write(yard.worktree, { 'a.txt': 'of a person\n' });
      return yard.git.run(program, args, options);
    },
  };

  await prepareIn(yard, { context: written });

  expect(await yard.read(yard.worktree, 'a.txt')).toBe('of a person\n');
});

test('given a repository inside the worktree, when prepared twice, then it is moved beside, whole, and told', async () => {
  await using yard = await makeYard();
  await yard.sh(yard.worktree, 'init', '-q', 'inner');
  await yard.commit(join(yard.worktree, 'inner'), { 'i.txt': 'i' });

  const when = await prepareIn(yard);
  const again = await prepareIn(yard);

  if (when.kind !== 'prepared') throw new Error(when.kind);
  const [beside = ''] = when.setAside.large;
  expect(await yard.sh(join(beside, 'inner'), 'show', 'HEAD:i.txt')).toBe('i');
  expect(await yard.sh(yard.worktree, 'status', '--porcelain')).toBe('');
  expect(again).toEqual(when);
});
