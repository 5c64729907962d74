/** Tests that a worker's place is made, repaired, and found. */
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { checkpoint, ensureWorktree, findPlaces, packDepot } from '../../src/index.ts';
import { addWorker, BRANCH, inYard, NOW, placeOf, WORKER, type Yard, makeYard } from '../support.ts';

const saved = (yard: Yard) => checkpoint(yard.git, { ...inYard(yard), id: 'c1', reason: 'manual', why: '', now: NOW });

describe('a place comes to be', () => {
  test('given a place, when it is ensured again, then it exists; another branch, file or repository there is left alone', async () => {
    await using yard = await makeYard();
    const place = await placeOf(yard);

    expect((await ensureWorktree(yard.git, place)).kind).toBe('exists');
    expect((await ensureWorktree(yard.git, { ...place, path: yard.source })).kind).toBe('occupied');
    await yard.write(yard.root, { '.worktrees/file': '', '.worktrees/full/a': '' });
    expect((await ensureWorktree(yard.git, { ...place, path: join(yard.root, '.worktrees/file') })).kind).toBe(
      'occupied',
    );
    expect(
      (await ensureWorktree(yard.git, { ...place, worker: 'full', path: join(yard.root, '.worktrees/full') })).kind,
    ).toBe('occupied');
    await expect(ensureWorktree(yard.git, { ...place, worker: '--force' })).rejects.toMatchObject({ code: 'bad-name' });
    await yard.sh(yard.worktree, 'checkout', '-q', '-b', 'other');
    expect(await ensureWorktree(yard.git, place)).toMatchObject({
      kind: 'occupied',
      message: expect.stringContaining('"other"'),
    });
  });

  test('given a directory that vanished, when the place is ensured, then it is made again with the commits that were seen', async () => {
    await using yard = await makeYard();
    const head = await yard.commit(yard.worktree, { 'n.txt': 'n' });
    await saved(yard);
    await rm(yard.worktree, { recursive: true });

    const when = await ensureWorktree(yard.git, await placeOf(yard));

    expect(when).toEqual({ kind: 'created', path: yard.worktree, head });
    expect(await yard.sh(yard.worktree, 'status', '--porcelain', '--branch')).toBe(`## ${BRANCH}`);
  });

  test('given files whose .git is gone, when the place is ensured, then it has one again, and each file is as it was', async () => {
    await using yard = await makeYard();
    const head = await yard.commit(yard.worktree, { 'n.txt': 'n' });
    await saved(yard);
    await yard.write(yard.worktree, { 'a.txt': 'edited\n', 'new.txt': 'new', 'key.secret': 's' });
    await rm(join(yard.worktree, '.git'), { recursive: true });

    const when = await ensureWorktree(yard.git, await placeOf(yard));

    expect(when).toEqual({ kind: 'repaired', path: yard.worktree, head });
    expect(await yard.sh(yard.worktree, 'status', '--porcelain', '--branch')).toBe(
      `## ${BRANCH}\n M a.txt\n?? new.txt`,
    );
    expect(await yard.read(yard.worktree, 'key.secret')).toBe('s');
  });

  test('given an agent that made the .git anew, when the place is ensured, then it is told, and nothing is touched', async () => {
    await using yard = await makeYard();
    await rm(join(yard.worktree, '.git'), { recursive: true });
    await yard.sh(yard.worktree, 'init', '-q');

    const when = await ensureWorktree(yard.git, await placeOf(yard));

    expect(when).toMatchObject({
      kind: 'occupied',
      message: expect.stringContaining('Drover did not make'),
    });
  });

  test('given the depot elsewhere by now, when a place is ensured, then it borrows from there', async () => {
    await using yard = await makeYard();
    const moved = { ...yard.depot, directory: join(yard.dir, 'moved') };
    await rename(yard.depot.directory, moved.directory);

    const place = await placeOf({ ...yard, depot: moved, archive: join(moved.directory, 'archive.git') });
    await ensureWorktree(yard.git, place);

    expect(await yard.sh(yard.worktree, 'log', '--format=%s')).toBe('first');
    await yard.sh(yard.worktree, 'fsck', '--connectivity-only');
  });

  test('given a default branch that was rewritten, when a person collects garbage in the depot, then clones lack nothing of it', async () => {
    await using yard = await makeYard();
    const began = await yard.sh(yard.worktree, 'rev-parse', 'HEAD');
    await yard.sh(yard.source, 'commit', '-q', '--amend', '-m', 'rewritten');
    const { depot } = await placeOf(yard);
    const reflog = ['reflog', 'expire', '--expire=now', '--all'];
    for (const args of [reflog, ['gc', '-q', '--prune=now'], ['repack', '-adq'], ['prune', '--expire=now']])
      await yard.sh(depot, ...args).catch(() => undefined);
    await packDepot(yard.git, yard.depot, { looseMax: -1 });

    expect(await yard.sh(yard.worktree, 'log', '--format=%H %s')).toBe(`${began} first`);
    await yard.sh(yard.worktree, 'fsck', '--connectivity-only');
    await expect(yard.sh(depot, 'prune', '--expire=now')).rejects.toThrow(/precious/u);
    expect(await yard.sh(depot, 'count-objects')).toMatch(/^0 objects/u);
  });

  test("given two workers, when one stashes, sets hooks and collects garbage, then the other's git knows nothing of it", async () => {
    await using yard = await makeYard();
    const other = await addWorker(yard, 'bora');
    await yard.write(yard.worktree, { 'a.txt': 'precious\n' });
    await yard.sh(yard.worktree, 'stash');
    await yard.sh(yard.worktree, 'config', 'core.hooksPath', '/nowhere');
    await yard.sh(yard.worktree, 'tag', 'mine');
    for (const args of [
      ['gc', '-q', '--prune=now'],
      ['repack', '-adq'],
      ['prune', '--expire=now'],
    ])
      await yard.sh(yard.worktree, ...args);

    expect(await yard.sh(other, 'stash', 'list')).toBe('');
    expect(await yard.sh(other, 'tag')).toBe('');
    await yard.commit(other, { 'b.txt': 'of bora\n' });
    for (const at of [yard.worktree, other, yard.archive]) await yard.sh(at, 'fsck', '--connectivity-only');
    await yard.sh(yard.worktree, 'stash', 'pop', '-q');
    expect(await yard.read(yard.worktree, 'a.txt')).toBe('precious\n');
  });
});

test('given unknown, vanished, half-made and stray directories, when places are sought, then each is found and none removed', async () => {
  await using yard = await makeYard();
  await addWorker(yard, 'gone');
  const gone = join(yard.root, '.worktrees/gone');
  await checkpoint(yard.git, {
    ...inYard(yard),
    worktree: gone,
    worker: 'gone',
    id: 'c1',
    reason: 'manual',
    why: '',
    now: NOW,
  });
  await rm(gone, { recursive: true });
  await yard.write(yard.root, { '.worktrees/stray/file.txt': '' });
  await mkdir(join(yard.root, '.worktrees/.bora.unfinished'));
  await mkdir(join(yard.root, '.worktrees/other'));
  await yard.sh(join(yard.root, '.worktrees/other'), 'init', '-q');
  await writeFile(join(yard.root, '.worktrees/file'), '');

  const when = await findPlaces(yard.git, { root: yard.root, archive: yard.archive });

  expect(when.places).toEqual([
    { name: WORKER, path: yard.worktree, branch: BRANCH, gone: false },
    { name: 'gone', path: gone, branch: 'drover/gone', gone: true },
  ]);
  expect(when.strays).toEqual(['file', 'other', 'stray'].map((name) => join(yard.root, '.worktrees', name)));
});
