import { rm } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { checkpoint, listCheckpoints, pruneCheckpoints, restoreCheckpoint } from '../src/index.ts';
import { BRANCH, NOW, WORKER, type Yard, makeYard } from './support.ts';

const requestOf = (yard: Yard, id: string, now = NOW) =>
  ({ worktree: yard.worktree, worker: WORKER, id, reason: 'periodic', now }) as const;

/** Something of every sort: staged, unstaged on top, deleted, untracked with odd names, ignored, executable. */
async function makeMess(yard: Yard): Promise<void> {
  await yard.write(yard.worktree, { 'a.txt': 'staged\n', 'staged-new.txt': 's' });
  await yard.sh(yard.worktree, 'add', 'a.txt', 'staged-new.txt');
  await yard.write(yard.worktree, {
    'a.txt': 'unstaged on top\n',
    'b.txt': undefined,
    '-rf': 'dash',
    'line\nbreak ünï.txt': 'odd',
    'deep/er/x.txt': 'x',
    'key.secret': 'ignored',
  });
}

const stateOf = async (yard: Yard): Promise<string[]> => [
  await yard.sh(yard.worktree, 'status', '--porcelain=v2', '-z', '--branch', '--untracked-files=all'),
  await yard.sh(yard.worktree, 'write-tree'),
];

test('given a mess, when it is checkpointed, then all but ignored files are saved and nothing is touched', async () => {
  await using yard = await makeYard();
  await makeMess(yard);
  const before = await stateOf(yard);

  const when = await checkpoint(yard.git, requestOf(yard, 'c1'));

  expect(when).toMatchObject({ kind: 'saved', ref: 'refs/drover/checkpoints/alba/c1' });
  if (when.kind !== 'saved') throw new Error(when.kind);
  expect([...when.files].sort()).toEqual([
    '-rf',
    'a.txt',
    'b.txt',
    'deep/er/x.txt',
    'line\nbreak ünï.txt',
    'staged-new.txt',
  ]);
  expect(await stateOf(yard)).toEqual(before);
  expect(await checkpoint(yard.git, requestOf(yard, 'c1', NOW + 5000))).toEqual(when);
});

test('given a clean worktree, when it is checkpointed, then there is nothing to save', async () => {
  await using yard = await makeYard();

  expect((await checkpoint(yard.git, requestOf(yard, 'c1'))).kind).toBe('clean');
});

test('given an id that keeps other work, when it is used again, then that work is not overwritten', async () => {
  await using yard = await makeYard();
  await yard.write(yard.worktree, { 'a.txt': 'v1' });
  await checkpoint(yard.git, requestOf(yard, 'c1'));
  await yard.write(yard.worktree, { 'a.txt': 'v2' });

  await expect(checkpoint(yard.git, requestOf(yard, 'c1'))).rejects.toMatchObject({ code: 'id-taken' });
  expect(await yard.sh(yard.repo, 'show', 'refs/drover/checkpoints/alba/c1:a.txt')).toBe('v1');
});

test('given later commits, when restored twice, then staged, unstaged and untracked are as saved and commits are kept', async () => {
  await using yard = await makeYard();
  await makeMess(yard);
  const before = await stateOf(yard);
  await checkpoint(yard.git, requestOf(yard, 'c1'));
  const later = await yard.commit(yard.worktree, { 'later.txt': 'l' });
  const request = { worktree: yard.worktree, worker: WORKER, id: 'c1', now: NOW };

  const when = await restoreCheckpoint(yard.git, request);

  expect(when).toMatchObject({ kind: 'restored', trash: [`refs/drover/trash/alba/restored-${later.slice(0, 12)}`] });
  expect(await stateOf(yard)).toEqual(before);
  expect((await restoreCheckpoint(yard.git, request)).kind).toBe('restored');
  expect(await stateOf(yard)).toEqual(before);
  expect(await yard.read(yard.worktree, 'key.secret')).toBe('ignored');
  expect(await yard.sh(yard.worktree, 'rev-parse', '--abbrev-ref', 'HEAD')).toBe(BRANCH);
});

test('given a restore that died half-way, when repeated, then it goes on', async () => {
  await using yard = await makeYard();
  await makeMess(yard);
  const before = await stateOf(yard);
  await checkpoint(yard.git, requestOf(yard, 'c1'));
  const request = { worktree: yard.worktree, worker: WORKER, id: 'c1', now: NOW };
  await restoreCheckpoint(yard.git, request);
  await rm(`${yard.worktree}/-rf`);
  await yard.sh(yard.worktree, 'read-tree', 'refs/drover/checkpoints/alba/c1');
  await yard.write(yard.worktree, { 'b.txt': 'bee\n' });

  expect((await restoreCheckpoint(yard.git, request)).kind).toBe('restored');
  expect(await stateOf(yard)).toEqual(before);
});

test('given other uncommitted work, when a checkpoint is restored, then it is refused and named', async () => {
  await using yard = await makeYard();
  await yard.write(yard.worktree, { 'a.txt': 'v1' });
  await checkpoint(yard.git, requestOf(yard, 'c1'));
  await yard.write(yard.worktree, { 'a.txt': 'new work', 'more.txt': '' });
  const request = { worktree: yard.worktree, worker: WORKER, now: NOW };

  expect(await restoreCheckpoint(yard.git, { ...request, id: 'c1' })).toEqual({
    kind: 'dirty',
    files: ['a.txt', 'more.txt'],
  });
  expect((await restoreCheckpoint(yard.git, { ...request, id: 'none' })).kind).toBe('no-such-checkpoint');
  expect(await yard.read(yard.worktree, 'a.txt')).toBe('new work');
});

test('given twelve periodic checkpoints and one set aside, when pruned, then the newest ten and that one stay', async () => {
  await using yard = await makeYard();
  await yard.write(yard.worktree, { 'a.txt': 'aside' });
  await checkpoint(yard.git, { ...requestOf(yard, 'aside', NOW - 99_000), reason: 'set-aside' });
  for (let count = 0; count < 12; count += 1) {
    await yard.write(yard.worktree, { 'a.txt': `v${count}` });
    await checkpoint(yard.git, requestOf(yard, `p${count}`, NOW + count * 1000));
  }

  expect(await pruneCheckpoints(yard.git, { repo: yard.repo, worker: WORKER })).toEqual(['p1', 'p0']);
  expect(await pruneCheckpoints(yard.git, { repo: yard.repo, worker: WORKER })).toEqual([]);
  const left = await listCheckpoints(yard.git, { repo: yard.repo, worker: WORKER });
  expect(left).toHaveLength(11);
  expect(left[0]).toMatchObject({ id: 'p11', reason: 'periodic', savedAt: NOW + 11_000 });
  expect(left[10]).toMatchObject({ id: 'aside', reason: 'set-aside' });
});
