import { chmod, mkdir, readdir, readlink, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Git, copyFiles, readWorktree, rebaseOnto } from '../src/index.ts';
import { BRANCH, NOW, makeYard, nodeFiles, nodeRunner, prepareIn } from './support.ts';

test('given a file that is too large for git, and a link to elsewhere, when prepared twice, then the file is moved beside and told, and nothing of elsewhere', async () => {
  await using yard = await makeYard();
  const elsewhere = join(yard.dir, 'elsewhere');
  await yard.write(elsewhere, { 'big.bin': 'theirs'.repeat(500) });
  await yard.write(yard.worktree, { 'data/big.bin': 'x'.repeat(2_000), 'small.txt': 's' });
  await symlink(elsewhere, join(yard.worktree, 'link'));
  const limits = { fileBytesMax: 1_000, totalBytesMax: 10_000, filesMax: 100 };

  const first = await prepareIn(yard, { limits });
  const again = await prepareIn(yard, { limits });

  const beside = join(yard.root, `.worktrees/.alba.large-${NOW}-t1`);
  expect(first).toMatchObject({ kind: 'prepared', setAside: { large: [beside] } });
  expect(again).toMatchObject({ kind: 'prepared', setAside: { large: [beside] } });
  expect(await yard.read(beside, 'data/big.bin')).toBe('x'.repeat(2_000));
  expect(await yard.read(elsewhere, 'big.bin')).toBe('theirs'.repeat(500));
  expect(await readdir(yard.worktree)).not.toContain('data');
});

test('given a crash while the saved work was being cleared, when prepared again, then both states are kept', async () => {
  await using yard = await makeYard();
  await yard.write(yard.worktree, { 'a.txt': 'half\n', 'notes.md': 'n' });
  const dying: Git = {
    ...yard.git,
    run: async (program, args, options) => {
      if (args.includes('clean')) throw new Error('killed');
      return yard.git.run(program, args, options);
    },
  };
  await expect(prepareIn(yard, { context: dying })).rejects.toThrow('killed');

  const when = await prepareIn(yard);

  if (when.kind !== 'prepared') throw new Error(when.kind);
  expect(when.setAside.uncommitted.map((saved) => saved.files)).toEqual([['a.txt', 'notes.md'], ['notes.md']]);
});

test('given a branch whose newest commit is damaged, when prepared, then git says so, and the branch is where it was', async () => {
  await using yard = await makeYard();
  const own = await yard.commit(yard.worktree, { 'own.txt': 'o' });
  await yard.sh(yard.worktree, 'checkout', '-q', '--detach', 'origin/main');
  const object = join(yard.worktree, '.git/objects', own.slice(0, 2), own.slice(2));
  await chmod(object, 0o644);
  await writeFile(object, 'damaged');

  await expect(prepareIn(yard, { commits: 'set-aside' })).rejects.toThrow(own);
  expect((await yard.read(yard.worktree, `.git/refs/heads/${BRANCH}`))?.trim()).toBe(own);
});

test('given a rebase that stands on a conflict, when prepared with set-aside, then branch and half-merged files are kept', async () => {
  await using yard = await makeYard();
  const own = await yard.commit(yard.worktree, { 'a.txt': 'mine\n' });
  const main = await yard.commit(yard.source, { 'a.txt': 'theirs\n' });
  await yard.sh(yard.worktree, 'fetch', '-q', 'origin');
  expect((await rebaseOnto(yard.git, { worktree: yard.worktree, onto: main })).kind).toBe('conflict');

  const when = await prepareIn(yard, { commits: 'set-aside' });

  expect(when).toMatchObject({ kind: 'prepared', setAside: { uncommitted: [{ files: ['a.txt'] }] } });
  expect(await yard.sh(yard.archive, 'rev-parse', 'refs/drover/checkpoints/alba/t1-commits0^1')).toBe(own);
  expect(await readWorktree(yard.git, { path: yard.worktree, base: 'origin/main' })).toMatchObject({
    head: main,
    branch: BRANCH,
    rebase: undefined,
  });
});

test('given a merge under way that changes no file, when prepared, then it is over', async () => {
  await using yard = await makeYard();
  const newest = await yard.commit(yard.source, { 'c.txt': 'c\n' });
  await yard.sh(yard.worktree, 'fetch', '-q', 'origin');
  await yard.sh(yard.worktree, 'merge', '-q', '--no-ff', '--no-commit', '-s', 'ours', 'origin/main');
  expect(await yard.sh(yard.worktree, 'status', '--porcelain')).toBe('');

  const when = await prepareIn(yard);

  expect(when).toMatchObject({ kind: 'prepared', head: newest });
  await expect(yard.sh(yard.worktree, 'rev-parse', '--verify', 'MERGE_HEAD')).rejects.toThrow('single revision');
  expect(await yard.read(yard.worktree, 'c.txt')).toBe('c\n');
});

