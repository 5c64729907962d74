// Checks that compiled files of old versions go, and that those of other programs stay.
import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { pruneCompiled } from './compiled.ts';

const DAY_MS = 24 * 3_600_000;
const NOW = 1_000 * DAY_MS;

test.each([
  ['of Drover', 'drover/compiled', ['v24/new', 'v26/new']],
  ['that the user shares with other programs', 'mine', ['v24/new', 'v24/old', 'v26/new', 'v26/old']],
])('given a cache %s, when "drover up" starts, then of its own alone the old files go', async (_, name, left) => {
  const home = await mkdtemp(path.join(os.tmpdir(), 'compiled-'));
  const cache = path.join(home, name);
  for (const [file, days] of [
    ['new', 29],
    ['old', 31],
  ] as const)
    for (const node of ['v24', 'v26']) {
      await mkdir(path.join(cache, node), { recursive: true });
      await writeFile(path.join(cache, node, file), '');
      const at = (NOW - days * DAY_MS) / 1_000;
      await utimes(path.join(cache, node, file), at, at);
    }

  await pruneCompiled(path.join(cache, 'v24'), NOW);

  const files = (await readdir(cache, { recursive: true })).filter((file) => /\/(?:new|old)$/u.test(file));
  expect(files.toSorted()).toEqual(left);
  await rm(home, { recursive: true });
});

test('given no cache, when "drover up" starts, then nothing fails', async () => {
  await expect(pruneCompiled(undefined, NOW)).resolves.toBeUndefined();
  await expect(pruneCompiled('/nowhere/drover/compiled/v24', NOW)).resolves.toBeUndefined();
});
