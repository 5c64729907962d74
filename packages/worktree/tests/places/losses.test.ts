/** A worker's place goes, and nothing of its work is lost. */
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { checkpoint, listTrash, pruneTrash, removeWorktree, tellLosses, TRASH_KEPT_MS } from '../../src/index.ts';
import { addWorker, BRANCH, inYard, NOW, WORKER, type Yard, makeYard } from '../support.ts';

const requestOf = ({ archive, worktree: path }: Yard, { force = false } = {}) =>
  ({ archive, path, worker: WORKER, base: 'origin/main', id: 'nuke1', now: NOW, force }) as const;

const saved = (yard: Yard) => checkpoint(yard.git, { ...inYard(yard), id: 'c1', reason: 'manual', why: '', now: NOW });

describe('a place goes', () => {
  test('given merged and clean, when removed twice, then place and branch go and the second finds nothing', async () => {
    await using yard = await makeYard();
    await saved(yard);

    expect(await removeWorktree(yard.git, requestOf(yard))).toEqual({ kind: 'removed', trash: [] });
    expect(await removeWorktree(yard.git, requestOf(yard))).toEqual({ kind: 'absent' });
    expect(await yard.sh(yard.archive, 'for-each-ref', 'refs/heads/drover')).toBe('');
    expect(await readdir(join(yard.root, '.worktrees'))).toEqual([]);
  });

  test('given a directory that a person deleted, when removed, then kept commits stand in the way, and by force go to the trash', async () => {
    await using yard = await makeYard();
    const head = await yard.commit(yard.worktree, { 'n.txt': 'n' });
    await saved(yard);
    await rm(yard.worktree, { recursive: true });

    expect(await removeWorktree(yard.git, requestOf(yard))).toMatchObject({
      kind: 'would-lose',
      losses: { commits: [head] },
    });
    const ref = `refs/drover/trash/alba/nuke1-${head.slice(0, 12)}`;
    expect(await removeWorktree(yard.git, requestOf(yard, { force: true }))).toEqual({ kind: 'removed', trash: [ref] });
    expect(await yard.sh(yard.archive, 'show', `${ref}:n.txt`)).toBe('n');
  });

  test.each<readonly [string, (yard: Yard) => Promise<unknown>, string]>([
    ['an untracked file', (yard) => yard.write(yard.worktree, { 'u.txt': 'u' }), '1 file that is not committed'],
    ['a commit', (yard) => yard.commit(yard.worktree, { 'n.txt': 'n' }), '1 commit that is not merged'],
    [
      'changes that git was told not to look at',
      async (yard) => {
        await yard.sh(yard.worktree, 'update-index', '--skip-worktree', 'a.txt');
        await yard.write(yard.worktree, { 'a.txt': 'hidden' });
      },
      'changes to "a.txt" that git was told not to look at',
    ],
    [
      'a branch of its own',
      async (yard) => {
        await yard.sh(yard.worktree, 'checkout', '-q', '-b', 'feat/x');
        await yard.commit(yard.worktree, { 'n.txt': 'n' });
        await yard.sh(yard.worktree, 'checkout', '-q', BRANCH);
      },
      'work on "feat/x"',
    ],
    [
      'a tag',
      async (yard) => {
        await yard.commit(yard.worktree, { 'n.txt': 'n' });
        await yard.sh(yard.worktree, 'tag', 'v1');
        await yard.sh(yard.worktree, 'reset', '-q', '--hard', 'origin/main');
      },
      'work on "tags/v1"',
    ],
    [
      'two stashes',
      async (yard) => {
        for (const text of ['one', 'two']) {
          await yard.write(yard.worktree, { 'a.txt': text });
          await yard.sh(yard.worktree, 'stash', '-q');
        }
      },
      '2 entries in its stash',
    ],
    [
      'a worktree of its clone that git ignores, as Claude Code makes them',
      async (yard) => {
        await yard.sh(yard.worktree, 'worktree', 'add', '-q', '--detach', '.claude/worktrees/helper');
        await writeFile(join(yard.worktree, '.git/info/exclude'), '.claude/\n');
        await yard.write(join(yard.worktree, '.claude/worktrees/helper'), { 'found.txt': 'found' });
      },
      'a worktree of its own in ".claude/worktrees/helper" with 1 changed file',
    ],
    [
      'a nested repository that is committed as a pointer',
      async (yard) => {
        await yard.write(yard.worktree, { 'fe/app.js': 'code' });
        await yard.sh(yard.worktree, 'init', '-q', 'fe');
        await yard.commit(join(yard.worktree, 'fe'), {}, 'scaffold');
        await yard.commit(yard.worktree, {}, 'with a pointer');
        await yard.sh(yard.worktree, 'push', '-q', yard.source, 'HEAD:refs/heads/merged');
        await yard.sh(yard.source, 'merge', '-q', '--ff-only', 'merged');
        await addWorker(yard, WORKER);
      },
      'a repository of its own in "fe" with 1 commit that no remote has',
    ],
  ])(
    'given %s, when removed, then it is refused and named; by force all of it is in the trash',
    async (_what, make, told) => {
      await using yard = await makeYard();
      await make(yard);
      const blobs = await blobsIn(yard);

      const refused = await removeWorktree(yard.git, requestOf(yard));
      const removed = await removeWorktree(yard.git, requestOf(yard, { force: true }));

      expect(refused).toMatchObject({ kind: 'would-lose' });
      expect(refused.kind === 'would-lose' && tellLosses(refused.losses)).toBe(told);
      expect(removed.kind).toBe('removed');
      const kept = await objectsOf(yard, yard.archive);
      expect(blobs.filter((blob) => !kept.has(blob))).toEqual([]);
    },
  );

  test('given a change that git was told not to look at, and the lock of a git that was killed, when removed by force, then it is in the trash', async () => {
    await using yard = await makeYard();
    await yard.sh(yard.worktree, 'update-index', '--skip-worktree', 'a.txt');
    await yard.write(yard.worktree, { 'a.txt': 'hidden', '.git/index.lock': '' });
    const removed = await removeWorktree(yard.git, requestOf(yard, { force: true }));

    expect(removed.kind).toBe('removed');
    expect(await yard.sh(yard.archive, 'show', 'refs/drover/trash/alba/nuke1-files:a.txt')).toBe('hidden');
  });

  test('given ignored files that the project counts as work, when removed, then they are refused and named; by force they are in the trash', async () => {
    await using yard = await makeYard();
    await writeFile(join(yard.worktree, '.git/info/exclude'), 'notes/\ncache/\n');
    await yard.write(yard.worktree, { 'notes/plan.md': 'plan', 'cache/c': 'c' });
    const context = { ...yard.git, keep: ['notes/**', '*.sqlite'] };

    const refused = await removeWorktree(context, requestOf(yard));
    const removed = await removeWorktree(context, requestOf(yard, { force: true }));

    expect(refused).toMatchObject({ kind: 'would-lose', losses: { ignored: ['notes/plan.md'] } });
    expect(refused.kind === 'would-lose' && tellLosses(refused.losses)).toBe('1 ignored file that "repo.keep" names');
    const ref = 'refs/drover/trash/alba/nuke1-files';
    expect(removed).toEqual({ kind: 'removed', trash: [ref] });
    expect(await yard.sh(yard.archive, 'ls-tree', '-r', '--name-only', ref, 'notes', 'cache')).toBe('notes/plan.md');
  });

  test('given an ignored file that counts as work and is too large for git, when removed by force, then it is beside the place', async () => {
    await using yard = await makeYard();
    await writeFile(join(yard.worktree, '.git/info/exclude'), '*.sqlite\n');
    await yard.write(yard.worktree, { 'large.sqlite': 'rows'.repeat(10), 'small.sqlite': 'row' });
    const limits = { fileBytesMax: 10, totalBytesMax: 100, filesMax: 100 };

    const removed = await removeWorktree(
      { ...yard.git, keep: ['*.sqlite'] },
      { ...requestOf(yard, { force: true }), limits },
    );

    if (removed.kind !== 'removed') throw new Error(removed.kind);
    const [ref = '', beside = ''] = removed.trash;
    expect(await yard.sh(yard.archive, 'show', `${ref}:small.sqlite`)).toBe('row');
    expect(await readdir(beside)).toEqual(['large.sqlite']);
  });

  test('given a filled submodule at a commit of its remote, when a clean place is removed, then nothing stands in the way', async () => {
    await using yard = await makeYard();
    const library = join(yard.dir, 'library');
    await mkdir(library);
    await yard.sh(library, 'init', '-q', '-b', 'main');
    await yard.commit(library, { 'lib.js': 'code' });
    await yard.sh(yard.source, '-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', library, 'lib');
    await yard.commit(yard.source, {}, 'with a submodule');
    await yard.sh(yard.worktree, 'pull', '-q', yard.source, 'main');
    await addWorker(yard, WORKER);
    await yard.sh(yard.worktree, '-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'update', '--init');

    const when = await removeWorktree(yard.git, requestOf(yard));

    expect(when).toEqual({ kind: 'removed', trash: [] });
  });

  test('given a commit that was amended, when a clean place is removed without force, then the former one is in the trash', async () => {
    await using yard = await makeYard();
    const former = await yard.commit(yard.worktree, { 'n.txt': 'former' });
    await yard.sh(yard.worktree, 'reset', '-q', '--hard', 'origin/main');

    const when = await removeWorktree(yard.git, requestOf(yard));

    expect(when).toEqual({ kind: 'removed', trash: ['refs/drover/trash/alba/nuke1-others'] });
    expect(await yard.sh(yard.archive, 'show', `${former}:n.txt`)).toBe('former');
  });

  test('given unmerged work, when a person forces the removal, then trash keeps it all for 14 days and no longer', async () => {
    await using yard = await makeYard();
    const head = await yard.commit(yard.worktree, { 'n.txt': 'n' });
    await yard.write(yard.worktree, { 'untracked.txt': 'u', 'a.txt': 'edited\n' });

    const when = await removeWorktree(yard.git, requestOf(yard, { force: true }));

    expect(when).toMatchObject({ kind: 'removed' });
    const trash = await listTrash(yard.git, { archive: yard.archive, worker: WORKER });
    expect(trash.map((entry) => entry.ref).sort()).toEqual([
      `refs/drover/trash/alba/nuke1-${head.slice(0, 12)}`,
      'refs/drover/trash/alba/nuke1-files',
    ]);
    expect(await yard.sh(yard.archive, 'show', 'refs/drover/trash/alba/nuke1-files:untracked.txt')).toBe('u');
    expect(await yard.sh(yard.archive, 'show', 'refs/drover/trash/alba/nuke1-files:a.txt')).toBe('edited');
    expect(await yard.sh(yard.archive, 'rev-parse', `refs/drover/trash/alba/nuke1-${head.slice(0, 12)}^1`)).toBe(head);
    const request = { archive: yard.archive, root: yard.root };
    expect(await pruneTrash(yard.git, { ...request, now: NOW + TRASH_KEPT_MS })).toEqual([]);
    expect(await pruneTrash(yard.git, { ...request, now: NOW + TRASH_KEPT_MS + 1000 })).toHaveLength(2);
  });

  test('given a file that is too large for git, and a crowd of others, when removed by force, then they are moved beside, and kept for 14 days', async () => {
    await using yard = await makeYard();
    const crowd = Object.fromEntries(['a', 'b', 'c', 'd'].map((name) => [`data/${name}.csv`, name]));
    await yard.write(yard.worktree, { 'big.bin': 'x'.repeat(2_000), 'small.txt': 's', ...crowd });
    const limits = { fileBytesMax: 1_000, totalBytesMax: 10_000, filesMax: 3 };

    const removed = await removeWorktree(yard.git, { ...requestOf(yard, { force: true }), limits });

    const beside = join(yard.root, `.worktrees/.alba.large-${NOW}-nuke1`);
    expect(removed).toEqual({ kind: 'removed', trash: ['refs/drover/trash/alba/nuke1-files', beside] });
    expect(await yard.read(beside, 'big.bin')).toBe('x'.repeat(2_000));
    expect((await readdir(join(beside, 'data'))).toSorted()).toEqual(['a.csv', 'b.csv', 'c.csv', 'd.csv']);
    const kept = await yard.sh(yard.archive, 'ls-tree', '-r', '--name-only', 'refs/drover/trash/alba/nuke1-files');
    expect(kept.split('\n')).toContain('small.txt');
    expect(kept).not.toContain('big.bin');
    const request = { archive: yard.archive, root: yard.root };
    expect(await pruneTrash(yard.git, { ...request, now: NOW + TRASH_KEPT_MS })).toEqual([]);
    expect(await pruneTrash(yard.git, { ...request, now: NOW + TRASH_KEPT_MS + 1000 })).toContain(beside);
  });

  test('given files that this user cannot remove, when a place is removed, then what is left is put aside and named, and the name is free', async () => {
    await using yard = await makeYard();
    const going = join(yard.root, '.worktrees/.alba.unfinished');
    const rm = async (path: string): Promise<void> => {
      if (path === going && (await readdir(going).catch(() => [])).length > 0)
        throw new Error('EACCES: permission denied');
      return yard.git.files.rm(path);
    };

    const removed = await removeWorktree({ ...yard.git, files: { ...yard.git.files, rm } }, requestOf(yard));

    const aside = join(yard.root, `.worktrees/.alba.removed-${NOW}`);
    expect(removed).toEqual({ kind: 'removed', trash: [aside] });
    expect(await readdir(aside)).toContain('a.txt');
    expect(await addWorker(yard, WORKER)).toBe(yard.worktree);
  });

  test('given a file on another disk that is too large for git, when its place is removed by force, then git keeps it', async () => {
    await using yard = await makeYard();
    await yard.write(yard.worktree, { 'mounted/big.bin': 'x'.repeat(2_000) });
    const rename = (from: string, to: string): Promise<void> =>
      from.endsWith('big.bin')
        ? Promise.reject(new Error('EXDEV: cross-device link'))
        : yard.git.files.rename(from, to);
    const limits = { fileBytesMax: 1_000, totalBytesMax: 10_000, filesMax: 100 };

    const context = { ...yard.git, files: { ...yard.git.files, rename } };
    const removed = await removeWorktree(context, { ...requestOf(yard, { force: true }), limits });

    expect(removed).toEqual({ kind: 'removed', trash: ['refs/drover/trash/alba/nuke1-files'] });
    expect(await yard.sh(yard.archive, 'show', 'refs/drover/trash/alba/nuke1-files:mounted/big.bin')).toHaveLength(
      2_000,
    );
  });

  test('given a place whose .git is lost, when removed, then it is refused; by force it is kept whole beside, for 14 days', async () => {
    await using yard = await makeYard();
    await rm(join(yard.worktree, '.git'), { recursive: true });
    await yard.write(yard.worktree, { 'precious.txt': 'p' });

    const refused = await removeWorktree(yard.git, requestOf(yard));
    const removed = await removeWorktree(yard.git, requestOf(yard, { force: true }));

    const aside = join(yard.root, `.worktrees/.alba.removed-${NOW}`);
    expect(refused.kind).toBe('unreadable');
    expect(removed).toEqual({ kind: 'removed', trash: [aside] });
    expect(await yard.read(aside, 'precious.txt')).toBe('p');
    const request = { archive: yard.archive, root: yard.root };
    expect(await pruneTrash(yard.git, { ...request, now: NOW + TRASH_KEPT_MS })).toEqual([]);
    expect(await pruneTrash(yard.git, { ...request, now: NOW + TRASH_KEPT_MS + 1000 })).toEqual([aside]);
    expect(await readdir(join(yard.root, '.worktrees'))).toEqual([]);
  });
});

/** Lists everything that git has in a place and inside of it, and the files that it does not ignore. */
async function blobsIn(yard: Yard): Promise<readonly string[]> {
  const found = new Set([await yard.sh(yard.worktree, 'hash-object', 'a.txt')]);
  for (const at of [yard.worktree, join(yard.worktree, 'fe'), join(yard.worktree, '.claude/worktrees/helper')]) {
    if ((await yard.git.files.stat(join(at, '.git'))) === undefined) continue;
    for (const one of await objectsOf(yard, at, '--reflog')) found.add(one);
    const untracked = await yard.sh(at, 'ls-files', '--others', '--exclude-standard');
    for (const path of untracked.split('\n').filter((one) => one !== '' && !one.endsWith('/')))
      found.add(await yard.sh(at, 'hash-object', path));
  }
  return [...found];
}

async function objectsOf({ sh }: Yard, at: string, ...more: readonly string[]): Promise<ReadonlySet<string>> {
  const text = await sh(at, 'rev-list', '--objects', '--no-object-names', '--all', ...more);
  return new Set(text.split('\n'));
}
