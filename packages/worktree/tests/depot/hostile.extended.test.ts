/** Tests a repository and a clone that do what they can: nothing of them runs, and nothing of them changes what is made and published. */
import { chmod, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  type Git,
  commits,
  depotOf,
  diff,
  makeCandidate,
  openChange,
  prove,
  publish,
  showWork,
  stat,
} from '../../src/index.ts';
import { ATTRIBUTES, COMMITTED, poison, settingsOf } from '../hostile/programs.ts';
import { WORKER, type Yard, makeYard, nodeRunner } from '../support.ts';
import { olderGit, placeIn, workAt } from './support.ts';

/** Work and main that change the same file in different places, both with attributes for everything. */
async function makeMergeable(): Promise<Yard & { readonly head: string }> {
  const yard = await makeYard();
  const lines = Array.from({ length: 30 }, (_, index) => `line ${index}`);
  await yard.commit(yard.source, { 'same.txt': `${lines.join('\n')}\n`, '.gitattributes': COMMITTED }, 'lines');
  await yard.sh(yard.worktree, 'pull', '-q', '--ff-only', 'origin', 'main');
  const changed = (at: number, text: string): string => `${lines.with(at, text).join('\n')}\n`;
  const head = await yard.commit(yard.worktree, { 'same.txt': changed(2, 'ours'), 'own.txt': 'ü\n' }, 'the wörk');
  await yard.commit(yard.source, { 'same.txt': changed(25, 'theirs') }, 'meanwhile');
  return { ...yard, head };
}

test.each([
  ['this git', (git: Git) => git],
  ['a git before 2.38', olderGit],
] as const)(
  'given a clone that says programs and rules for everything and %s, when a candidate is made, then none ran and it is the same',
  async (_, age) => {
    await using yard = await makeMergeable();
    const work = workAt(yard, yard.head);
    const elsewhere = { ...placeIn(yard), directory: join(yard.dir, 'elsewhere') };
    const plain = await makeCandidate(yard.git, elsewhere, work);
    const base = await yard.sh(yard.worktree, 'rev-parse', 'origin/main');
    await yard.sh(yard.worktree, 'replace', `${yard.head}^{tree}`, `${base}^{tree}`);
    await yard.sh(yard.worktree, 'replace', `${yard.head}:own.txt`, `${yard.head}:.gitattributes`);
    await mkdir(join(yard.worktree, '.git/info'), { recursive: true });
    await writeFile(join(yard.worktree, '.git/info/grafts'), `${yard.head}\n`);
    await poison(yard, yard.worktree);

    const when = await makeCandidate(age(yard.git), placeIn(yard), work);

    expect(plain.kind).toBe('candidate');
    expect(when).toEqual(plain);
    expect(await yard.sh(depotOf(placeIn(yard)), 'show', `${yard.head}:own.txt`)).toBe('ü');
    expect(await yard.read(yard.dir, 'ran')).toBeUndefined();
  },
);

test('given a user with settings, and variables, that change how git merges, when a candidate is made, then it is the same', async () => {
  await using yard = await makeMergeable();
  const work = workAt(yard, yard.head);
  const elsewhere = { ...placeIn(yard), directory: join(yard.dir, 'elsewhere') };
  const plain = await makeCandidate(yard.git, elsewhere, work);
  const home = join(yard.dir, 'home');
  // The one program among them is the user's own wish, at every fetch.
  const settings = settingsOf(yard).filter(([name]) => name !== 'uploadpack.packObjectsHook');
  for (const [name, value] of settings) await yard.sh(yard.worktree, 'config', '--global', name, value);
  await mkdir(join(home, '.config/git'), { recursive: true });
  await writeFile(join(home, '.config/git/attributes'), ATTRIBUTES);
  const surroundings = {
    GIT_CONFIG_COUNT: '1',
    GIT_CONFIG_KEY_0: 'merge.renames',
    GIT_CONFIG_VALUE_0: 'false',
    GIT_OBJECT_DIRECTORY: '/nowhere',
    GIT_INDEX_FILE: '/nowhere',
    GIT_ATTR_SOURCE: 'HEAD',
    GIT_COMMITTER_NAME: 'Mallory',
    GIT_AUTHOR_DATE: '2001-01-01T00:00:00Z',
  };
  const run = nodeRunner({ PATH: process.env['PATH'], HOME: home, ...surroundings });

  const when = await makeCandidate({ ...yard.git, run }, placeIn(yard), work);

  expect(when).toEqual(plain);
  expect(await yard.read(yard.dir, 'ran')).toBeUndefined();
});

test('given a clone that hides work from a reviewer, when it is reviewed in the depot, then all of it is shown', async () => {
  await using yard = await makeMergeable();
  await yard.sh(yard.worktree, 'replace', `${yard.head}:own.txt`, `${yard.head}:.gitattributes`);
  await poison(yard, yard.worktree);

  const { at: path, base, shown: made } = await showWork(yard.git, placeIn(yard), workAt(yard, yard.head));

  await using shown = await openChange(yard.git, { path, base, head: made, work: yard.head });
  expect((await diff(shown)).text).toContain('+ü');
  expect(stat(shown).map((file) => file.path)).toEqual(['own.txt', 'same.txt']);
  expect((await commits(shown)).map(({ subject }) => subject)).toEqual(['the wörk']);
  expect(await yard.read(yard.dir, 'ran')).toBeUndefined();
});