test('given commits on a branch the agent made and on a detached HEAD, when prepared, then none is forgotten', async () => {
  await using yard = await makeYard();
  await yard.sh(yard.worktree, 'checkout', '-q', '--detach');
  const own = await yard.commit(yard.worktree, { 'own.txt': 'o' });

  expect((await prepareIn(yard)).kind).toBe('has-commits');
  expect(await yard.sh(yard.worktree, 'rev-parse', 'HEAD')).toBe(own);
});

test('given a repository inside that a former commit names, when prepared for a task without it, then the place is clean and the repository beside', async () => {
  await using yard = await makeYard();
  await yard.sh(yard.worktree, 'init', '-q', 'inner');
  await yard.commit(join(yard.worktree, 'inner'), { 'i.txt': 'i' });
  await yard.commit(yard.worktree, {}, 'with a pointer');

  const when = await prepareIn(yard, { commits: 'set-aside' });

  if (when.kind !== 'prepared') throw new Error(when.kind);
  expect(await yard.sh(yard.worktree, 'status', '--porcelain')).toBe('');
  expect(await yard.sh(join(when.setAside.large[0] ?? '', 'inner'), 'show', 'HEAD:i.txt')).toBe('i');
});

test('given ignored files and links, when they are copied, then plain files come over and links are refused on both sides', async () => {
  await using yard = await makeYard();
  await yard.write(yard.source, {
    'one.secret': '1',
    'deep/er/two.secret': '22',
    'a.txt': 'tracked change',
    'out/x.secret': 'x',
  });
  await symlink('/etc/hostname', join(yard.source, 'link.secret'));
  await mkdir(join(yard.dir, 'outside'));
  await symlink(join(yard.dir, 'outside'), join(yard.worktree, 'out'));
  const patterns = ['**/*.secret', 'a.txt', '../*', '/etc/*', 'none*'];

  const when = await copyFiles(yard.git, { source: yard.source, worktree: yard.worktree, patterns });

  expect([...when.copied].sort((a, b) => a.sizeBytes - b.sizeBytes)).toEqual([
    { path: 'one.secret', sizeBytes: 1 },
    { path: 'deep/er/two.secret', sizeBytes: 2 },
  ]);
  expect(when.refused).toEqual([
    { path: 'link.secret', reason: 'symlink' },
    { path: 'out/x.secret', reason: 'behind-a-symlink' },
  ]);
  expect(when.unmatched).toEqual(['a.txt', '../*', '/etc/*', 'none*']);
  expect(await yard.read(yard.worktree, 'a.txt')).toBe('one\ntwo\nthree\n');
  expect(await nodeFiles.list(join(yard.dir, 'outside'))).toEqual([]);
  expect(await readlink(join(yard.worktree, 'out'))).toBe(join(yard.dir, 'outside'));
});

test('given LFS files, when prepared, then what the worktree holds decides, and the reason for pointers is told', async () => {
  await using yard = await makeYard();
  const pointer = `version https://git-lfs.github.com/spec/v1\noid sha256:${'a'.repeat(64)}\nsize 5\n`;
  await yard.commit(yard.source, {
    '.gitattributes': '*.bin -text\n',
    'assets/.gitattributes': '*.psd filter=lfs\n',
    'assets/a.psd': pointer,
    'assets/whole.psd': 'no pointer',
    'about-lfs.txt': pointer,
  });
  const bin = join(yard.dir, 'bin');
  await mkdir(bin);
  const context = {
    files: nodeFiles,
    run: nodeRunner({ PATH: `${bin}:${process.env['PATH'] ?? ''}`, HOME: yard.dir }),
  };
  const script = async (text: string): Promise<void> => {
    await writeFile(join(bin, 'git-lfs'), `#!/bin/sh\n${text}\n`);
    await chmod(join(bin, 'git-lfs'), 0o755);
  };
  const lfs = async (): Promise<unknown> => {
    const outcome = await prepareIn(yard, { context });
    return outcome.kind === 'prepared' ? outcome.supplies.lfs : outcome;
  };
  const pointers = { kind: 'pointers', files: ['assets/a.psd'], message: '' };

  await script('exit 1');
  expect(await lfs()).toEqual({ ...pointers, why: 'not-installed' });
  await script('exit 0');
  expect(await lfs()).toEqual({ ...pointers, why: 'skipped' });
  await script('[ "$1" = version ] || { echo no server >&2; exit 2; }');
  expect(await lfs()).toEqual({ ...pointers, why: 'failed', message: expect.stringContaining('no server') });
  await script('[ "$1" = version ] || echo content > assets/a.psd');
  expect(await lfs()).toEqual({ kind: 'complete' });
});
