/** Plays agents whose `git fetch --depth` or shallow clones cut history off: git then leaves out what it is asked to keep, and reports no error. */
import { expect, test } from 'vitest';
import { checkpoint, makeCandidate, prepareForTask, removeWorktree } from '../../src/index.ts';
import { contentOf, exists, findLost } from './held.ts';
import { addWorker, BRANCH, inYard, makeYard, NOW, placeOf, WORKER, type Yard } from '../support.ts';

/** Makes the worker's clone shallow as an agent does that wants the newest main alone, and commits on it. @returns the commit. */
async function commitOnCut(yard: Yard): Promise<string> {
  await yard.commit(yard.source, { 'b.txt': 'newer\n' });
  await yard.commit(yard.source, { 'b.txt': 'newest\n' });
  await yard.sh(yard.worktree, 'fetch', '-q', '--depth=1', `file://${yard.source}`, 'main');
  await yard.sh(yard.worktree, 'reset', '-q', '--hard', 'FETCH_HEAD');
  return yard.commit(yard.worktree, { 'mine.txt': 'mine\n' });
}

test('given a clone whose history was cut off, when a checkpoint is made and the place is removed by force, then all of it is kept', async () => {
  await using yard = await makeYard();
  const head = await commitOnCut(yard);
  await yard.write(yard.worktree, { 'loose.txt': 'loose\n' });
  const before = await contentOf(yard);

  const made = await checkpoint(yard.git, { ...inYard(yard), id: 'one', reason: 'manual', why: '', now: NOW });
  const branch = await yard.sh(yard.archive, 'rev-parse', BRANCH);
  const request = { archive: yard.archive, path: yard.worktree, worker: WORKER, base: 'origin/main', now: NOW };
  const outcome = await removeWorktree(yard.git, { ...request, id: 'nuke', force: true });

  expect(made.kind).toBe('saved');
  expect(branch).toBe(head);
  expect(outcome).toMatchObject({ kind: 'removed', trash: [expect.any(String), expect.any(String)] });
  expect(await findLost(yard, before)).toEqual([]);
});

test('given a clone whose history was cut off, when the newest main is brought, then clone and archive have all of their history', async () => {
  await using yard = await makeYard();
  await commitOnCut(yard);
  await checkpoint(yard.git, { ...inYard(yard), id: 'one', reason: 'manual', why: '', now: NOW });
  expect(await exists(yard, `${yard.archive}/shallow`)).toBe(true);

  await addWorker(yard, WORKER);

  expect(await yard.sh(yard.worktree, 'rev-list', '--count', 'HEAD')).toBe('4');
  expect(await yard.sh(yard.archive, 'rev-list', '--count', BRANCH)).toBe('4');
});

test.each([
  ['a clone of one commit', ['clone', '-q', '--depth=1']],
  ['a submodule of one commit', ['submodule', '--quiet', 'add', '--depth=1']],
])(
  'given %s inside with a changed file, when the place is cleared or removed, then the change is kept',
  async (_, words) => {
    await using yard = await makeYard();
    const library = `${yard.dir}/books`;
    await yard.sh(yard.dir, 'init', '-q', '-b', 'main', library);
    await yard.commit(library, { 'lib.js': 'old\n' });
    await yard.commit(library, { 'lib.js': 'new\n' });
    await yard.sh(yard.worktree, '-c', 'protocol.file.allow=always', ...words, `file://${library}`, 'lib');
    await yard.commit(yard.worktree, { 'mine.txt': 'mine\n' });
    await yard.write(`${yard.worktree}/lib`, { 'lib.js': 'changed\n' });
    const before = await contentAt(yard, 'lib');
    const { base } = await placeOf(yard);
    const task = { ...inYard(yard), branch: BRANCH, source: yard.source, base, copyFiles: [], id: 'task', now: NOW };

    await prepareForTask(yard.git, { ...task, commits: 'set-aside' });
    expect(await findLost(yard, before, await contentAt(yard, 'lib'))).toEqual([]);
    const request = { archive: yard.archive, path: yard.worktree, worker: WORKER, base: 'origin/main', now: NOW };
    await removeWorktree(yard.git, { ...request, id: 'nuke', force: true });

    expect(await findLost(yard, before)).toEqual([]);
  },
);

/** The changed file of the repository inside, wherever it is. */
async function contentAt(yard: Yard, path: string): Promise<ReadonlySet<string>> {
  const file = `${yard.worktree}/${path}/lib.js`;
  return new Set((await exists(yard, file)) ? [await yard.sh(yard.source, 'hash-object', file)] : []);
}

test('given work on a history that nobody here has, when it is brought into the depot, then its clone is named, with the command that helps', async () => {
  await using yard = await makeYard();
  const head = await commitOnCut(yard);
  // The source is set back, as if somebody had removed the branch that the agent fetched.
  await yard.sh(yard.source, 'reset', '-q', '--hard', 'HEAD~2');

  const made = makeCandidate(yard.git, yard.depot, { worker: WORKER, clone: yard.worktree, head, began: null });

  await expect(made).rejects.toThrow(
    `"${yard.worktree}" has only a part of its history, as after "git fetch --depth": run "git fetch --unshallow" there`,
  );
});

test('given work that the depot refused for its history, when the place is looked at again, then its clone can still be read', async () => {
  await using yard = await makeYard();
  const head = await commitOnCut(yard);
  await yard.sh(yard.source, 'reset', '-q', '--hard', 'HEAD~2');
  await makeCandidate(yard.git, yard.depot, { worker: WORKER, clone: yard.worktree, head, began: null }).catch(
    () => {},
  );

  await addWorker(yard, WORKER);

  expect(await yard.sh(yard.worktree, 'rev-list', '--count', 'HEAD')).toBe('2');
  expect(await yard.sh(yard.archive, 'rev-list', '--count', '--all')).not.toBe('0');
});
