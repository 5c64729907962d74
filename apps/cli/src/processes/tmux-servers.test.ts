import { execFileSync } from 'node:child_process';
import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { readEnvironment } from '@drover/config/surroundings';
import { WORKER_OPTION } from '@drover/tmux';
import { expect, test } from 'vitest';
import { endTmux, sessionOf } from './tmux-servers.ts';

const WORKER = '0198b6a0-0000-7000-8000-000000000001';

test('given a tmux server in a directory that another user could have put there, when a worker is attached to or servers end, then it is refused', async () => {
  await using stack = new AsyncDisposableStack();
  const above = await mkdtemp(path.join(os.tmpdir(), 'drover-servers-'));
  stack.defer(() => rm(above, { recursive: true }));
  const runtimeDir = path.join(above, 'run');
  await mkdir(runtimeDir, { mode: 0o700 });
  const tmux = (...args: readonly string[]): unknown =>
    execFileSync('tmux', ['-f', '/dev/null', '-S', path.join(runtimeDir, 'tmux.sock'), ...args]);
  stack.defer(() => void tmux('kill-server'));
  tmux('new-session', '-d', '-s', 'false', 'cat', ';', 'set-option', WORKER_OPTION, WORKER);
  const place = { runtimeDir, environment: readEnvironment() };
  expect(await sessionOf(place, WORKER)).toMatchObject({ session: 'false' });

  await chmod(above, 0o777);

  await expect(sessionOf(place, WORKER)).rejects.toMatchObject({ code: 'unsafe-directory' });
  await expect(endTmux(place, 'all')).rejects.toMatchObject({ code: 'unsafe-directory' });
});
