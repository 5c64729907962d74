/** Does a checkpoint of a big repository take seconds at most? */
import { expect, test } from 'vitest';
import { checkpoint, restoreCheckpoint } from '../src/index.ts';
import { inYard, NOW, makeYard } from './support.ts';

const FILES = 20_000;

/**
 * Milliseconds that each may take on a loaded machine. Measured on two shared cores: 0.2 s for the checkpoint, 0.5 s for
 * the restore; the bound is what a person still waits for.
 */
const BOUND_MS = 10_000;

test(`given ${FILES} files of which 20 changed, when they are checkpointed and restored, then each takes seconds at most`, async () => {
  await using yard = await makeYard();
  const names = Array.from({ length: FILES }, (_, count) => `d${count % 200}/f${count}.txt`);
  await yard.commit(yard.worktree, Object.fromEntries(names.map((name) => [name, `${name}\n`])));
  const some = (text: string) => Object.fromEntries(names.slice(0, 20).map((name) => [name, text]));
  await yard.write(yard.worktree, some('work\n'));
  const request = { ...inYard(yard), now: NOW };

  const begun = performance.now();
  const { commit, dirty } = await checkpoint(yard.git, { ...request, id: 'c1', reason: 'periodic', why: '' });
  const savedMs = performance.now() - begun;
  await yard.write(yard.worktree, some('damage\n'));
  const damaged = performance.now();
  await restoreCheckpoint(yard.git, { ...request, commit, saveAs: 'after' });
  const restoredMs = performance.now() - damaged;

  expect(dirty).toBe(20);
  expect(await yard.read(yard.worktree, names[0] ?? '')).toBe('work\n');
  expect({ savedMs: savedMs < BOUND_MS, restoredMs: restoredMs < BOUND_MS }).toEqual({
    savedMs: true,
    restoredMs: true,
  });
});
