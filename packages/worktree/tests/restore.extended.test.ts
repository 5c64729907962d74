/** Tests that a worktree comes back as it was at a checkpoint, and that what it replaced stays reachable. */
import { rm } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { checkpoint, restoreCheckpoint, verifyCheckpoint } from '../src/index.ts';
import { bytesOf, makeMess, stateOf } from './mess.ts';
import { addWorker, BRANCH, inYard, NOW, WORKER, type Yard, makeYard } from './support.ts';

const AFTER = 'refs/drover/checkpoints/alba/after';

async function saved(yard: Yard): Promise<string> {
  const request = { ...inYard(yard), id: 'c1', reason: 'manual', why: '', now: NOW } as const;
  return (await checkpoint(yard.git, request)).commit;
}

const requestOf = (yard: Yard, commit: string) => ({ ...inYard(yard), commit, saveAs: 'after', now: NOW }) as const;

test('given later commits and other work, when restored twice, then all is as saved, ignored files stay and the rest is kept', async () => {
  await using yard = await makeYard();
  await makeMess(yard);
  const before = await stateOf(yard);
  const commit = await saved(yard);
  const later = await yard.commit(yard.worktree, { 'later.txt': 'l', 'b.txt': 'back' });
  await yard.write(yard.worktree, { 'a.txt': 'other work', 'more.txt': 'more', 'key.secret': 'newer' });

  const when = await restoreCheckpoint(yard.git, requestOf(yard, commit));

  expect(when).toMatchObject({ kind: 'restored', saved: [AFTER], before: undefined });
  expect(await stateOf(yard)).toEqual(before);
  expect(await yard.read(yard.worktree, 'key.secret')).toBe('newer');
  expect(await yard.sh(yard.worktree, 'rev-parse', '--abbrev-ref', 'HEAD')).toBe(BRANCH);
  expect(await yard.sh(yard.archive, 'rev-parse', `${AFTER}^1`)).toBe(later);
  expect(await yard.sh(yard.archive, 'show', `${AFTER}:more.txt`)).toBe('more');
  expect(await restoreCheckpoint(yard.git, requestOf(yard, commit))).toEqual(when);
  expect(await stateOf(yard)).toEqual(before);
});

test('given a worktree and a branch that are gone, when they are made anew and restored, then all is as saved', async () => {
  await using yard = await makeYard();
  await yard.commit(yard.worktree, { 'w.txt': 'committed' });
  await makeMess(yard);
  await rm(`${yard.worktree}/key.secret`);
  const [before, files] = [await stateOf(yard), await bytesOf(yard.worktree)];
  const commit = await saved(yard);
  await rm(yard.worktree, { recursive: true });
  await yard.sh(yard.archive, 'update-ref', '-d', `refs/heads/${BRANCH}`);

  await addWorker(yard, WORKER);
  const when = await restoreCheckpoint(yard.git, requestOf(yard, commit));

  expect(when).toMatchObject({ kind: 'restored', saved: [] });
  expect(await stateOf(yard)).toEqual(before);
  expect(await bytesOf(yard.worktree)).toEqual(files);
});

test("given another worker's worktree, when a checkpoint is restored there, then that worker has the work and lost nothing", async () => {
  await using yard = await makeYard();
  await makeMess(yard);
  const commit = await saved(yard);
  const path = await addWorker(yard, 'bruno');
  const own = await yard.commit(path, { 'bruno.txt': 'b' });

  const when = await restoreCheckpoint(yard.git, { ...requestOf(yard, commit), worktree: path, worker: 'bruno' });

  expect(when).toMatchObject({ kind: 'restored', saved: ['refs/drover/checkpoints/bruno/after'] });
  expect(await yard.read(path, 'a.txt')).toBe('unstaged on top\n');
  expect(await yard.sh(path, 'rev-parse', '--abbrev-ref', 'HEAD')).toBe('drover/bruno');
  expect(await yard.sh(yard.archive, 'rev-parse', 'refs/drover/checkpoints/bruno/after^1')).toBe(own);
});

test('given an ignored file where the checkpoint has one, when it is restored, then the ignored one is kept on the ref', async () => {
  await using yard = await makeYard();
  await yard.write(yard.worktree, { 'data/x': 'saved', notes: 'saved' });
  const commit = await saved(yard);
  await rm(`${yard.worktree}/data`, { recursive: true });
  await rm(`${yard.worktree}/notes`);
  await yard.write(yard.worktree, { '.gitignore': 'data\nnotes\n', data: 'a file now', 'notes/y': 'a directory now' });

  const when = await restoreCheckpoint(yard.git, requestOf(yard, commit));

  expect(when.kind).toBe('restored');
  expect(await yard.read(yard.worktree, 'data/x')).toBe('saved');
  expect(await yard.read(yard.worktree, 'notes')).toBe('saved');
  expect(await yard.sh(yard.archive, 'show', `${AFTER}:data`)).toBe('a file now');
  expect(await yard.sh(yard.archive, 'show', `${AFTER}:notes/y`)).toBe('a directory now');
});

test('given a file that only the present rules ignore, when a checkpoint is restored, then it is kept on a ref, and gone', async () => {
  await using yard = await makeYard();
  await yard.write(yard.worktree, { 'a.txt': 'saved' });
  const commit = await saved(yard);
  await yard.write(yard.worktree, { '.gitignore': 'notes\n', notes: 'new' });

  const when = await restoreCheckpoint(yard.git, requestOf(yard, commit));

  expect(when).toMatchObject({ kind: 'restored', saved: [AFTER, `${AFTER}-try2`] });
  expect(await yard.sh(yard.worktree, 'status', '--porcelain')).toBe(' M a.txt');
  expect(await yard.sh(yard.archive, 'show', `${AFTER}-try2:notes`)).toBe('new');
});

