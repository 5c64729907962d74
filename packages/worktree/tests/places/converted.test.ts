/** Files that git calls changed as soon as it has written them, as in repositories that began to use Git LFS or line ends late. */
import { expect, test } from 'vitest';
import {
  bringBase,
  checkpoint,
  LANDING,
  missingFilters,
  prepareForTask,
  recycle,
  removeWorktree,
  withLanding,
} from '../../src/index.ts';
import { readStatus } from '../../src/git/status.ts';
import { addWorker, BRANCH, inYard, makeYard, NOW, placeOf, WORKER, type Yard } from '../support.ts';

/** A filter as Git LFS has one: what it writes into a commit is never what lies in the worktree. */
const FILTER = 'sed s/^/kept:/';

/** A worker's place with such a file; attributes ask for the filter since the last commit of main. */
async function makeConverted(yard: Yard): Promise<void> {
  await yard.sh(yard.dir, 'config', '--global', 'filter.late.clean', FILTER);
  await yard.sh(yard.dir, 'config', '--global', 'filter.late.smudge', 'cat');
  await yard.commit(yard.source, { 'w.bin': 'raw\n' });
  await yard.write(yard.source, { '.gitattributes': '*.bin filter=late\n' });
  await yard.sh(yard.source, 'add', '.gitattributes');
  await yard.sh(yard.source, 'commit', '-qm', 'attributes');
  await task(yard, 'first');
}

async function task(yard: Yard, id: string) {
  const { worktree, archive, source, depot } = yard;
  const base = await bringBase(yard.git, depot);
  const about = { worktree, archive, worker: WORKER, branch: BRANCH, source, base, copyFiles: [], id, now: NOW };
  return prepareForTask(yard.git, { ...about, commits: 'set-aside' });
}

test('given a file that git calls changed though nobody wrote it, when tasks begin, then it is no work that is in the way', async () => {
  await using yard = await makeYard();
  await makeConverted(yard);
  expect(await yard.sh(yard.worktree, 'status', '--short')).toBe(' M w.bin');

  const prepared = await task(yard, 'second');
  const saved = await checkpoint(yard.git, { ...inYard(yard), id: 'c', reason: 'manual', why: '', now: NOW });

  expect(prepared).toMatchObject({ kind: 'prepared', setAside: { uncommitted: [], commits: [] } });
  expect(saved).toMatchObject({ kind: 'saved', dirty: 0 });
});

test('given such a file that main changes, when the next task begins, then it is as in main', async () => {
  await using yard = await makeYard();
  await makeConverted(yard);
  await yard.commit(yard.source, { 'w.bin': 'newer\n' });

  expect(await task(yard, 'second')).toMatchObject({ kind: 'prepared' });

  expect(await yard.read(yard.worktree, 'w.bin')).toBe('kept:newer\n');
});

test('given such a file that the agent changed, when its place is looked at and removed, then it is work', async () => {
  await using yard = await makeYard();
  await makeConverted(yard);
  await yard.write(yard.worktree, { 'w.bin': 'work\n' });

  const { changes } = await readStatus(yard.git, yard.worktree);
  const base = await bringBase(yard.git, yard.depot);
  const request = { archive: yard.archive, path: yard.worktree, worker: WORKER, base, now: NOW };
  const outcome = await removeWorktree(yard.git, { ...request, id: 'one', force: false });

  expect(changes).toEqual([{ path: 'w.bin', kind: 'tracked', letters: '.M' }]);
  expect(outcome).toMatchObject({ kind: 'would-lose', losses: { files: ['w.bin'] } });
});

test('given such a file and work that was merged, when its place is made fresh, then it is as in main', async () => {
  await using yard = await makeYard();
  await makeConverted(yard);
  const head = await yard.sh(yard.worktree, 'rev-parse', 'HEAD');
  await yard.commit(yard.source, { 'w.bin': 'newer\n' });

  const place = await placeOf(yard);
  const outcome = await recycle(yard.git, { place, head, commit: place.base, now: NOW });

  expect(outcome).toMatchObject({ kind: 'recycled', head: place.base });
  expect(await yard.read(yard.worktree, 'w.bin')).toBe('kept:newer\n');
});

