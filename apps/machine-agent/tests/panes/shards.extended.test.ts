/** Checks that workers on several tmux servers live and die apart, and each is found on its server. */
import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { systemClock } from '@drover/base';
import { createLocalHost, type Host } from '@drover/host';
import { formatIncarnation } from '@drover/tmux';
import { expect, test } from 'vitest';
import { ServerRecord } from '../../src/panes/tmux/server-record.ts';
import { Shards } from '../../src/panes/tmux/shards.ts';
import { expectKind, TestMachine } from '../support/machine.ts';
import { deliverCommand } from '../support/deliver-command.ts';
import { until } from '../support/until.ts';

test('given three workers on servers for two, when one server is killed, then only its workers are gone, and come back', async () => {
  await using machine = await TestMachine.start();
  const { coordinator } = machine;
  await machine.agent({ shardSize: 2 });
  const [alba, bela, cleo] = [machine.worker('alba'), machine.worker('bela'), machine.worker('cleo')] as const;
  const [first, , third] = [await machine.ready(alba), await machine.ready(bela), await machine.ready(cleo)];

  expect(machine.sockets()).toEqual(['tmux.sock', 'tmux-2.sock']);
  expect(machine.tmuxAt('tmux-2.sock', 'list-sessions', '-F', '#{session_name}')).toContain('drover-cleo');
  const from = coordinator.stored.length;
  process.kill(Number(first.split('.')[0]), 'SIGKILL');
  await until('a list of panes without the dead', () =>
    coordinator.stored
      .slice(from)
      .find(({ body }) => body.kind === 'panes' && body.panes.every(({ workerId }) => workerId === cleo.workerId)),
  );
  const delivered = await expectKind(
    coordinator.carriedOut(cleo, deliverCommand(third, 'SAY undisturbed')),
    'delivered',
  );
  const again = await machine.ready(alba);

  expect(delivered.receipt.enters).toBe(1);
  expect(again.split('.')[0]).not.toBe(first.split('.')[0]);
  expect(machine.tmux('list-sessions', '-F', '#{session_name}')).toContain('drover-alba');
});

test('given workers on two servers, when the agent starts anew, then it finds both where they are', async () => {
  await using machine = await TestMachine.start();
  const { coordinator } = machine;
  const former = await machine.agent({ shardSize: 1 });
  const workers = [machine.worker('alba'), machine.worker('bela')];
  const lives = [];
  for (const settings of workers) lives.push(await machine.ready(settings));
  await former[Symbol.asyncDispose]();

  const from = coordinator.bodies('panes').length;
  await machine.agent({ shardSize: 1 });
  const { panes } = await until('the list of panes', () => coordinator.bodies('panes')[from]);
  const launch = { kind: 'fresh', conversation: randomUUID() } as const;
  const kept = [];
  for (const settings of workers) kept.push(await coordinator.carriedOut(settings, { kind: 'open', launch }));

  expect(panes.map(({ incarnation }) => incarnation).toSorted()).toEqual(lives.toSorted());
  expect(kept).toEqual(lives.map((incarnation) => ({ kind: 'opened', incarnation })));
  expect(machine.sockets()).toHaveLength(2);
});

test('given a server that does not say in time that it runs, when a worker is looked for, then Drover does not say that it has no session', async () => {
  await using machine = await TestMachine.start();
  await machine.agent({ shardSize: 1 });
  await machine.ready(machine.worker('alba'));
  const bela = machine.worker('bela');
  const incarnation = await machine.ready(bela);
  const host = createLocalHost({ env: process.env });
  let silent = true;
  const run: Host['run'] = async (program, args, options) => {
    const outcome = await host.run(program, args, options);
    return silent && args.includes('list-sessions') ? { ...outcome, status: undefined, timedOut: true } : outcome;
  };
  const tools = { host: { ...host, run }, clock: systemClock, newSecret: randomUUID };
  const record = new ServerRecord(host, join(machine.dir, 'tmux-servers.json'));
  await using shards = new Shards({ ...tools, directory: join(machine.dir, 'run'), record, size: 1 });

  await expect(shards.find(bela.workerId)).rejects.toMatchObject({ code: 'timed-out' });
  silent = false;
  const found = await shards.find(bela.workerId);

  expect(found && formatIncarnation(found.pane.incarnation)).toBe(incarnation);
});

