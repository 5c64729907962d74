/** Tests that Drover is down after `drover down --force` says so, also if `drover up` was starting or stopping. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { access, rm } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import path from 'node:path';
import { expect, test } from 'vitest';
import { finished } from '../../../../tools/fleet/processes.ts';
import { DROVER } from '../../../../tools/fleet/program.ts';
import { Sandbox } from '../../../../tools/fleet/sandbox.ts';
import { until } from '../../../../tools/fleet/wait.ts';

test('given an up whose database does not answer, when it is still starting, then down waits for it and down --force ends it', async () => {
  await using sandbox = await Sandbox.withRoot();
  await using silent = createServer((socket) => socket.resume()).listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const { port } = silent.address() as AddressInfo;
  const env = { ...sandbox.env, DATABASE_URL: `postgres://127.0.0.1:${port}/drover` };
  const child = spawn(DROVER, ['up'], { cwd: sandbox.root, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = finished(child);
  await until('drover up to begin', () =>
    access(path.join(sandbox.dataDir, 'up.pid')).then(
      () => true,
      () => undefined,
    ),
  );

  const gentle = await sandbox.drover(['down']);
  const forced = await sandbox.drover(['down', '--force']);
  const wasAlive = child.exitCode === null && child.signalCode === null && isThere(child.pid);

  expect(gentle).toMatchObject({ status: 1, stderr: expect.stringContaining('Drover is starting or stopping') });
  expect(forced).toMatchObject({ status: 0, stdout: expect.stringContaining('Drover is down') });
  expect(wasAlive).toBe(false);
  await ended;
});

test('given an up that is suspended and has taken its endpoint away, when it is brought down by force, then it is gone', async () => {
  await using sandbox = await Sandbox.withRoot();
  const up = await sandbox.up();
  await rm(path.join(sandbox.dataDir, 'endpoint.json'));
  process.kill(up.pid, 'SIGSTOP');

  const forced = await sandbox.drover(['down', '--force']);

  expect(forced).toMatchObject({ status: 0, stdout: expect.stringContaining('Drover is down') });
  expect(isThere(up.pid)).toBe(false);
});

test('given a worker whose program is still starting, when Drover goes down, then the program may end its work first', async () => {
  await using sandbox = await Sandbox.withRoot();
  const [began, saved] = [path.join(sandbox.root, 'began'), path.join(sandbox.root, 'saved')];
  const script = `trap 'sleep 1; echo yes > "${saved}"; exit 0' TERM; echo yes > "${began}"; while :; do sleep 0.1; done`;
  const program = JSON.stringify(['/bin/sh', '-c', script, 'sh']);
  await sandbox.configure(
    `[defaults]\nprofile = "sim"\n[coordinator]\nport = 0\n[profiles.sim]\nprogram = ${program}\n`,
  );
  await sandbox.up();
  await sandbox.drover(['add', 'adam']);
  await until('the program to start', () => isFile(began));

  const down = await sandbox.drover(['down']);

  expect(down).toMatchObject({ status: 0, stdout: expect.stringContaining('its sessions are closed') });
  expect(await isFile(saved)).toBe(true);
});

async function isFile(name: string): Promise<true | undefined> {
  return access(name).then(
    () => true,
    () => undefined,
  );
}

/** Tells whether a process exists. A zombie still exists for the system: its parent is this test, which collects at once. */
function isThere(pid: number | undefined): boolean {
  try {
    process.kill(pid ?? 0, 0);
    return true;
  } catch {
    return false;
  }
}