test.each<readonly [string, (yard: Yard) => Promise<string>]>([
  ['a file in ".git"', (yard) => treeOf(yard, `040000 tree TREE\t.git`)],
  ['a file in ".GIT"', (yard) => treeOf(yard, `040000 tree TREE\t.GIT`)],
  ['a directory ".."', (yard) => treeOf(yard, `040000 tree TREE\t..`)],
  ['a file twice', (yard) => treeOf(yard, `100644 blob BLOB\tx\n100644 blob BLOB\tx`)],
  [
    'a submodule whose address is an option',
    async (yard) => treeOf(yard, `100644 blob ${await modules(yard, '-u./payload')}\t.gitmodules`),
  ],
  ['a ".gitmodules" that is a link', (yard) => treeOf(yard, `120000 blob BLOB\t.gitmodules`)],
])('given work with %s, when a candidate is asked for, then git takes it apart and refuses it', async (_, make) => {
  await using yard = await makeYard();
  const tree = await make(yard);
  const head = await yard.sh(yard.worktree, 'commit-tree', tree, '-p', 'HEAD', '-m', 'unsound');

  await expect(makeCandidate(yard.git, placeIn(yard), workAt(yard, head))).rejects.toThrow(/fsck/u);

  expect(await yard.sh(depotOf(placeIn(yard)), 'for-each-ref', 'refs/drover/reviews')).toBe('');
});

/** A tree that git itself would not make. */
async function treeOf(yard: Yard, entries: string): Promise<string> {
  const [blob, tree] = [
    await yard.sh(yard.worktree, 'rev-parse', 'HEAD:a.txt'),
    await yard.sh(yard.worktree, 'rev-parse', 'HEAD^{tree}'),
  ];
  const raw = entries
    .replaceAll('BLOB', blob)
    .replaceAll('TREE', tree)
    .split('\n')
    .map((line) => {
      const [mode = '', , id = '', name = ''] = line.split(/[ \t]/u);
      return Buffer.concat([Buffer.from(`${mode.replace(/^0/u, '')} ${name}\0`), Buffer.from(id, 'hex')]);
    });
  await writeFile(join(yard.dir, 'tree'), Buffer.concat(raw));
  return yard.sh(yard.worktree, 'hash-object', '-w', '-t', 'tree', '--literally', join(yard.dir, 'tree'));
}

async function modules(yard: Yard, url: string): Promise<string> {
  await writeFile(join(yard.dir, 'modules'), `[submodule "x"]\n\tpath = x\n\turl = ${url}\n`);
  return yard.sh(yard.worktree, 'hash-object', '-w', join(yard.dir, 'modules'));
}

test('given an object whose bytes were changed in the clone, when a candidate is asked for, then it is refused', async () => {
  await using yard = await makeMergeable();
  const id = await yard.sh(yard.worktree, 'rev-parse', `${yard.head}:own.txt`);
  const other = await yard.sh(yard.worktree, 'rev-parse', `${yard.head}:same.txt`);
  const path = (name: string): string => join(yard.worktree, '.git/objects', name.slice(0, 2), name.slice(2));
  await chmod(path(id), 0o644);
  await writeFile(path(id), await readFile(path(other)));

  await expect(makeCandidate(yard.git, placeIn(yard), workAt(yard, yard.head))).rejects.toThrow(
    'Cannot bring the work of "alba" into the depot',
  );

  expect(await yard.sh(depotOf(placeIn(yard)), 'for-each-ref', 'refs/drover/reviews')).toBe('');
});

test('given names that differ in case, links and a submodule, when work is published, then they are what was reviewed', async () => {
  await using yard = await makeYard();
  await symlink('/etc/passwd', join(yard.worktree, 'link'));
  await yard.sh(yard.worktree, 'update-index', '--add', '--cacheinfo', `160000,${'1'.repeat(40)},sub`);
  await yard.write(yard.worktree, { 'Name.txt': 'upper\n', 'name.txt': 'lower\n' });
  await yard.sh(yard.worktree, 'add', 'Name.txt', 'name.txt', 'link');
  await yard.sh(yard.worktree, 'commit', '-q', '-m', 'odd');
  const head = await yard.sh(yard.worktree, 'rev-parse', 'HEAD');
  await yard.commit(yard.source, { 'c.txt': 'c\n' }, 'meanwhile');

  const commit = await published(yard, head);

  expect(await yard.sh(yard.source, 'diff', '--name-only', 'main~1', 'main')).toBe('Name.txt\nlink\nname.txt\nsub');
  expect(await yard.sh(yard.source, 'ls-tree', 'main', 'link', 'sub')).toMatch(/^120000 .*\n160000 /u);
  expect(await yard.read(yard.source, 'Name.txt')).toBe('upper\n');
  expect(await yard.sh(yard.source, 'status', '--porcelain')).toBe('');
  expect(await yard.sh(yard.source, 'rev-parse', 'main')).toBe(commit);
});

test('given a link of a person where the work has a directory, when it is published, then nothing is written behind the link', async () => {
  await using yard = await makeYard();
  const outside = join(yard.dir, 'outside');
  await mkdir(outside);
  await symlink(outside, join(yard.source, 'dir'));
  const head = await yard.commit(yard.worktree, { 'dir/f.txt': 'f\n' }, 'the work');
  const made = await makeCandidate(yard.git, placeIn(yard), workAt(yard, head));
  if (made.kind !== 'candidate') throw new Error(made.kind);

  await publish(yard.git, placeIn(yard), { worker: WORKER, ...made }).catch(() => undefined);

  expect(await yard.git.files.list(outside)).toEqual([]);
});

async function published(yard: Yard, head: string): Promise<string> {
  const made = await makeCandidate(yard.git, placeIn(yard), workAt(yard, head));
  if (made.kind !== 'candidate') throw new Error(made.kind);
  const { base, commit } = made;
  expect((await publish(yard.git, placeIn(yard), { worker: WORKER, base, commit })).kind).toBe('published');
  expect((await prove(yard.git, placeIn(yard), commit)).kind).toBe('merged');
  return commit;
}
