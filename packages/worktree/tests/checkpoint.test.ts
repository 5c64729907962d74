/** Tests that a checkpoint keeps everything of a worktree and touches nothing in it. */
import { chmod, mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  type CheckpointOutcome,
  checkpoint,
  collectGarbage,
  dropCheckpoints,
  listCheckpoints,
  readCheckpoint,
  restoreCheckpoint,
  setAside,
} from '../src/index.ts';
import { makeMess, stateOf } from './mess.ts';
import { inYard, NOW, WORKER, type Yard, makeYard } from './support.ts';

const requestOf = (yard: Yard, id: string, now = NOW) =>
  ({ ...inYard(yard), id, reason: 'periodic', why: 'a minute has passed', now }) as const;

const filesOf = async (yard: Yard, { commit }: CheckpointOutcome): Promise<string[]> =>
  (await readCheckpoint(yard.git, { path: yard.archive, commit })).files.map(({ path }) => path).toSorted();

test('given a mess, when it is checkpointed, then all but ignored files are kept and nothing is touched', async () => {
  await using yard = await makeYard();
  await makeMess(yard);
  const before = await stateOf(yard);

  const when = await checkpoint(yard.git, requestOf(yard, 'c1'));

  expect(when).toMatchObject({ kind: 'saved', dirty: 6, skipped: [], during: undefined });
  expect(await filesOf(yard, when)).toEqual([
    '-rf',
    'a.txt',
    'b.txt',
    'deep/er/x.txt',
    'line\nbreak ünï.txt',
    'staged-new.txt',
  ]);
  expect(await stateOf(yard)).toEqual(before);
  await yard.write(yard.worktree, { 'a.txt': 'the agent continues' });
  expect((await checkpoint(yard.git, requestOf(yard, 'c1', NOW + 5000))).commit).toBe(when.commit);
});

test('given a sparse checkout with files outside of it, when it is checkpointed and set aside, then all is kept, and what is not checked out stays', async () => {
  await using yard = await makeYard();
  await yard.commit(yard.worktree, { 'in/a.txt': 'in', 'out/b.txt': 'out' });
  await yard.sh(yard.worktree, 'sparse-checkout', 'set', 'in');
  await yard.write(yard.worktree, { 'in/a.txt': 'changed', 'out/new.txt': 'new', 'other/new.txt': 'new' });
  const all = ['.gitignore', 'a.txt', 'b.txt', 'in/a.txt', 'other/new.txt', 'out/b.txt', 'out/new.txt'];

  const when = await checkpoint(yard.git, requestOf(yard, 'c1'));
  const aside = await setAside(yard.git, { ...inYard(yard), id: 'task', now: NOW });

  expect(when.skipped).toEqual([]);
  for (const { commit } of [when, aside as { readonly commit: string }])
    expect((await yard.sh(yard.archive, 'ls-tree', '-r', '--name-only', commit)).split('\n')).toEqual(all);
});

test('given ignored files that the project counts as work, when they are checkpointed, then they are kept up to the limit and come back', async () => {
  await using yard = await makeYard();
  await writeFile(join(yard.worktree, '.git/info/exclude'), 'notes/\n');
  await yard.write(yard.worktree, { 'notes/plan.md': 'plan', 'notes/large.bin': 'x'.repeat(100) });
  const context = { ...yard.git, keep: ['notes/**'] };
  const limits = { fileBytesMax: 50, totalBytesMax: 500, filesMax: 100 };

  const when = await checkpoint(context, { ...requestOf(yard, 'c1'), limits });
  await rm(join(yard.worktree, 'notes'), { recursive: true });
  await restoreCheckpoint(context, { ...inYard(yard), commit: when.commit, saveAs: 'r1', now: NOW });

  expect(await filesOf(yard, when)).toEqual(['notes/plan.md']);
  expect(when.dirty).toBe(1); // the list of checkpoints counts what "show" lists
  expect(when.skipped).toEqual([{ path: 'notes/large.bin', why: 'too-large' }]);
  expect(await readFile(join(yard.worktree, 'notes/plan.md'), 'utf8')).toBe('plan');
});

