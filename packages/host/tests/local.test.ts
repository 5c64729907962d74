/** Checks that the machine of this process keeps the contract of a host. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { createLocalHost } from '../src/index.ts';
import { hostContract } from '../src/testing/index.ts';

hostContract(() => Promise.resolve(createLocalHost({ env: { ...process.env, OWN: 'own', REMOVED: 'x' } })));

test('given a watched directory, when it is removed, then the watch ends, for the next one in its place is another', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'watched-'));
  const watch = await createLocalHost({ env: process.env }).watch(directory, () => {});
  const whenEnded = vi.fn();
  void watch?.ended.then(whenEnded);

  await rm(directory, { recursive: true });

  await vi.waitFor(() => expect(whenEnded).toHaveBeenCalled(), { timeout: 5_000 });
});
