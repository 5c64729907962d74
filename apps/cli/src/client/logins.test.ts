/** Tests the file of logins, which several calls of one command may change at once. */
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { readEnvironment } from '@drover/config/surroundings';
import { expect, onTestFinished, test } from 'vitest';
import { pinCoordinator, pinnedCoordinator, storedToken, storeToken } from './logins.ts';

test('given a command that learns several coordinators and a token at once, when all are kept, then none is lost', async () => {
  const home = await mkdtemp(path.join(os.tmpdir(), 'drover-logins-'));
  onTestFinished(() => rm(home, { recursive: true }));
  const environment = readEnvironment({ HOME: home });
  const urls = ['http://127.0.0.1:1', 'http://127.0.0.1:2', 'http://127.0.0.1:3'];

  await Promise.all([
    ...urls.map((url) => pinCoordinator(environment, url, `key of ${url}`)),
    storeToken(environment, urls[0] ?? '', 'token'),
  ]);

  const pinned = await Promise.all(urls.map((url) => pinnedCoordinator(environment, url)));
  expect(pinned).toEqual(urls.map((url) => `key of ${url}`));
  expect(await storedToken(environment, urls[0] ?? '')).toBe('token');
});
