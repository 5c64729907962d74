/** Checks that sessions start, restart and end as they should. */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { formatIncarnation, parseIncarnation } from '../src/index.ts';
import { eventually, Rig, shows } from './support/rig.ts';

test('given a plan, when a session is created, then program, size, options and environment are as planned', async () => {
  await using rig = await Rig.make();
  await using server = await rig.open({ env: { SECRET: 'x', KEPT: 'k' } });
  const cwd = join(rig.dir, 'a #{pid} ##b;');
  await mkdir(cwd);
  const script = 'printf "%s|" "$PWD" "$A" "$KEPT" "${SECRET-none}" "${TMUX-none}${TMUX_PANE-none}" "$1"; cat';

  const outcome = await server.createSession({
    name: 'drover-ada',
    cwd,
    argv: ['sh', '-c', script, 'sh', 'x;'],
    env: { A: '$b "c";' },
    unsetEnv: ['SECRET'],
    width: 300,
    height: 20,
    options: { '@drover_worker': 'ada | #{pid}\t"x"' },
  });

  if (outcome.kind !== 'created') throw new Error(outcome.kind);
  const [pane] = await server.listPanes();
  expect(pane).toMatchObject({ sessionName: 'drover-ada', width: 300, height: 20, dead: false });
  expect(pane?.options).toEqual({ '@drover_worker': 'ada | #{pid}\t"x"' });
  expect(pane?.incarnation).toEqual(outcome.pane.incarnation);
  const { sessionCreated: _, ...address } = outcome.pane.incarnation;
  expect(parseIncarnation(formatIncarnation(outcome.pane.incarnation))).toEqual(address);
  await shows(server, outcome.pane.incarnation, `${cwd}|$b "c";|k|none|nonenone|x;|`);
});

test('given a server that was started with other variables, when it is given those of panes, then new panes inherit these and no others', async () => {
  await using rig = await Rig.make();
  const env = { PGPASSWORD: 'one\nPATH=/two', DROVER_TOKEN: 'a=b', KEPT: 'k\nDROVER_FAKE=1' };
  await using server = await rig.open({ env });

  const { PATH = '' } = process.env;
  await server.setPaneEnvironment({ PATH, KEPT: 'k\nDROVER_FAKE=1', NEW: "$HOME '#{pid}' ;" });
  await server.setPaneEnvironment({ PATH, KEPT: 'k\nDROVER_FAKE=1', NEW: "$HOME '#{pid}' ;" });

  const script =
    'printf "%s|" "${PGPASSWORD-none}" "${DROVER_TOKEN-none}" "${HOME-none}" "${KEPT%%?DROVER*}" "$NEW"; command -v env; cat';
  const pane = await rig.start(server, 'w', ['sh', '-c', script]);
  await shows(server, pane, "none|none|none|k|$HOME '#{pid}' ;|/");
});

test('given a program of one word, when it is started, then no shell reads it', async () => {
  await using rig = await Rig.make();
  await using server = await rig.open();

  const exits: unknown[] = [];
  server.watch({ onExit: ({ cause }) => void exits.push(cause), awaited: () => true });

  await rig.start(server, 'w', ['./true; exit 9']);

  // env did not find a program of this odd name; a shell would have exited with 9.
  await eventually(() => expect(exits).toEqual([{ kind: 'exited', status: 127 }]));
});

test('given a session of that name, when twenty start it at once, then exactly one is created', async () => {
  await using rig = await Rig.make();
  await using server = await rig.open();
  const plan = { name: 'w', cwd: rig.dir, argv: ['cat'] };

  const outcomes = await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      server.createSession({ ...plan, options: { '@drover_worker': `no ${index}` } }),
    ),
  );

  expect(outcomes.filter(({ kind }) => kind === 'created')).toHaveLength(1);
  expect(outcomes.filter(({ kind }) => kind === 'exists')).toHaveLength(19);
  const panes = await server.listPanes();
  const winner = outcomes.findIndex(({ kind }) => kind === 'created');
  expect(panes.map(({ options }) => options['@drover_worker'])).toEqual([`no ${winner}`]);
});

test('given no such directory, when a program is to start there, then nothing starts', async () => {
  await using rig = await Rig.make();
  await using server = await rig.open();
  const plan = { name: 'w', cwd: join(rig.dir, 'nowhere'), argv: ['cat'] };

  expect(await server.createSession(plan)).toEqual({ kind: 'cwd-missing' });
  expect(await server.listPanes()).toEqual([]);
});

test('given a running program, when respawned without force, then it goes on; with force it is replaced in place', async () => {
  await using rig = await Rig.make();
  await using server = await rig.open();
  const first = await rig.start(server, 'w', ['cat']);
  const plan = { cwd: rig.dir, argv: ['sh', '-c', 'echo "again $B"; cat'], env: { B: 'b' } };

  expect(await server.respawn(first, plan)).toEqual({ kind: 'still-running' });
  const outcome = await server.respawn(first, { ...plan, force: true });

  if (outcome.kind !== 'respawned') throw new Error(outcome.kind);
  const second = outcome.pane.incarnation;
  expect(second.paneId).toBe(first.paneId);
  expect(second.panePid).not.toBe(first.panePid);
  await shows(server, second, 'again b');
});

test('given many deaths and respawns, when the pane is respawned at once, then the server survives', async () => {
  await using rig = await Rig.make();
  await using server = await rig.open();
  let pane = await rig.start(server, 'w', ['true']);

  for (let round = 0; round < 15; round += 1) {
    await eventually(async () => expect((await server.listPanes())[0]?.dead).toBe(true));
    const outcome = await server.respawn(pane, { cwd: rig.dir, argv: ['true'] });
    if (outcome.kind !== 'respawned') throw new Error(outcome.kind);
    pane = outcome.pane.incarnation;
  }

  expect(pane.serverPid).toBe(server.identity.pid);
});

test('given a session, when it is killed, then it is no more, and killing it again says so', async () => {
  await using rig = await Rig.make();
  await using server = await rig.open();
  const pane = await rig.start(server, 'w', ['cat']);
  const other = await rig.start(server, 'w2', ['cat']);

  expect(await server.killSession(pane)).toEqual({ kind: 'killed' });
  expect(await server.killSession(pane)).toEqual({ kind: 'pane-gone' });

  const panes = await server.listPanes();
  expect(panes.map(({ incarnation }) => incarnation)).toEqual([other]);
});

test('given a server that is just killed, when the next is opened at once on its socket, then it serves', async () => {
  await using rig = await Rig.make();

  for (let round = 0; round < 5; round += 1) {
    const server = await rig.open();
    await rig.start(server, 'w', ['cat']);
    await server.killServer();
  }

  await using last = await rig.open();
  expect(await last.listPanes()).toEqual([]);
});

test('given a person with a tmux.conf and a grouped session, when panes are listed, then each is there once with its options', async () => {
  await using rig = await Rig.make();
  await using server = await rig.open();
  const options = { '@drover_worker': 'ada' };
  await server.createSession({ name: 'w', cwd: rig.dir, argv: ['cat'], options });
  await rig.tmux('new-session', '-d', '-t', '=w', '-s', 'person with spaces');

  const panes = await server.listPanes();

  expect(panes).toHaveLength(1);
  expect(panes[0]).toMatchObject({ sessionName: 'w', options });
});
