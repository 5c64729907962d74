/** Tests that submodules follow a place through tasks and merges, with the work in them kept. */
import { mkdir, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { bringBase, fillSubmodules, recycle, withLanding } from '../../src/index.ts';
import { addWorker, NOW, placeOf, WORKER } from '../support.ts';
import { beginTask, bump, fill, LOCAL, makeLibraries, remove } from './stand.ts';

test('given a source that has not filled its submodules, when a place is filled, then they come from their addresses', async () => {
  await using yard = await makeLibraries();
  await yard.sh(yard.source, 'submodule', '--quiet', 'deinit', '--all', '--force');
  await rm(join(yard.source, '.git/modules'), { recursive: true });

  const lacking = await fill(yard);

  expect(lacking).toEqual([]);
  expect(await yard.read(yard.worktree, 'vendor/lib/deep/deep.txt')).toBe('deep');
  expect(await fill(yard)).toEqual([]);
});

test.each(['vendor/lib', 'vendor/lib/deep'])(
  'given a commit on a branch of the filled submodule "%s", when the place is to be removed, then it is named',
  async (path) => {
    await using yard = await makeLibraries();
    await fill(yard);
    const at = join(yard.worktree, path);
    const start = await yard.sh(at, 'rev-parse', 'HEAD');
    await yard.sh(at, 'checkout', '-q', '-b', 'mine');
    const commit = await yard.commit(at, { 'mine.txt': 'm' });
    await yard.sh(at, 'checkout', '-q', '--detach', start);

    const when = await remove(yard);

    const loss = { kind: 'repository', path, commits: [commit], files: 0 };
    expect(when).toMatchObject({ kind: 'would-lose', losses: { files: [], others: [loss] } });
  },
);

test('given a main without the submodule, when the next task begins twice, then nothing of it is left, and git is clean', async () => {
  await using yard = await makeLibraries();
  await fill(yard);
  await yard.sh(yard.source, 'rm', '-q', '-f', 'vendor/lib');
  await yard.commit(yard.source, {}, 'without');

  expect(await beginTask(yard)).toBe('prepared');
  expect(await beginTask(yard)).toBe('prepared');

  expect(await yard.sh(yard.worktree, 'status', '--porcelain')).toBe('');
});

test('given merged work and a newer submodule, when the place is made fresh and that is cut off, then the repeated call finds no change', async () => {
  await using yard = await makeLibraries();
  await fill(yard);
  const head = await yard.sh(yard.worktree, 'rev-parse', 'HEAD');
  await bump(yard, { 'new.txt': 'n' });
  const place = await placeOf(yard);
  const request = { place, head, commit: place.base, now: NOW };
  await recycle(yard.git, request);
  await fillSubmodules(yard.git, { worktree: yard.worktree, depot: yard.depot, commit: place.base });

  expect(await recycle(yard.git, request)).toMatchObject({ kind: 'recycled' });
  expect(await yard.sh(yard.worktree, 'status', '--porcelain')).toBe('');
});

test('given a submodule with changed files and a commit, when the next task begins, then both are kept, and it is as the task has it', async () => {
  await using yard = await makeLibraries();
  await fill(yard);
  await bump(yard, { 'new.txt': 'n' });
  const own = await yard.commit(join(yard.worktree, 'vendor/lib'), { 'own.txt': 'own' });
  await yard.write(yard.worktree, { 'vendor/lib/lib.txt': 'mine' });

  expect(await beginTask(yard)).toBe('prepared');
  expect(await yard.sh(yard.worktree, 'status', '--porcelain')).toBe('');
  const refs = await yard.sh(yard.archive, 'for-each-ref', '--format=%(refname)', 'refs/drover/checkpoints');
  const ref = refs.split('\n').find((one) => /-in\d+$/u.test(one)) ?? '';
  expect(await yard.sh(yard.archive, 'show', `${ref}:lib.txt`)).toBe('mine');
  await yard.sh(yard.archive, 'merge-base', '--is-ancestor', own, ref);
});

test.each([
  ['a repository of its own', []],
  [
    'a submodule',
    [
      ['submodule', '--quiet', 'add', 'FROM', 'partial'],
      ['submodule', '--quiet', 'absorbgitdirs'],
    ],
  ],
])(
  'given %s that is a partial clone with a new file, when the next task begins, then it lies beside the place, whole',
  async (_what, absorb) => {
    await using yard = await makeLibraries();
    await fill(yard);
    const remote = join(yard.dir, 'remotes/lib.git');
    await yard.commit(yard.lib, { 'lib.txt': 'newer' });
    await yard.sh(yard.lib, 'push', '-q', 'origin', 'main');
    await yard.sh(remote, 'config', 'uploadpack.allowFilter', 'true');
    const from = `file://${remote}`;
    await yard.sh(yard.worktree, ...LOCAL, 'clone', '-q', '--filter=blob:none', from, 'partial');
    for (const args of absorb)
      await yard.sh(yard.worktree, ...LOCAL, ...args.map((one) => (one === 'FROM' ? from : one)));
    await yard.commit(yard.worktree, {}, 'with a pointer');
    await yard.write(join(yard.worktree, 'partial'), { 'own.txt': 'own work' });

    expect(await beginTask(yard)).toBe('prepared');

    const beside = join(yard.root, `.worktrees/.alba.large-${NOW}-t2/partial`);
    expect(await yard.read(beside, 'own.txt')).toBe('own work');
    expect(await yard.sh(beside, 'status', '--porcelain')).toBe('?? own.txt');
    expect(await yard.sh(yard.worktree, 'status', '--porcelain')).toBe('');
  },
);

test('given a worker that put a link in the place of a directory, when it is filled, then nothing is written behind the link', async () => {
  await using yard = await makeLibraries();
  await addWorker(yard, WORKER);
  const outside = join(yard.dir, 'outside');
  await mkdir(outside);
  await symlink(outside, join(yard.worktree, '.git/modules'));

  const lacking = await fill(yard);

  expect(lacking.map(({ path }) => path)).toContain('vendor/lib');
  expect(await yard.git.files.list(outside)).toEqual([]);
});

test('given a candidate with submodules, when checks run on it apart, then their files are there, also after checks removed some', async () => {
  await using yard = await makeLibraries();
  const { git, depot, archive } = yard;
  const land = async (): Promise<string | undefined> => {
    const commit = await bringBase(git, depot);
    const request = { name: '+landing', commit, archive, setUp: { key: '', run: () => Promise.resolve() } };
    const outcome = await withLanding(git, depot, {
      ...request,
      act: async (at) => {
        const found = await yard.read(at, 'vendor/lib/deep/deep.txt');
        await rm(join(at, 'vendor/lib/deep/deep.txt'));
        return found;
      },
    });
    expect(outcome.kind).toBe('done');
    return outcome.value;
  };

  expect(await land()).toBe('deep');
  expect(await land()).toBe('deep');
  await bump(yard, { 'lib.txt': undefined, 'new.txt': 'n' });
  expect(await land()).toBe('deep');
  const landing = join(depot.directory, '+landing');
  expect(await yard.read(landing, 'vendor/lib/new.txt')).toBe('n');
  expect(await yard.read(landing, 'vendor/lib/lib.txt')).toBeUndefined();
});
