/** Checks that work goes on when the control connection freezes, breaks or cannot be opened. */
import { rm } from 'node:fs/promises';
import { expect, test } from 'vitest';

import { BreakableHost, fasterClock } from './support/doubles.ts';
import { bracketed, eventually, Rig, TMUX } from './support/rig.ts';
import { host } from './support/test-host.ts';

test('given a control client that falls silent, when its deadline has passed, then commands are spawned until it is replaced', async () => {
  await using rig = await Rig.make();
  const host = new BreakableHost();
  await using server = await rig.open({ host, clock: fasterClock(20) });
  const { pane, received } = await rig.receiver(server, 'w');
  // A slow machine may have lost a connection to that fast clock already.
  await eventually(() => expect(server.isConnected).toBe(true));
  const { started } = host;
  host.refuses = true;
  host.freeze();

  await expect(server.listPanes()).rejects.toMatchObject({ code: 'timed-out' });
  expect(server.isConnected).toBe(false);
  await server.withPane(pane, (hands) => hands.paste('spawned;'));
  host.thaw();
  host.refuses = false;
  await eventually(() => expect(server.isConnected).toBe(true));
  await server.withPane(pane, (hands) => hands.paste('controlled;'));

  const expected = bracketed('spawned;') + bracketed('controlled;');
  await eventually(async () => expect(await received()).toBe(expected));
  expect(host.started).toBe(started + 1);
});

test('given a server over a way that is late, when it is opened and asked, then one command is spawned and one connection made', async () => {
  await using rig = await Rig.make();
  let spawned = 0;
  let streams = 0;
  const counting: typeof host = {
    ...host,
    run(program, args, options) {
      spawned += 1;
      return host.run(program, args, options);
    },
    spawnStream(program, args, options) {
      streams += 1;
      return host.spawnStream(program, args, options);
    },
  };
  await using server = await rig.open({ host: counting, epoch: 1 });

  expect(await server.listPanes()).toEqual([]);
  expect(server.isConnected).toBe(true);
  expect({ spawned, streams }).toEqual({ spawned: 1, streams: 1 });
});

test('given no control connection at all, when everything is done by spawned commands, then the results are the same', async () => {
  await using rig = await Rig.make();
  const host = new BreakableHost();
  host.refuses = true;
  await using server = await rig.open({ host });
  const { pane, received } = await rig.receiver(server, 'w');
  const long = 'é;\\"$x\n'.repeat(5_000);
  const options = { '@drover_worker': 'ada;' };

  const outcomes = [
    await server.withPane(pane, (hands) => hands.paste(long)),
    await server.withPane(pane, (hands) => hands.typeText('typed;', { chunk: 3, gapMs: 0 })),
    await server.withPane(pane, (hands) => hands.pressKeys(['Enter', ';'])),
    await server.createSession({ name: 'x', cwd: rig.dir, argv: ['true'], options }),
    await server.createSession({ name: 'x', cwd: rig.dir, argv: ['true'] }),
    await server.respawn(pane, { cwd: rig.dir, argv: ['true'] }),
  ];

  expect(server.isConnected).toBe(false);
  expect(outcomes.map(({ kind }) => kind)).toEqual(['sent', 'sent', 'sent', 'created', 'exists', 'still-running']);
  await eventually(async () => expect(await received()).toBe(`${bracketed(long)}typed;\r;`));
  const other = (await server.listPanes()).find(({ sessionName }) => sessionName === 'x');
  expect(other?.options).toEqual(options);
  if (other === undefined) return;
  await eventually(async () => {
    const [, facts] = await server.listPanes();
    expect(facts?.dead).toBe(true);
  });
  expect(await server.withPane(other.incarnation, (hands) => hands.paste('x'))).toEqual({ kind: 'pane-dead' });
  expect(await server.killSession(other.incarnation)).toEqual({ kind: 'killed' });
  expect(await server.killSession(other.incarnation)).toEqual({ kind: 'pane-gone' });
});

test('given a control client that is killed, when the next is connected, then nothing was disturbed and exits are told again', async () => {
  await using rig = await Rig.make();
  const host = new BreakableHost();
  await using server = await rig.open({ host });
  // Not `cat`: it closes its terminal before it exits, and may then be ended by the hang-up instead.
  const pane = await rig.start(server, 'w', ['sh', '-c', 'read line']);
  const exits: unknown[] = [];
  const watch = server.watch({ onExit: (exit) => void exits.push(exit.cause), awaited: () => true });

  host.cut();
  await eventually(() => expect(host.started).toBe(2));
  await eventually(() => expect(server.isConnected).toBe(true));
  expect((await server.listPanes())[0]?.incarnation).toEqual(pane);
  expect(await server.withPane(pane, (hands) => hands.pressKeys(['Enter']))).toEqual({ kind: 'sent' });

  await eventually(() => expect(exits).toEqual([{ kind: 'exited', status: 0 }]));
  await watch[Symbol.asyncDispose]();
});

