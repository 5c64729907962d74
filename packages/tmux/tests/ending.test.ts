/** A server in which an agent may live is not ended as an empty one. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { endServers } from '../src/index.ts';
import type { Host } from '@drover/host';
import { ensureHub, HUB } from '../src/server/hub.ts';
import { SpawnedCommands } from '../src/commands/spawned.ts';
import { clock, host } from './support/test-host.ts';

/** A directory with one running server. */
async function oneServer(): Promise<{ directory: string; tmux: (...words: string[]) => Promise<number | undefined> }> {
  const directory = await mkdtemp(path.join(tmpdir(), 'drover-ending-'));
  const socket = ['-S', path.join(directory, 'tmux.sock'), '-f', '/dev/null'];
  const env = { TMUX: undefined, TMUX_PANE: undefined };
  await ensureHub(new SpawnedCommands({ host, program: 'tmux', socket, env }, 'secret'), clock);
  const tmux = async (...words: string[]): Promise<number | undefined> =>
    (await host.run('tmux', [...socket, ...words], { env, timeoutMs: 20_000 })).status;
  onTestFinished(async () => {
    await tmux('kill-server');
    await rm(directory, { recursive: true });
  });
  return { directory, tmux };
}

/** The machine, on which something happens before a command of that name. */
function before(command: string, happens: () => Promise<unknown>): Host['run'] {
  return async (file, args, options) => {
    if (String(options.input).includes(command)) await happens();
    return host.run(file, args, options);
  };
}

const end = (directory: string, run: Host['run']): Promise<void> =>
  endServers({ host: { ...host, run }, clock }, directory, { which: 'empty' });

test('given a server with its hub alone, when empty ones are ended, then it is gone', async () => {
  const { directory, tmux } = await oneServer();

  await end(directory, host.run);

  expect(await tmux('has-session', '-t', HUB)).toBe(1);
});

test('given an agent that begins meanwhile, when empty servers are ended, then it lives', async () => {
  const { directory, tmux } = await oneServer();

  await end(
    directory,
    before('if-shell', () => tmux('new-session', '-d', '-s', 'agent')),
  );

  expect(await tmux('has-session', '-t', 'agent')).toBe(0);
});

test('given an agent without the hub, when empty servers are ended, then it lives', async () => {
  const { directory, tmux } = await oneServer();
  await tmux('rename-session', '-t', HUB, 'agent');

  await end(directory, host.run);

  expect(await tmux('has-session', '-t', 'agent')).toBe(0);
});

test('given a server that cannot be asked, when empty servers are ended, then its agent lives', async () => {
  const { directory, tmux } = await oneServer();
  await tmux('new-session', '-d', '-s', 'agent');

  await end(directory, async (file, args, options) =>
    String(options.input).includes('if-shell')
      ? {
          status: 1,
          signal: undefined,
          stdout: '',
          stdoutBytes: new Uint8Array(),
          stderr: 'fork failed',
          timedOut: false,
        }
      : host.run(file, args, options),
  );

  expect(await tmux('has-session', '-t', 'agent')).toBe(0);
});
