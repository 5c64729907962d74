/**
 * Kills each sequence after its first, second, … writing program, until it gets through; then the whole of it is
 * repeated from the start by a context that lives. The end must be the same every time. Steps that lead to the default
 * branch are in `kill/`.
 */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  type Git,
  type RunCommand,
  checkpoint,
  ensureWorktree,
  listTrash,
  removeWorktree,
  restoreCheckpoint,
} from '../src/index.ts';
import { keepIn } from '../src/archive/keep.ts';
import { BRANCH, inYard, NOW, placeOf, WORKER, type Yard, makeSource, makeYard, nodeFiles } from './support.ts';

class Killed extends Error {}

/** A context that dies after its `count`-th program that may write: the effect is there, the answer is lost. */
function dyingAfter(git: Git, count: number): Git {
  let left = count;
  return {
    ...git,
    run: async (program, args, options) => {
      if (left < 0) throw new Killed();
      const result = await git.run(program, args, options);
      if (options.env?.['GIT_OPTIONAL_LOCKS'] !== '0') left -= 1;
      if (left < 0) throw new Killed();
      return result;
    },
  };
}

/** Runs `act` with a death after each writing program in turn, on a new yard each time. @returns how many there were. */
async function dieEverywhere(
  make: () => Promise<Yard>,
  act: (git: Git, yard: Yard) => Promise<unknown>,
  judge: (yard: Yard) => Promise<void>,
): Promise<number> {
  for (let count = 0; ; count += 1) {
    await using yard = await make();
    try {
      await act(dyingAfter(yard.git, count), yard);
      return count;
    } catch (error) {
      if (!(error instanceof Killed)) throw error;
    }
    await act(yard.git, yard);
    await judge(yard);
  }
}

test('given a death after any program, when the place of a worker is made again, then all of it is whole', async () => {
  const deaths = await dieEverywhere(
    () => makeSource(),
    async (git, yard) => {
      const made = await ensureWorktree(git, await placeOf(yard, WORKER, git));
      expect(['created', 'exists']).toContain(made.kind);
    },
    async (yard) => {
      expect(await yard.sh(yard.worktree, 'status', '--porcelain', '--branch')).toBe(`## ${BRANCH}`);
      expect(await yard.sh(yard.worktree, 'config', '--get', 'rerere.enabled')).toBe('true');
      expect(await readdir(join(yard.root, '.worktrees'))).toEqual([WORKER]);
      for (const at of [yard.archive, yard.worktree]) await yard.sh(at, 'fsck', '--connectivity-only');
    },
  );

  expect(deaths).toBeGreaterThan(5);
});

test('given a death after any program, when a checkpoint is made and restored again, then it is as saved', async () => {
  const request = { id: 'c1', reason: 'manual', why: '', now: NOW } as const;
  const ref = 'refs/drover/checkpoints/alba/c1';
  const deaths = await dieEverywhere(
    async () => {
      const yard = await makeYard();
      await yard.write(yard.worktree, { 'a.txt': 'staged\n' });
      await yard.sh(yard.worktree, 'add', '-A');
      await yard.write(yard.worktree, { 'b.txt': undefined, 'new.txt': 'n' });
      await checkpoint(yard.git, { ...request, ...inYard(yard) });
      await yard.commit(yard.worktree, { 'later.txt': 'l' });
      return yard;
    },
    async (git, yard) => {
      const commit = await yard.sh(yard.archive, 'rev-parse', ref);
      const restore = { ...inYard(yard), commit, saveAs: 'before', now: NOW };
      expect((await restoreCheckpoint(git, restore)).kind).toBe('restored');
    },
    async (yard) => {
      expect(await yard.sh(yard.worktree, 'status', '--porcelain')).toBe('M  a.txt\n D b.txt\n?? new.txt');
      expect(await yard.sh(yard.archive, 'show', 'refs/drover/checkpoints/alba/before:later.txt')).toBe('l');
    },
  );

  expect(deaths).toBeGreaterThan(5);
});

test('given a death after any program, when a forced removal is repeated, then all of it is in the trash', async () => {
  const deaths = await dieEverywhere(
    async () => {
      const yard = await makeYard();
      await yard.commit(yard.worktree, { 'own.txt': 'o\n' });
      await yard.write(yard.worktree, { 'notes.md': 'n' });
      return yard;
    },
    (git, { archive, worktree: path }) => {
      const request = { archive, path, worker: WORKER, base: 'origin/main', id: 'nuke', now: NOW };
      return removeWorktree(git, { ...request, force: true });
    },
    async (yard) => {
      expect(await yard.sh(yard.archive, 'show', 'refs/drover/trash/alba/nuke-files:notes.md')).toBe('n');
      expect(await listTrash(yard.git, { archive: yard.archive, worker: WORKER })).toHaveLength(2);
      expect(await yard.sh(yard.archive, 'for-each-ref', 'refs/heads/drover')).toBe('');
      expect(await readdir(join(yard.root, '.worktrees'))).toEqual([]);
    },
  );

  expect(deaths).toBeGreaterThan(5);
});

test('given a lock that a killed git left on a ref, when work is to be kept there, then the lock is named, and nothing counts as kept', async () => {
  const ref = 'refs/drover/trash/alba/1';
  const stderr = `fatal: cannot lock ref '${ref}': Unable to create '/r/.git/${ref}.lock': File exists.`;
  const run: RunCommand = (_, args) => {
    const status = args.includes('fetch') ? 128 : args.includes('--git-dir') ? 0 : 1;
    return Promise.resolve({ status, signal: undefined, stdout: '', stderr, timedOut: false });
  };

  const kept = keepIn({ run, files: nodeFiles }, '/r', { from: '/w/.git', ref, commit: 'a'.repeat(40) });

  await expect(kept).rejects.toMatchObject({ code: 'locked', message: expect.stringContaining('alba/1.lock') });
});