test('given a control client that is just starting, when a session is asked for, then it waits until tmux knows the client', async () => {
  await using rig = await Rig.make();
  const host = new BreakableHost();
  await using server = await rig.open({ host });
  const { promise, resolve } = Promise.withResolvers<void>();
  host.holds = promise;
  host.cut();
  await eventually(() => expect(host.started).toBe(2));

  const before = host.ran;

  const created = rig.start(server, 'w', ['cat']);
  await rig.tmux('list-sessions');
  const ran = host.ran - before;
  resolve();
  await created;

  expect(ran).toBe(0);
  await eventually(() => expect(server.isConnected).toBe(true));
});

test('given a client that is stuck, when the server is told to end, then it ends', async () => {
  await using rig = await Rig.make();
  const host = new BreakableHost();
  const server = await rig.open({ host });
  await rig.start(server, 'w', ['cat']);
  host.freeze();

  await server.killServer();

  const sessions = (): Promise<string> => rig.tmux('list-sessions');
  await eventually(async () => expect(await sessions()).toMatch(/no server|error connecting/));
});

test('given a driver that is closed, when it is used, then it says that it was closed', async () => {
  await using rig = await Rig.make();
  const server = await rig.open();
  await server[Symbol.asyncDispose]();

  await expect(server.listPanes()).rejects.toMatchObject({ code: 'closed' });
  expect(await rig.tmux('list-sessions')).toContain('_hub');
});

test('given no tmux, when a server is opened, then the error says that it is missing', async () => {
  await using rig = await Rig.make();

  await expect(rig.open({ program: `${TMUX}-nowhere` })).rejects.toMatchObject({
    code: 'tmux-missing',
  });
});

test('given two drivers on one server, when both open at once, then both see the same panes', async () => {
  await using rig = await Rig.make();
  const [one, two] = await rig.openTwo();
  const pane = await rig.start(one, 'w', ['cat']);

  const seen = await two.listPanes();

  expect(seen.map(({ incarnation }) => incarnation)).toEqual([pane]);
  expect(one.identity).toEqual(two.identity);
});

test('given a driver at work, when any program looks at the arguments of all others, then the secret is not there', async () => {
  await using rig = await Rig.make();
  const secret = `secret-${rig.dir.replaceAll(/[^A-Za-z0-9]/g, '-')}`;
  const breakable = new BreakableHost();
  breakable.refuses = true;
  await using server = await rig.open({ secret, host: breakable });
  const pane = await rig.start(server, 'w', ['cat']);
  await server.withPane(pane, (hands) => hands.paste('x'));

  const seen = await host.text('ps', ['-e', '-ww', '-o', 'args']);

  expect(seen).toContain(rig.socket);
  expect(seen).not.toContain(secret);
});

test('given a server whose socket a cleaner removed, when its driver loses the connection, then the driver finds the same server with its panes', async () => {
  await using rig = await Rig.make();
  await using server = await rig.open();
  const { pane, received } = await rig.receiver(server, 'w');
  const { identity } = server;
  const [client = 0] = await rig.clients();
  await rm(rig.socket);

  process.kill(client, 'SIGKILL');
  // The server may still list the client that was killed.
  await eventually(async () => {
    const clients = await rig.clients();
    expect(clients).toHaveLength(1);
    expect(clients).not.toContain(client);
  });
  await eventually(() => expect(server.isConnected).toBe(true));
  await server.withPane(pane, (hands) => hands.paste('there'));

  await eventually(async () => expect(await received()).toBe(bracketed('there')));
  expect(server.identity).toEqual(identity);
});

test('given a server that was killed with its socket removed, when it is opened again, then a new one starts', async () => {
  await using rig = await Rig.make();
  await using server = await rig.open();
  const { pid } = server.identity;
  await rm(rig.socket);

  process.kill(pid, 'SIGKILL');
  await eventually(() => expect(server.identity.pid).not.toBe(pid));

  expect(await server.listPanes()).toEqual([]);
});
