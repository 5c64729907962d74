/** Tests the ports that a root tries without a configured one. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { portsOf, rememberPort } from './port-file.ts';

test('given a root that once took another port than the default, when it starts again, then it tries that one first', async () => {
  const dataDir = await mkdtemp(path.join(os.tmpdir(), 'drover-port-'));
  await using stack = new AsyncDisposableStack();
  stack.defer(() => rm(dataDir, { recursive: true }));

  const byDefault = { port: 4680, isSet: false };
  expect(await portsOf(dataDir, byDefault)).toEqual([4680, 0]);
  await rememberPort(dataDir, { taken: 41_000, isSet: false });
  expect(await portsOf(dataDir, byDefault)).toEqual([41_000, 4680, 0]);
  await rememberPort(dataDir, { taken: 4680, isSet: false });
  expect(await portsOf(dataDir, byDefault)).toEqual([4680, 0]);
  await writeFile(path.join(dataDir, 'port'), '99999\n');
  expect(await portsOf(dataDir, byDefault)).toEqual([4680, 0]);
});

test('given a port that a person has chosen, when it is in use, then no other one is tried, and the remembered one stays', async () => {
  const dataDir = await mkdtemp(path.join(os.tmpdir(), 'drover-port-'));
  await using stack = new AsyncDisposableStack();
  stack.defer(() => rm(dataDir, { recursive: true }));
  await rememberPort(dataDir, { taken: 41_000, isSet: false });

  expect(await portsOf(dataDir, { port: 5000, isSet: true })).toEqual([5000]);
  await rememberPort(dataDir, { taken: 5000, isSet: true });
  expect(await portsOf(dataDir, { port: 4680, isSet: false })).toEqual([41_000, 4680, 0]);
});
