/** Checks that the watch reports every change and every exit in panes, each once and soon. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import type { Capture, PaneExit, PaneState, TmuxServer, WatchOptions } from '../src/index.ts';
import { eventually, Rig, shows } from './support/rig.ts';
import { host } from './support/test-host.ts';

interface Seen {
  readonly exits: PaneExit[];
  readonly panes: { facts: PaneState; capture: Capture | undefined }[];
  readonly troubles: unknown[];
  readonly watch: ReturnType<TmuxServer['watch']>;
}

function watching(server: TmuxServer, options: WatchOptions = {}): Seen {
  const exits: PaneExit[] = [];
  const panes: Seen['panes'] = [];
  const troubles: unknown[] = [];
  const watch = server.watch({
    onExit: (exit) => void exits.push(exit),
    onPane: (facts, capture) => void panes.push({ facts, capture }),
    onTrouble: (error) => void troubles.push(error),
    awaited: () => true,
    ...options,
  });
  return { exits, panes, troubles, watch };
}

test.each([
  ['exit 0', { kind: 'exited', status: 0 }],
  ['exit 130', { kind: 'exited', status: 130 }],
  ['kill -9 $$', { kind: 'signalled', signal: 'SIGKILL' }],
  ['kill -SEGV $$', { kind: 'signalled', signal: 'SIGSEGV' }],
])('given a program, when it ends by "%s", then its exit says so', async (script, cause) => {
  await using rig = await Rig.make();
  await using server = await rig.open();
  const { exits } = watching(server);

  const pane = await rig.start(server, 'w', ['sh', '-c', script]);

  await eventually(() => expect(exits).toHaveLength(1));
  expect(exits[0]).toMatchObject({ incarnation: pane, sessionName: 'w', cause });
});

test('given nobody who polls soon, when programs die, then at least one exit was pushed or tmux is too old to push', async () => {
  // News is a hint: once in about a thousand runs on a loaded machine, a server tells none of eight ends. Three servers would be a fault.
  const pushed = (await pushesAnExit()) || (await pushesAnExit()) || (await pushesAnExit());

  expect(pushed).toBe(true);
});

/** Tells whether one of eight ends on a fresh server is reported without a look; true of a tmux that cannot report. */
async function pushesAnExit(): Promise<boolean> {
  await using rig = await Rig.make();
  await using server = await rig.open();
  const { exits } = watching(server, { awaited: () => false, calmEveryMs: 600_000 });
  const panes = await Promise.all(Array.from({ length: 8 }, (_, index) => rig.start(server, `w${index}`, ['cat'])));

  for (const pane of panes) await host.run('kill', ['-9', String(pane.panePid)], { timeoutMs: 5_000 });

  if (server.abilities.exitNews === 'none') return true;
  return await eventually(() => expect(exits.length).toBeGreaterThan(0), 20_000).then(
    () => true,
    () => false,
  );
}

test('given a session that is killed and a pane respawned by force, when they are watched, then both lives are gone', async () => {
  await using rig = await Rig.make();
  await using server = await rig.open();
  const { exits } = watching(server);
  const killed = await rig.start(server, 'killed', ['cat']);
  const replaced = await rig.start(server, 'replaced', ['cat']);

  await server.killSession(killed);
  await server.respawn(replaced, { cwd: rig.dir, argv: ['cat'], force: true });

  await eventually(() => expect(exits).toHaveLength(2));
  expect(exits.map(({ incarnation }) => incarnation)).toEqual(expect.arrayContaining([killed, replaced]));
  expect(exits.map(({ cause }) => cause.kind)).toEqual(['gone', 'gone']);
});

test('given the server dies, when it is watched, then every pane is gone once and a new server serves', async () => {
  await using rig = await Rig.make();
  await using server = await rig.open();
  const { exits } = watching(server);
  await rig.start(server, 'a', ['cat']);
  await rig.start(server, 'b', ['cat']);
  const before = server.identity.pid;
  await eventually(async () => expect(server.isConnected).toBe(true));

  await host.run('kill', ['-9', String(before)], { timeoutMs: 5_000 });

  await eventually(() => expect(exits).toHaveLength(2));
  await eventually(() => expect(server.identity.pid).not.toBe(before));
  expect(await server.listPanes()).toEqual([]);
  const again = await rig.start(server, 'a', ['cat']);
  expect(again.serverPid).toBe(server.identity.pid);
});