test('given such a file, when its place is removed, then nothing is in the way', async () => {
  await using yard = await makeYard();
  await makeConverted(yard);
  const base = await bringBase(yard.git, yard.depot);
  const request = { archive: yard.archive, path: yard.worktree, worker: WORKER, base, now: NOW };

  expect(await removeWorktree(yard.git, { ...request, id: 'one', force: false })).toEqual({
    kind: 'removed',
    trash: [],
  });
});

test('given a filter that the source alone has, when a worker gets its place and commits, then it reads and commits as people do', async () => {
  await using yard = await makeYard();
  const filter = { clean: 'sed "s/^/kept: /"', smudge: "sed 's/^kept: //'", required: 'true' };
  // Sets up filters as projects do that bring their own.
  const shared = `${yard.dir}/shared.inc`;
  await yard.sh(yard.source, 'config', 'include.path', shared);
  for (const [key, value] of Object.entries(filter))
    await yard.sh(yard.source, 'config', '--file', shared, `filter.a.b.${key}`, value);
  await yard.sh(yard.source, 'config', 'merge.ff', 'only');
  await yard.commit(yard.source, { '.gitattributes': 'secret.* filter=a.b\n', 'secret.txt': 'word\n' });
  expect(await yard.sh(yard.source, 'show', 'HEAD:secret.txt')).toBe('kept: word');

  const place = await addWorker(yard, 'bora');
  expect(await yard.read(place, 'secret.txt')).toBe('word\n');
  await yard.commit(place, { 'secret.txt': 'new word\n' });

  expect(await yard.sh(place, 'show', 'HEAD:secret.txt')).toBe('kept: new word');
  expect(await yard.sh(place, 'config', '--get', '--default', 'none', 'merge.ff')).toBe('none');
});

/** A program that encrypts with a key that it keeps in the directory of the repository, as git-crypt and transcrypt do. */
const WITH_KEY = `tr "$(cat "$(git rev-parse --git-common-dir)/crypt/key")" `;

async function makeEncrypted(yard: Yard): Promise<void> {
  await yard.write(yard.source, { '.git/crypt/key': 'a-z' });
  for (const [key, value] of [
    ['clean', `${WITH_KEY} b-za`],
    ['smudge', 'k=$(cat "$(git rev-parse --git-common-dir)/crypt/key"); tr b-za "$k"'],
    ['required', 'true'],
  ] as const)
    await yard.sh(yard.source, 'config', `filter.crypt.${key}`, value);
  await yard.sh(yard.source, 'config', 'transcrypt.cipher', 'rot');
  await yard.commit(yard.source, { '.gitattributes': 'secret.* filter=crypt\n', 'secret.txt': 'hal\n' });
  expect(await yard.sh(yard.source, 'show', 'HEAD:secret.txt')).toBe('ibm');
}

test('given a filter with a key in the directory of the source, when a worker gets its place, then it has the key and reads the words', async () => {
  await using yard = await makeYard();
  await makeEncrypted(yard);

  const place = await addWorker(yard, 'bora');

  expect(await yard.read(place, 'secret.txt')).toBe('hal\n');
  expect(await yard.sh(place, 'config', 'transcrypt.cipher')).toBe('rot');
  expect(await missingFilters(yard.git, place)).toEqual([]);
});

test('given such a filter, when a commit is checked in a landing worktree, then its checks read the words', async () => {
  await using yard = await makeYard();
  await makeEncrypted(yard);
  const commit = await bringBase(yard.git, yard.depot);
  const setUp = { key: '', run: () => Promise.resolve() };
  const act = (at: string): Promise<string | undefined> => yard.read(at, 'secret.txt');

  const landed = await withLanding(yard.git, yard.depot, { name: LANDING, commit, archive: yard.archive, setUp, act });

  expect(landed).toEqual({ kind: 'done', value: 'hal\n' });
});

test.each([
  ['*.txt filter=crypt\nb/* -filter\n# filter=old\n', ['crypt']],
  ['*.bin filter=lfs diff=lfs\n', []],
  ['*.txt text\n', []],
])(
  'given attributes %j, when their filters are looked for, then those that nobody set up are named',
  async (text, names) => {
    await using yard = await makeYard();
    await yard.commit(yard.source, { '.gitattributes': text });

    expect(await missingFilters(yard.git, yard.source)).toEqual(names);
  },
);
