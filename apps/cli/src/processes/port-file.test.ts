/** Ports that a root tries when it was given none. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { portsOf, rememberPort } from './port-file.ts';

test('given a root that once took another port than the default, when it starts again, then it tries that one first', async () => {
  const dataDir = await mkdtemp(path.join(os.tmpdir(), 'drover-port-'));
  await using stack = new AsyncDisposableStack();
  stack.defer(() => rm(dataDir, { recursive: true }));

  expect(await portsOf(dataDir, 4680)).toEqual([4680, 0]);
  await rememberPort(dataDir, 41_000);
  expect(await portsOf(dataDir, 4680)).toEqual([41_000, 4680, 0]);
  await rememberPort(dataDir, 4680);
  expect(await portsOf(dataDir, 4680)).toEqual([4680, 0]);
  await writeFile(path.join(dataDir, 'port'), '99999\n');
  expect(await portsOf(dataDir, 4680)).toEqual([4680, 0]);
});
