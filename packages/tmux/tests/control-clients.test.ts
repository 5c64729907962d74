/** Checks that a control client without its reader is ended, so that it does not hold its server for ever. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { expect, test } from 'vitest';

import { type EndingTools, endServers, socketName } from '../src/index.ts';
import { eventually, Rig, TMUX } from './support/rig.ts';
import { clock, host } from './support/test-host.ts';

const UNREAD_CLIENT = fileURLToPath(new URL('support/unread-client.ts', import.meta.url));
/** Milliseconds in which a free server ends on a loaded machine; a held server never does. */
const SOON_MS = 60_000;
/** Behaviour of 3.7c and 3.8, but not of 3.3a and 3.5a. */
const LETS_GO = 'this tmux lets go of a control client that lost its reader';

test('given a control client whose reader was killed, when a driver connects, then the client is ended and the server can end', async ({
  skip,
}) => {
  await using rig = await Rig.make();
  await (await rig.open())[Symbol.asyncDispose]();
  const left = await leaveClient(rig);
  skip(left === undefined, LETS_GO);

  await using server = await rig.open();

  expect(await rig.clients()).not.toContain(left);
  expect(await rig.clients()).toHaveLength(1);
  await rig.tmux('kill-server');
  await eventually(async () => expect(await isRunning(server.identity.pid)).toBe(false), SOON_MS);
});

test('given a control client whose reader was killed, when all servers of a directory are ended, then their processes are gone', async ({
  skip,
}) => {
  await using rig = await Rig.make({ socket: socketName(3) });
  const server = await rig.open();
  const { pid } = server.identity;
  await server[Symbol.asyncDispose]();
  skip((await leaveClient(rig)) === undefined, LETS_GO);

  await endServers({ host, clock, program: TMUX }, rig.dir);

  expect(await isRunning(pid)).toBe(false);
});

test('given a server with a session and one without, when the empty ones are ended, then the other goes on', async () => {
  await using busy = await Rig.make({ socket: socketName(1) });
  await using server = await busy.open();
  const empty = await busy.open({ socket: { kind: 'path', path: join(busy.dir, socketName(2)) } });
  const { pid } = empty.identity;
  await empty[Symbol.asyncDispose]();
  await busy.start(server, 'w', ['cat']);

  await endServers({ host, clock, program: TMUX }, busy.dir, { which: 'empty' });

  expect(await isRunning(server.identity.pid)).toBe(true);
  expect(await isRunning(pid)).toBe(false);
});

test.each([
  ['another program', 'vim', []],
  ['the server itself, which does not end', 'tmux: server', ['SIGKILL']],
])(
  'given an ended server whose process id is that of %s, when it is waited for, then only a tmux is killed',
  async (_, comm, killed) => {
    await using rig = await Rig.make({ socket: socketName(4) });
    const server = await rig.open();
    const { pid } = server.identity;
    await server[Symbol.asyncDispose]();
    const signals: string[] = [];
    const stubborn: EndingTools['host'] = {
      ...host,
      processes: {
        isRunning: () => Promise.resolve(signals.length === 0),
        startOf: () => Promise.resolve(undefined),
        signal: (_pid, signal) => Promise.resolve(signals.push(signal) > 0),
      },
      run: async (program, args, options) => {
        const outcome = await host.run(program, args, options);
        return program === 'ps'
          ? { ...outcome, stdoutBytes: Buffer.from(`  PID COMMAND\n ${pid} ${comm}\n`) }
          : outcome;
      },
    };

    let now = 0;
    const hurried = { ...clock, now: () => (now += 1_000) };

    await endServers({ host: stubborn, clock: hurried, program: TMUX }, rig.dir);

    expect(signals).toEqual(killed);
  },
);

test('given a directory without servers, or none, when all servers are ended, then nothing happens', async () => {
  await using rig = await Rig.make();

  await endServers({ host, clock, program: TMUX }, rig.dir);
  await endServers({ host, clock, program: TMUX }, `${rig.dir}/nowhere`);

  expect(await rig.tmux('list-sessions')).toMatch(/no server|error connecting/);
});

test('given two drivers on one server, when the second connects, then the first connects again and ends nobody', async () => {
  await using rig = await Rig.make();
  await using first = await rig.open();
  const [before] = await rig.clients();

  await using second = await rig.open();

  await eventually(async () => expect(await rig.clients()).toHaveLength(2));
  expect(await rig.clients()).not.toContain(before);
  await eventually(() => expect([first.isConnected, second.isConnected]).toEqual([true, true]));
});

/** @returns the process id of a control client that is attached, holds megabytes for its reader, and has lost it; undefined if tmux has let it go. */
async function leaveClient(rig: Rig): Promise<number | undefined> {
  const reader = spawn(process.execPath, [UNREAD_CLIENT, TMUX, rig.socket], { stdio: 'ignore' });
  await eventually(async () => expect(await rig.tmux('show-options', '-sqv', '@unread')).toBe('yes\n'));
  const ended = once(reader, 'exit');
  reader.kill('SIGKILL');
  await ended;
  return (await rig.clients())[0];
}

async function isRunning(pid: number): Promise<boolean> {
  return host.processes.isRunning(pid);
}
