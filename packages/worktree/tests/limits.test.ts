import { rm } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { checkpoint, readWorktree, prepareForTask, readConflicts, removeWorktree, workerBranch } from '../src/index.ts';
import { type Git, git } from '../src/git/git.ts';
import { BRANCH, inYard, NOW, WORKER, makeYard } from './support.ts';

test('given an answer longer than its limit, when git is run, then it is refused, never read as if it were whole', async () => {
  await using yard = await makeYard();
  const call = { at: yard.worktree, action: 'list the files', timeoutMs: 5_000, maxOutputBytes: 10 };

  await expect(git(yard.git, ['ls-files'], call)).rejects.toMatchObject({ code: 'output-too-large' });
});

test('given an answer that may be cut, when git is still writing at its deadline, then the first part is the answer', async () => {
  await using yard = await makeYard();
  const endless: Git = {
    ...yard.git,
    run: (_program, _args, { outputBytesMax = 0 }) =>
      Promise.resolve({
        status: undefined,
        signal: 'SIGKILL',
        stdout: 'x'.repeat(outputBytesMax),
        stderr: '',
        timedOut: true,
      }),
  };
  const call = { at: yard.worktree, action: 'read the diff', timeoutMs: 5_000, maxOutputBytes: 10 };

  expect(await git(endless, ['diff'], { ...call, mayCut: true })).toMatchObject({ stdout: 'x'.repeat(10), cut: true });
  await expect(git(endless, ['diff'], call)).rejects.toMatchObject({ code: 'timed-out' });
});

test('given a caller that gives up, when git is run, then it is cancelled', async () => {
  await using yard = await makeYard();
  const context = { ...yard.git, signal: AbortSignal.abort() };

  await expect(readWorktree(context, { path: yard.worktree, base: 'origin/main' })).rejects.toMatchObject({
    code: 'cancelled',
  });
});

test('given names that would be options, paths or refs of others, when used, then each is refused before git runs', async () => {
  await using yard = await makeYard();
  yard.calls.length = 0;
  const saved = { worktree: yard.worktree, archive: yard.archive, reason: 'manual', why: '', now: NOW } as const;

  for (const worker of ['', '-x', '../main', 'A', 'a b', 'a/b', 'ä', 'x'.repeat(32), 'a\n']) {
    expect(() => workerBranch({}, worker)).toThrow(/cannot name a worker/);
  }
  for (const id of ['', '-x', 'a/b', '..', 'a.lock', 'a b', 'x'.repeat(65)]) {
    await expect(checkpoint(yard.git, { ...saved, worker: WORKER, id })).rejects.toMatchObject({ code: 'bad-name' });
  }
  for (const base of ['--output=/tmp/x', 'main..x', 'main^', '@{-1}', 'a b', '']) {
    await expect(readWorktree(yard.git, { path: yard.worktree, base })).rejects.toMatchObject({ code: 'bad-name' });
  }
});

test('given a worktree that lost its .git, when it is used, then a repository around it is never taken for it', async () => {
  await using yard = await makeYard();
  await rm(`${yard.worktree}/.git`, { recursive: true });
  await yard.sh(yard.root, 'init', '-q', '-b', 'main');
  await yard.commit(yard.root, { 'a.txt': 'of a person\n', '.gitignore': '.worktrees\n' });
  await yard.write(yard.root, { 'a.txt': 'a change around it\n' });
  const common = { ...inYard(yard), id: 'x', now: NOW };

  const prepared = prepareForTask(yard.git, {
    ...common,
    branch: BRANCH,
    source: yard.source,
    base: '0'.repeat(40),
    copyFiles: [],
    commits: 'set-aside',
  });

  await expect(prepared).rejects.toMatchObject({ code: 'not-a-repository' });
  await expect(readWorktree(yard.git, { path: yard.worktree, base: 'origin/main' })).rejects.toMatchObject({
    code: 'not-a-repository',
  });
  await expect(readConflicts(yard.git, yard.worktree)).rejects.toMatchObject({ code: 'not-a-repository' });
  const removed = await removeWorktree(yard.git, {
    archive: yard.archive,
    path: yard.worktree,
    worker: WORKER,
    base: 'origin/main',
    id: 'x',
    now: NOW,
    force: false,
  });
  expect(removed.kind).toBe('unreadable');
  expect(await yard.read(yard.root, 'a.txt')).toBe('a change around it\n');
});