test('given a clean worktree, when it is checkpointed, then its commit is kept', async () => {
  await using yard = await makeYard();
  const head = await yard.commit(yard.worktree, { 'w.txt': 'w' });

  const before = yard.calls.length;
  const when = await checkpoint(yard.git, requestOf(yard, 'c1'));
  const gits = yard.calls.length - before;
  const again = await checkpoint(yard.git, requestOf(yard, 'c2', NOW + 60_000));

  expect(when).toMatchObject({ kind: 'saved', head, dirty: 0 });
  expect(again).toMatchObject({ kind: 'unchanged', commit: when.commit });
  const tree = await yard.sh(yard.worktree, 'rev-parse', 'HEAD^{tree}');
  const kept = ['^1', '^2^{tree}', '^{tree}'].map((part) => `refs/drover/checkpoints/alba/c1${part}`);
  expect((await yard.sh(yard.archive, 'rev-parse', ...kept)).split('\n')).toEqual([head, tree, tree]);
  expect(gits).toBe(9);
});

test('given a submodule at another commit that ".gitmodules" hides, when it is checkpointed, then that commit is kept', async () => {
  await using yard = await makeYard();
  await yard.sh(yard.worktree, '-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', yard.source, 'sub');
  await yard.sh(yard.worktree, 'config', '--file', '.gitmodules', 'submodule.sub.ignore', 'all');
  await yard.commit(yard.worktree, {}, 'with a submodule');
  const inside = await yard.commit(`${yard.worktree}/sub`, { 'new.txt': 'n' });
  expect(await yard.sh(yard.worktree, 'status', '--porcelain')).toBe('');

  const when = await checkpoint(yard.git, requestOf(yard, 'c1'));

  expect(await yard.sh(yard.archive, 'rev-parse', `${when.commit}:sub`)).toBe(inside);
});

test('given nothing changed, when the next periodic one is due, then nothing is written; any other is kept', async () => {
  await using yard = await makeYard();
  await makeMess(yard);
  const first = await checkpoint(yard.git, requestOf(yard, 'c1'));

  const second = await checkpoint(yard.git, requestOf(yard, 'c2', NOW + 60_000));
  const byHand = await checkpoint(yard.git, { ...requestOf(yard, 'c3', NOW + 61_000), reason: 'manual' });
  await yard.sh(yard.worktree, 'add', 'a.txt');
  const staged = await checkpoint(yard.git, requestOf(yard, 'c4', NOW + 120_000));

  expect(second).toMatchObject({ kind: 'unchanged', commit: first.commit });
  expect([byHand.kind, staged.kind]).toEqual(['saved', 'saved']);
  const ids = (await listCheckpoints(yard.git, { archive: yard.archive, worker: WORKER })).map(({ id }) => id);
  expect(ids).toEqual(['c4', 'c3', 'c1']);
});

test('given a large file, one that cannot be read and an empty repository, when it is checkpointed, then each is named', async () => {
  await using yard = await makeYard();
  await yard.write(yard.worktree, {
    'big.bin': 'x'.repeat(2_000),
    'a.txt': 'y'.repeat(900),
    'c.txt': 'z'.repeat(400),
    'b.txt': 'small',
  });
  await mkdir(`${yard.worktree}/inner`);
  await yard.sh(`${yard.worktree}/inner`, 'init', '-q');
  await writeFile(`${yard.worktree}/inner/file`, 'inner');
  const limits = { fileBytesMax: 1_000, totalBytesMax: 1_000, filesMax: 20_000 };

  const when = await checkpoint(yard.git, { ...requestOf(yard, 'c1'), limits });

  expect(when.skipped).toEqual([
    { path: 'big.bin', why: 'too-large' },
    { path: 'a.txt', why: 'too-large' },
    { path: 'inner', why: 'unreadable' },
  ]);
  expect(await filesOf(yard, when)).toEqual(['b.txt', 'c.txt']);
  expect((await readCheckpoint(yard.git, { path: yard.archive, commit: when.commit })).skipped).toEqual(when.skipped);
});

test('given more untracked files than a checkpoint holds, when it is checkpointed, then their directory is named, and the rest is kept', async () => {
  await using yard = await makeYard();
  const crowd = Object.fromEntries(['1', '2', '3', '4'].map((name) => [`data/${name}`, name]));
  await yard.write(yard.worktree, { ...crowd, 'a.txt': 'edited\n' });
  const limits = { fileBytesMax: 1_000, totalBytesMax: 1_000, filesMax: 3 };

  const when = await checkpoint(yard.git, { ...requestOf(yard, 'c1'), limits });

  expect(when.skipped).toEqual([{ path: 'data', why: 'too-large' }]);
  expect(await yard.sh(yard.archive, 'ls-tree', '-r', '--name-only', when.commit)).not.toContain('data');
  expect(await yard.sh(yard.archive, 'show', `${when.commit}:a.txt`)).toBe('edited');
});

