/** The way of work into main, step after step, and what follows it. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeCandidate, prove, publish, readWorktree, recycle, validate } from '../src/index.ts';
import { BRANCH, NOW, placeOf, WORKER, type Yard, makeYard } from './support.ts';
import { placeIn, workAt } from './depot/support.ts';

/** Runs every step of an acceptance `times` times over and returns the commit. */
async function acceptAll(yard: Yard, times = 1): Promise<string> {
  const { git, worktree } = yard;
  const place = placeIn(yard);
  const repeated = async <T>(act: () => Promise<T>): Promise<T> => {
    let result = await act();
    for (let count = 1; count < times; count += 1) result = await act();
    return result;
  };
  const head = await yard.sh(worktree, 'rev-parse', 'HEAD');
  const made = await repeated(() => makeCandidate(git, place, workAt(yard, head)));
  if (made.kind !== 'candidate') throw new Error(made.kind);
  const checked = await repeated(() => validate(git, { worktree, commands: ['test -f a.txt'] }));
  expect(checked.kind).toBe('passed');
  const { base, commit } = made;
  const published = await repeated(() => publish(git, place, { worker: WORKER, base, commit }));
  expect(published.kind).toBe('published');
  expect((await repeated(() => prove(git, place, commit))).kind).toBe('merged');
  expect(
    await repeated(() => recycling(yard, { head, commit }).then((request) => recycle(git, request))),
  ).toMatchObject({
    kind: 'recycled',
    head: commit,
  });
  return commit;
}

async function recycling(yard: Yard, { head, commit }: { head: string; commit: string }) {
  return { place: await placeOf(yard), head, commit, now: NOW } as const;
}

test.each([1, 2])('given two commits, when each step runs %i times, then main has one', async (times) => {
  await using yard = await makeYard();
  await yard.commit(
    yard.worktree,
    { 'new.txt': 'n\n', 'b.txt': undefined },
    'add new\n\nCo-Authored-By: Claude <noreply@anthropic.com>',
  );
  await yard.write(yard.worktree, { 'build/kept.txt': 'ignored\n' });
  const head = await yard.commit(yard.worktree, { 'new.txt': 'nn\n' }, 'and more');
  await yard.commit(yard.source, { 'c.txt': 'c\n' }, 'meanwhile');

  const commit = await acceptAll(yard, times);

  expect(await yard.sh(yard.source, 'log', '--format=%s', 'main')).toBe('add new\nmeanwhile\nfirst');
  expect(await yard.sh(yard.source, 'log', '-1', '--format=%B')).toBe('add new\n\n* and more');
  expect(await yard.sh(yard.source, 'status', '--porcelain')).toBe('');
  expect(await yard.read(yard.source, 'new.txt')).toBe('nn\n');
  expect(await yard.read(yard.source, 'b.txt')).toBeUndefined();
  expect(await yard.sh(yard.source, 'for-each-ref', 'refs/drover')).toBe('');
  const facts = await readWorktree(yard.git, { path: yard.worktree, base: 'origin/main' });
  expect(facts).toMatchObject({ head: commit, branch: BRANCH, ahead: 0, behind: 0, changeCount: 0 });
  expect(await yard.read(yard.worktree, 'build/kept.txt')).toBe('ignored\n');
  expect(await yard.sh(yard.archive, 'for-each-ref', '--format=%(parent)', 'refs/drover/trash')).toBe(head);
});

test('given a worktree that is gone, when it is recycled, then it is made again on the newest main', async () => {
  await using yard = await makeYard();
  const head = await yard.commit(yard.worktree, { 'w.txt': 'w\n' });
  const commit = await yard.commit(yard.source, { 'w.txt': 'w\n' });
  await yard.git.files.rm(yard.worktree);

  const when = await recycle(yard.git, await recycling(yard, { head, commit }));

  expect(when).toMatchObject({ kind: 'recycled', head: commit });
  expect(await yard.sh(yard.worktree, 'status', '--porcelain', '--branch')).toBe(`## ${BRANCH}`);
});

test('given files or commits beyond the merged work, when it is recycled, then all stays as it is', async () => {
  await using yard = await makeYard();
  const head = await yard.commit(yard.worktree, { 'w.txt': 'w\n' });
  const commit = await yard.commit(yard.source, { 'w.txt': 'w\n' });
  const request = await recycling(yard, { head, commit });
  await yard.write(yard.worktree, { 'afterthought.txt': '' });
  expect(await recycle(yard.git, request)).toMatchObject({
    kind: 'kept',
    tips: [],
    files: [{ path: 'afterthought.txt' }],
  });

  const later = await yard.commit(yard.worktree, {}, 'later');

  expect(await recycle(yard.git, request)).toEqual({ kind: 'kept', tips: [later], files: [] });
  expect(await yard.read(yard.worktree, 'afterthought.txt')).toBe('');
  const unmerged = { ...request, commit: later };
  expect(await recycle(yard.git, unmerged)).toEqual({ kind: 'not-merged', tip: commit });
});

test('given a commit in the moment of recycling, when the branch is moved, then the commit stays on it', async () => {
  await using yard = await makeYard();
  const head = await yard.commit(yard.worktree, { 'w.txt': 'w\n' });
  const commit = await yard.commit(yard.source, { 'w.txt': 'w\n' });
  let later = '';
  const run: typeof yard.git.run = async (program, args, options) => {
    if (args.includes('--detach') && later === '') {
      await writeFile(join(yard.worktree, 'late.txt'), '');
      later = await yard.commit(yard.worktree, {}, 'late');
    }
    return yard.git.run(program, args, options);
  };

  const when = await recycle({ ...yard.git, run }, await recycling(yard, { head, commit }));

  expect(when).toEqual({ kind: 'kept', tips: [later], files: [] });
  expect(await yard.sh(yard.worktree, 'status', '--porcelain=v2', '--branch')).toContain(`branch.oid ${later}`);
});