test('given a cleaner that removed the sockets of living servers, when the agent starts again, then it finds every worker where it is and starts none twice', async () => {
  await using machine = await TestMachine.start();
  const { coordinator } = machine;
  const former = await machine.agent({ shardSize: 1 });
  const workers = [machine.worker('alba'), machine.worker('bela')];
  const before = [];
  for (const settings of workers) before.push(await machine.ready(settings));
  await former[Symbol.asyncDispose]();
  rmSync(join(machine.dir, 'run'), { recursive: true });

  await machine.agent({ shardSize: 1 });
  const after = [];
  for (const settings of workers) after.push(await machine.ready(settings));

  expect(after).toEqual(before);
  expect(
    coordinator
      .bodies('panes')
      .at(-1)
      ?.panes.map(({ incarnation }) => incarnation),
  ).toEqual(before);
});

test('given a server that died and was started again, when a cleaner removes its socket, then the new one is known, and people can attach again', async () => {
  await using machine = await TestMachine.start();
  const directory = join(machine.dir, 'run');
  const host = createLocalHost({ env: process.env });
  await host.mkdir(directory);
  const path = join(machine.dir, 'tmux-servers.json');
  const clock: typeof systemClock = {
    ...systemClock,
    after: (delayMs, run) => systemClock.after(Math.min(delayMs, 20), run),
  };
  const record = new ServerRecord(host, path);
  await using shards = new Shards({ host, clock, newSecret: randomUUID, directory, record, size: 1 });
  const [server] = await shards.servers();
  const former = server?.identity.pid;
  machine.tmux('kill-server');
  const pid = await until('another server', () => {
    const now = server?.identity.pid;
    return now === former ? undefined : now;
  });

  await until('the record of the other server', async () =>
    (await new ServerRecord(host, path).servers()).get(1)?.pid === pid ? true : undefined,
  );
  rmSync(join(directory, 'tmux.sock'));

  expect(await pidAt(host, join(directory, 'tmux.sock'))).toBe(String(pid));
});

test.runIf(process.platform === 'linux')(
  'given a tmux of a person that was given the process id of a server that died, when the agent starts, then it is left alone and a server is started',
  async () => {
    await using machine = await TestMachine.start();
    const directory = join(machine.dir, 'run');
    const host = createLocalHost({ env: process.env });
    await host.mkdir(directory);
    const path = join(machine.dir, 'tmux-servers.json');
    const other = join(machine.dir, 'person.sock');
    await host.run('tmux', ['-S', other, 'new-session', '-d', 'sleep 600'], { timeoutMs: 10_000 });
    const { stdout } = await host.run('tmux', ['-S', other, 'display-message', '-p', '#{pid}'], { timeoutMs: 10_000 });
    const pid = Number(stdout);
    const { bootId } = await host.facts();
    await host.writeFile(path, JSON.stringify({ bootId, servers: { 1: { pid, started: '1' } } }));
    const record = new ServerRecord(host, path);
    await using shards = new Shards({ host, clock: systemClock, newSecret: randomUUID, directory, record, size: 1 });

    const [server] = await shards.servers();

    expect(server?.identity.pid).not.toBe(pid);
    await host.run('tmux', ['-S', other, 'kill-server'], { timeoutMs: 10_000 });
  },
);

/** Milliseconds between looks at the sockets. */
const KEPT_EVERY_MS = 15_000;

test('given a cleaner that removes the socket of a server in use, when a moment has passed, then people can attach again', async () => {
  await using machine = await TestMachine.start();
  const directory = join(machine.dir, 'run');
  const host = createLocalHost({ env: process.env });
  await host.mkdir(directory);
  const record = new ServerRecord(host, join(machine.dir, 'tmux-servers.json'));
  // Limits of answers stay as they are: a tmux on a loaded machine takes more than 20 ms.
  const clock: typeof systemClock = {
    ...systemClock,
    after: (delayMs, run) => systemClock.after(delayMs === KEPT_EVERY_MS ? 20 : delayMs, run),
  };
  await using shards = new Shards({ host, clock, newSecret: randomUUID, directory, record, size: 1 });
  const [server] = await shards.servers();

  rmSync(join(directory, 'tmux.sock'));

  expect(await pidAt(host, join(directory, 'tmux.sock'))).toBe(String(server?.identity.pid));
});

/** Asks the server at a socket for its process id. The socket is there a moment before its server listens. */
function pidAt(host: Host, socket: string): Promise<string> {
  const display = ['-S', socket, 'display-message', '-p', '#{pid}'];
  return until('an answer at the socket', async () => {
    const { status, stdout } = await host.run('tmux', display, { timeoutMs: 10_000 });
    return status === 0 ? stdout.trim() : undefined;
  });
}