test('given panes that change, when they fall quiet, then what was told last is what they show', async () => {
  await using rig = await Rig.make();
  await using server = await rig.open();
  const { panes } = watching(server);
  const program = 'i=0; while [ $i -lt 200 ]; do i=$((i+1)); printf "\\r\\033[3%dmline %d" $((i%8)) $i; done; cat';
  const started = await Promise.all(['a', 'b', 'c'].map((name) => rig.start(server, name, ['sh', '-c', program])));

  for (const { paneId } of started) {
    await eventually(() => {
      const told = panes.filter(({ facts }) => facts.incarnation.paneId === paneId).at(-1);
      expect(told?.capture?.text).toContain('line 200');
      expect(told?.capture?.ansi).toContain('\u001b[');
    });
  }
});

test('given a pane that shows nothing new, when it is looked at for long, then it is told once', async () => {
  await using rig = await Rig.make();
  await using server = await rig.open();
  const pane = await rig.start(server, 'w', ['sh', '-c', 'echo still; exec cat']);
  await shows(server, pane, 'still');
  await eventually(async () => expect((await server.listPanes())[0]?.currentCommand).toBe('cat'));
  let looks = 0;
  const awaited = (): boolean => (looks += 1) > 0;
  const { panes } = watching(server, { awaited, awaitedEveryMs: 5 });

  await eventually(() => expect(looks).toBeGreaterThan(30));

  expect(panes).toHaveLength(1);
});

test('given a change of colour alone, when colours are of interest, then it is told', async () => {
  await using rig = await Rig.make();
  await using server = await rig.open();
  const { panes } = watching(server);
  const paint = 'printf "\\r\\033[31mX"; read go; printf "\\033[1;1H\\033[32mX"; cat';
  const pane = await rig.start(server, 'w', ['sh', '-c', `stty -echo; ${paint}`]);
  await eventually(() => expect(panes.at(-1)?.capture?.ansi).toContain('\u001b[31mX'));

  await server.withPane(pane, (hands) => hands.pressKeys(['Enter']));

  await eventually(() => expect(panes.at(-1)?.capture?.ansi).toContain('\u001b[32mX'));
});

test('given a program that paints ends of replies and escapes, when it is captured, then every row is there as painted', async () => {
  await using rig = await Rig.make();
  await using server = await rig.open();
  const rows = ['%end 1 2 1', '%begin 1 2 1', '%exit', 'a\\033[31m \\n $HOME \\\\', '%message x'];
  const file = join(rig.dir, 'rows');
  await writeFile(file, rows.join('\n'));
  const pane = await rig.start(server, 'w', ['sh', '-c', `cat ${file}; exec cat`]);
  await shows(server, pane, '%message x');

  const outcome = await server.capture(pane, { colours: true });

  if (outcome.kind !== 'captured') throw new Error(outcome.kind);
  const expected = [...rows, ...Array<string>(12 - rows.length).fill('')].join('\n');
  expect(outcome.capture.text).toBe(expected);
  expect(outcome.capture.ansi).toBe(expected);
});

test('given a long history, when some of it is captured, then it stands above the screen', async () => {
  await using rig = await Rig.make();
  await using server = await rig.open();
  const pane = await rig.start(server, 'w', ['sh', '-c', 'seq 1 100; exec cat']);
  await shows(server, pane, '100');

  const some = await server.capture(pane, { history: 20 });
  const all = await server.capture(pane, { history: 10_000 });

  const lines = (outcome: typeof some): string[] =>
    outcome.kind === 'captured' ? outcome.capture.text.split('\n') : [];
  expect(lines(some)).toHaveLength(32);
  expect(lines(all).slice(0, 3)).toEqual(['1', '2', '3']);
});

test('given a title that imitates the list of panes, when panes are listed, then no field is misread', async () => {
  await using rig = await Rig.make();
  await using server = await rig.open();
  const title = 'pane|%9|5|1|2|3| é|0|%end';
  const paint = 'printf "\\033]2;%s\\033\\\\x" "$1"; exec cat';
  const pane = await rig.start(server, 'w', ['sh', '-c', paint, 'sh', title]);
  await shows(server, pane, 'x');

  const panes = await server.listPanes();

  expect(panes).toHaveLength(1);
  expect(panes[0]).toMatchObject({ incarnation: pane, title });
});
