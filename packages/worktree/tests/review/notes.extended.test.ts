/** Tests what a reviewer reads beside the diff, on real commits of every kind. */
import { chmod, mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { ReviewNote } from '@drover/protocol';
import { openChange, reviewNotes, standing } from '../../src/index.ts';
import { makeYard, type Yard } from '../support.ts';

const POINTER = (size: number): string =>
  `version https://git-lfs.github.com/spec/v1\noid sha256:${'a'.repeat(56)}${String(size).padStart(8, '0')}\nsize ${size}\n`;
const pointerTo = (sha: string): string => `version https://git-lfs.github.com/spec/v1\noid sha256:${sha}\nsize 7\n`;
const BINARY = Buffer.from(Array.from({ length: 300 }, (_, index) => (index * 7919) % 256)).toString('latin1');

function settings(url: string): string {
  return `[submodule "one"]\n\tpath = vendor/one\n\turl = ${url}\n`;
}

async function notesOf({ git, worktree }: Yard): Promise<ReviewNote[]> {
  await using change = await openChange(git, { path: worktree, base: 'origin/main' });
  return await reviewNotes(change);
}

test('given lines and names that hide characters, when noted, then each file says how many, and how many turn its text', async () => {
  await using yard = await makeYard();
  const before = 'a\u202e\u202e\n'.repeat(3);
  await yard.commit(yard.source, { 'old\u200b.ts': before });
  await yard.sh(yard.worktree, 'fetch', '-q', 'origin');
  await yard.sh(yard.worktree, 'reset', '-q', '--hard', 'origin/main');
  await yard.commit(yard.worktree, {
    'old\u200b.ts': `${before}plain\n`,
    'turned.ts': 'if (a\u202e\u2066) {\u2069\r\n}\u0007\r\n',
    'es\u001bc\n"\u202e --x.ts': 'plain\n',
    '-rf': 'emoji 👨‍👩‍👧 are no trick\n',
  });

  const notes = await notesOf(yard);

  expect(notes).toHaveLength(2);
  expect(notes).toContainEqual({ kind: 'hidden-characters', path: 'turned.ts', characters: 4, bidirectional: 3 });
  const name = 'es\u001bc\n"\u202e --x.ts';
  expect(notes).toContainEqual({ kind: 'hidden-characters', path: name, characters: 2, bidirectional: 1 });
});

test('given symbolic links, when noted, then each names its target, and whether that is in the repository', async () => {
  await using yard = await makeYard();
  const at = yard.worktree;
  await mkdir(join(at, 'deep'));
  const links: readonly (readonly [string, string, string])[] = [
    ['passwd', '/etc/passwd', 'outside'],
    ['deep/up', '../../secret', 'outside'],
    ['deep/fine', '../a.txt', 'inside'],
    ['etc', '/etc', 'outside'],
    ['through', 'etc/shadow', 'outside'],
    ['loop', 'loop', 'nowhere'],
    ['gone', 'missing.txt', 'nowhere'],
    ['new\nline', '../x', 'outside'],
    ['--option', 'a.txt', 'inside'],
  ];
  for (const [path, target] of links) await symlink(target, join(at, path));
  await yard.commit(at, {});

  const notes = await notesOf(yard);

  const expected = links.map(([path, target, leads]) => ({ kind: 'symbolic-link', path, target, leads }));
  expect(notes).toHaveLength(expected.length);
  expect(notes).toEqual(expect.arrayContaining(expected));
});

test('given modes, binaries and pointers, when noted, then what a diff does not show is said', async () => {
  await using yard = await makeYard();
  const at = yard.worktree;
  await yard.commit(yard.source, { 'tool.sh': 'x\n', 'big.dat': POINTER(5), 'text.txt': 'size 5\n' });
  await yard.sh(at, 'fetch', '-q', 'origin');
  await yard.sh(at, 'reset', '-q', '--hard', 'origin/main');
  await chmod(join(at, 'tool.sh'), 0o755);
  await writeFile(join(at, 'new.sh'), 'y\n', { mode: 0o755 });
  await writeFile(join(at, 'image.png'), BINARY, 'latin1');
  await yard.commit(at, {
    'big.dat': POINTER(7),
    'more.dat': POINTER(123_456),
    'text.txt': `oid sha256:${'b'.repeat(64)}\nsize 5\n`,
    '.gitattributes': '*.sh -diff\n* binary\n',
  });

  const notes = await notesOf(yard);

  expect(notes).toEqual([
    { kind: 'mode', path: 'new.sh', before: null, after: '100755' },
    { kind: 'mode', path: 'tool.sh', before: '100644', after: '100755' },
    { kind: 'lfs-pointer', path: 'big.dat', bytes: 7 },
    { kind: 'lfs-pointer', path: 'more.dat', bytes: 123_456 },
    { kind: 'binary', path: 'image.png', before: 0, after: 300 },
  ]);
});

test('given a clone, when pointers are noted, then it is told whose content it has', async () => {
  await using yard = await makeYard();
  const [here, gone] = ['a'.repeat(64), 'b'.repeat(64)];
  await yard.write(yard.archive, { [`content/alba/lfs/objects/aa/aa/${here}`]: '1234567' });
  const head = await yard.commit(yard.worktree, { 'here.dat': pointerTo(here), 'gone.dat': pointerTo(gone) });

  await using change = await openChange(yard.git, { path: yard.worktree, base: 'origin/main', head });

  expect(await reviewNotes(change, { archive: yard.archive })).toEqual([
    { kind: 'lfs-pointer', path: 'gone.dat', bytes: 7, isHere: false },
    { kind: 'lfs-pointer', path: 'here.dat', bytes: 7, isHere: true },
  ]);
});

test('given submodules, when noted, then their commits and the addresses of .gitmodules are told, whatever that includes', async () => {
  await using yard = await makeYard();
  const at = yard.worktree;
  const link = (name: string, digit: string): Promise<string> =>
    yard.sh(at, 'update-index', '--add', '--cacheinfo', `160000,${digit.repeat(40)},${name}`);
  await link('vendor/one', '1');
  await link('vendor/two', '2');
  await yard.write(at, { '.gitmodules': settings('https://example.org/one') });
  await yard.sh(at, 'add', '.gitmodules');
  await yard.sh(at, 'commit', '-q', '-m', 'before');
  const base = await yard.sh(at, 'rev-parse', 'HEAD');
  await link('vendor/two', '3');
  await writeFile(join(yard.dir, 'included'), settings('https://example.org/included'));
  await yard.write(at, {
    '.gitmodules': `${settings('ext::sh -c evil')}[include]\n\tpath = ${yard.dir}/included\n`,
  });
  await yard.sh(at, 'add', '.gitmodules');
  await yard.sh(at, 'commit', '-q', '-m', 'after');

  await using change = await openChange(yard.git, { path: at, base });
  const notes = await reviewNotes(change);

  expect(notes).toEqual([
    { kind: 'submodule', path: 'vendor/two', commits: ['2'.repeat(40), '3'.repeat(40)], urls: [null, null] },
    {
      kind: 'submodule',
      path: 'vendor/one',
      commits: [null, null],
      urls: ['https://example.org/one', 'ext::sh -c evil'],
    },
  ]);
});

test('given 120 links, when noted, then 50 are listed and the others are counted', async () => {
  await using yard = await makeYard();
  for (let index = 0; index < 120; index += 1) await symlink('a.txt', join(yard.worktree, `link${index}`));
  await yard.commit(yard.worktree, {});

  const notes = await notesOf(yard);

  expect(notes).toHaveLength(51);
  expect(notes.at(-1)).toEqual({ kind: 'more', of: 'symbolic-link', count: 70 });
});

test('given links with names and targets of thousands of characters, when noted, then the notes stay small, and the others are counted', async () => {
  await using yard = await makeYard();
  const deep = Array.from({ length: 14 }, () => 'd'.repeat(240)).join('/');
  await mkdir(join(yard.worktree, deep), { recursive: true });
  const ends = Array.from({ length: 50 }, (_, index) => `${deep}/${'n'.repeat(200)}${index}`);
  for (const name of ends) await symlink('t'.repeat(4_000), join(yard.worktree, name));
  await yard.commit(yard.worktree, {});

  const notes = await notesOf(yard);

  expect(Buffer.byteLength(JSON.stringify(notes))).toBeLessThan(270_000);
  const last = notes.at(-1);
  expect(last).toMatchObject({ kind: 'more', of: 'long names' });
  expect(notes.length - 1 + (last?.kind === 'more' ? last.count : 0)).toBe(50);
});

test('given a change of 20 MB, when noted, then it says that only its first bytes were searched', async () => {
  await using yard = await makeYard();
  await yard.commit(yard.worktree, { 'big.txt': `${'x'.repeat(99)}\n`.repeat(200_000), 'a-trick.ts': '\u202e\n' });

  const notes = await notesOf(yard);

  expect(notes).toEqual([
    { kind: 'hidden-characters', path: 'a-trick.ts', characters: 1, bidirectional: 1 },
    { kind: 'searched-first', bytes: 16 * 1024 * 1024 },
  ]);
});

test('given work on an older main, when its age is asked for, then base, both times and how far it is behind are told', async () => {
  await using yard = await makeYard();
  const at = yard.worktree;
  const base = await yard.sh(at, 'rev-parse', 'HEAD');
  await yard.commit(at, { 'n.txt': '' });
  for (const name of ['x', 'y']) await yard.commit(yard.source, { [name]: '' });
  await yard.sh(at, 'fetch', '-q', 'origin');
  const timeOf = async (name: string): Promise<number> =>
    Number(await yard.sh(at, 'log', '-1', '--format=%ct', name)) * 1000;

  await using change = await openChange(yard.git, { path: at, base: 'origin/main', main: 'origin/main' });
  const when = await standing(change);

  expect(when).toEqual({ workedAt: await timeOf('HEAD'), base, basedAt: await timeOf(base), behind: 2 });
});