test('given a rebase with a conflict, when it is checkpointed, then it says so and keeps where the branch was', async () => {
  await using yard = await makeYard();
  const mine = await yard.commit(yard.worktree, { 'a.txt': 'mine\n' });
  const theirs = await yard.commit(yard.source, { 'a.txt': 'theirs\n' });
  await yard.sh(yard.worktree, 'fetch', '-q', 'origin');
  await yard.sh(yard.worktree, 'rebase', '-q', 'origin/main').catch(() => undefined);

  const when = await checkpoint(yard.git, requestOf(yard, 'c1'));

  expect(when).toMatchObject({ kind: 'saved', head: theirs, during: { kind: 'rebase', before: mine } });
  expect((await yard.sh(yard.archive, 'log', '-1', '--format=%P', when.commit)).split(' ')).toContain(mine);
});

test('given links and executable files, when they are checkpointed, then their modes are kept', async () => {
  await using yard = await makeYard();
  await yard.write(yard.worktree, { run: '#!/bin/sh\n' });
  await chmod(`${yard.worktree}/run`, 0o755);
  await symlink('a.txt', `${yard.worktree}/link`);

  const when = await checkpoint(yard.git, requestOf(yard, 'c1'));

  expect(await yard.sh(yard.archive, 'ls-tree', '--format=%(objectmode) %(path)', when.commit, 'run', 'link')).toBe(
    '120000 link\n100755 run',
  );
});

test('given checkpoints and work that was set aside, when ids are dropped, then only checkpoints go', async () => {
  await using yard = await makeYard();
  await yard.write(yard.worktree, { 'a.txt': 'aside' });
  const request = { ...inYard(yard), now: NOW };
  await setAside(yard.git, { ...request, id: 'aside' });
  await checkpoint(yard.git, requestOf(yard, 'c1', NOW + 1000));
  await checkpoint(yard.git, { ...requestOf(yard, 'c2', NOW + 2000), reason: 'manual' });
  await yard.write(yard.worktree, { 'a.txt': 'other work' });

  const dropped = await dropCheckpoints(yard.git, {
    archive: yard.archive,
    worker: WORKER,
    ids: ['c1', 'aside', 'none'],
  });

  expect(dropped).toEqual(['c1']);
  const left = await listCheckpoints(yard.git, { archive: yard.archive, worker: WORKER });
  expect(left.map(({ id, reason }) => [id, reason])).toEqual([
    ['c2', 'manual'],
    ['aside', 'set-aside'],
  ]);
  await expect(setAside(yard.git, { ...request, id: 'aside' })).rejects.toMatchObject({ code: 'id-taken' });
});

test('given a checkpoint that was dropped, when garbage is collected, then its objects go and those of the others stay', async () => {
  await using yard = await makeYard();
  await yard.write(yard.worktree, { 'a.txt': 'of the first' });
  const first = await checkpoint(yard.git, requestOf(yard, 'c1'));
  await yard.write(yard.worktree, { 'a.txt': 'of the second' });
  const second = await checkpoint(yard.git, requestOf(yard, 'c2'));
  await dropCheckpoints(yard.git, { archive: yard.archive, worker: WORKER, ids: ['c1'] });

  // Git estimates their number from one of the 256 directories of loose objects.
  const names = Array.from({ length: 1_000 }, (_, count) => `loose/${count}`);
  const paths = names.map((name) => `${yard.root}/${name}`);
  await yard.write(yard.root, Object.fromEntries(names.map((name) => [name, name])));
  await yard.sh(yard.archive, 'hash-object', '-w', '--', ...paths);
  await collectGarbage(yard.git, { at: yard.archive, expire: 'now', looseMax: 1 });

  await expect(yard.sh(yard.archive, 'cat-file', '-e', first.commit)).rejects.toThrow(/cat-file/);
  expect(await yard.sh(yard.archive, 'show', `${second.commit}:a.txt`)).toBe('of the second');
});
