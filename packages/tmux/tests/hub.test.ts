/** Checks that a server starts although another is just leaving its socket. */
import { expect, test } from 'vitest';

import { ensureHub } from '../src/server/hub.ts';
import type { Host } from '@drover/host';
import { SpawnedCommands } from '../src/commands/spawned.ts';
import { fasterClock } from './support/doubles.ts';
import { host } from './support/test-host.ts';

function answering(...errors: readonly string[]): { spawned: SpawnedCommands; asked: () => number } {
  let asked = 0;
  const run: Host['run'] = () => {
    const stderr = errors[Math.min(asked, errors.length - 1)] ?? '';
    asked += 1;
    const status = stderr === '' ? 0 : 1;
    return Promise.resolve({
      status,
      signal: undefined,
      stdout: '',
      stdoutBytes: new Uint8Array(),
      stderr,
      timedOut: false,
    });
  };
  const address = { host: { ...host, run }, program: 'tmux', socket: ['-L', 'x'], env: {} };
  return { spawned: new SpawnedCommands(address, 'secret'), asked: () => asked };
}

test.each([
  ['server exited unexpectedly', ''],
  ['lost server', 'error connecting to /tmp/x (Connection refused)', ''],
  ['no server running on /tmp/x', 'duplicate session: _hub'],
])('given "%s" first, when the hub is ensured, then it is tried again', async (...errors) => {
  const { spawned, asked } = answering(...errors);

  await ensureHub(spawned, fasterClock(50));

  expect(asked()).toBe(errors.length);
});

test('given a server that never comes, when the hub is ensured, then it fails after a second of tries', async () => {
  const { spawned, asked } = answering('server exited unexpectedly');

  await expect(ensureHub(spawned, fasterClock(50))).rejects.toMatchObject({ code: 'server-gone' });
  expect(asked()).toBe(20);
});

test('given any other error, when the hub is ensured, then it is told at once', async () => {
  const { spawned, asked } = answering('create session failed: no space');

  await expect(ensureHub(spawned, fasterClock(50))).rejects.toThrow('no space');
  expect(asked()).toBe(1);
});