test('given files and a directory that the checkpoint skipped, when it is restored, then they stay as they are now', async () => {
  await using yard = await makeYard();
  await yard.write(yard.worktree, { 'big.bin': 'x'.repeat(2_000), 'b.txt': 'y'.repeat(2_000), 'a.txt': 'saved' });
  await yard.write(yard.worktree, { 'data/1': 'one', 'data/2': 'two', 'data/3': 'three' });
  const request = { ...inYard(yard), id: 'c1', reason: 'manual', why: '', now: NOW } as const;
  const limits = { fileBytesMax: 1_000, totalBytesMax: 10_000, filesMax: 2 };
  const { commit } = await checkpoint(yard.git, { ...request, limits });
  await yard.write(yard.worktree, { 'a.txt': 'damaged' });

  await restoreCheckpoint(yard.git, requestOf(yard, commit));

  expect(await yard.read(yard.worktree, 'a.txt')).toBe('saved');
  expect(await yard.read(yard.worktree, 'big.bin')).toBe('x'.repeat(2_000));
  expect(await yard.read(yard.worktree, 'data/2')).toBe('two');
  expect(await yard.read(yard.worktree, 'b.txt')).toBe('y'.repeat(2_000));
});

test('given a checkpoint from within a rebase, when it is restored, then the branch is where it was before', async () => {
  await using yard = await makeYard();
  const mine = await yard.commit(yard.worktree, { 'a.txt': 'mine\n' });
  await yard.commit(yard.source, { 'a.txt': 'theirs\n' });
  await yard.sh(yard.worktree, 'fetch', '-q', 'origin');
  await yard.sh(yard.worktree, 'rebase', '-q', 'origin/main').catch(() => undefined);
  const commit = await saved(yard);

  const when = await restoreCheckpoint(yard.git, requestOf(yard, commit));

  expect(when).toMatchObject({
    kind: 'restored',
    head: mine,
    saved: [AFTER],
    before: { kind: 'rebase', before: mine },
  });
  expect(await yard.sh(yard.worktree, 'status', '--porcelain', '--branch')).toBe(`## ${BRANCH}`);
  expect(await yard.sh(yard.archive, 'show', `${commit}:a.txt`)).toContain('<<<<<<<');
});

test('given a merge under way now, when a checkpoint from before is restored, then the merge is left and kept', async () => {
  await using yard = await makeYard();
  await yard.write(yard.worktree, { 'b.txt': 'draft' });
  const commit = await saved(yard);
  await yard.commit(yard.worktree, { 'a.txt': 'mine\n', 'b.txt': 'bee\n' });
  await yard.commit(yard.source, { 'a.txt': 'theirs\n' });
  await yard.sh(yard.worktree, 'fetch', '-q', 'origin');
  await yard.sh(yard.worktree, 'merge', '-q', 'origin/main').catch(() => undefined);

  const when = await restoreCheckpoint(yard.git, requestOf(yard, commit));

  expect(when).toMatchObject({ kind: 'restored', saved: [AFTER] });
  expect(await yard.sh(yard.worktree, 'status', '--porcelain')).toBe(' M b.txt');
  await expect(yard.sh(yard.worktree, 'rev-parse', '--verify', 'MERGE_HEAD')).rejects.toThrow(
    'Needed a single revision',
  );
  expect(await yard.sh(yard.archive, 'log', '-1', '--format=%B', AFTER)).toContain('During: merge');
});

test('given a checkpoint that lost an object, when it is restored, then it is refused and nothing is changed', async () => {
  await using yard = await makeYard();
  await yard.write(yard.worktree, { 'a.txt': 'saved' });
  const commit = await saved(yard);
  const blob = await yard.sh(yard.archive, 'rev-parse', `${commit}:a.txt`);
  await yard.write(yard.worktree, { 'a.txt': 'now' });
  const place = { path: yard.archive, commit };
  const whole = await verifyCheckpoint(yard.git, place);
  await rm(`${yard.archive}/objects/${blob.slice(0, 2)}/${blob.slice(2)}`, { force: true });

  const when = await restoreCheckpoint(yard.git, requestOf(yard, commit));

  expect(whole).toEqual({ kind: 'whole' });
  expect(when).toMatchObject({ kind: 'damaged', why: expect.stringContaining(blob) as string });
  expect(await yard.read(yard.worktree, 'a.txt')).toBe('now');
  const gone = { ...requestOf(yard, 'f'.repeat(40)) };
  expect(await restoreCheckpoint(yard.git, gone)).toMatchObject({ kind: 'damaged' });
});

test('given a submodule with changes, when checkpoint and restore pass over it, then its inside stays as it is', async () => {
  await using yard = await makeYard();
  await yard.sh(yard.worktree, '-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', yard.source, 'sub');
  await yard.sh(yard.worktree, 'commit', '-q', '-m', 'with a submodule');
  await yard.write(`${yard.worktree}/sub`, { 'a.txt': 'inside' });
  await yard.write(yard.worktree, { 'b.txt': 'outside' });
  const commit = await saved(yard);
  await yard.write(yard.worktree, { 'b.txt': 'damaged' });

  const when = await restoreCheckpoint(yard.git, requestOf(yard, commit));

  expect(when.kind).toBe('restored');
  expect(await yard.read(yard.worktree, 'b.txt')).toBe('outside');
  expect(await yard.read(`${yard.worktree}/sub`, 'a.txt')).toBe('inside');
});
