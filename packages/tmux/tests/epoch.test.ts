/** Checks that a replaced driver types, starts and ends nothing any more. */
import { expect, test } from 'vitest';

import { TmuxError } from '../src/index.ts';
import type { PaneAddress, TmuxServer } from '../src/index.ts';
import { bracketed, eventually, Rig } from './support/rig.ts';

test('given two drivers, when the one with the higher epoch has come, then the other types, starts and ends nothing', async () => {
  await using rig = await Rig.make();
  await using older = await rig.open({ epoch: 4 });
  const { pane, received } = await rig.receiver(older, 'w');
  await older.withPane(pane, (hands) => hands.pasteAndEnter('before'));

  await using newer = await rig.open({ epoch: 5 });

  await expectFenced(rig, older, pane);
  expect(await newer.withPane(pane, (hands) => hands.pasteAndEnter('after'))).toEqual({ kind: 'sent' });
  await eventually(async () => expect(await received()).toBe(`${bracketed('before')}\r${bracketed('after')}\r`));
  expect((await newer.listPanes()).map(({ sessionName, dead }) => [sessionName, dead])).toEqual([['w', false]]);
  await expect(rig.open({ epoch: 4 })).rejects.toMatchObject({ code: 'fenced' });
  expect(newer.isConnected).toBe(true);
});

test('given a driver that is still connected, when the server obeys another one, then what comes over the connection does nothing', async () => {
  await using rig = await Rig.make();
  await using server = await rig.open({ epoch: 4 });
  const { pane, received } = await rig.receiver(server, 'w');
  expect(server.isConnected).toBe(true);

  await rig.tmux('set-option', '-s', '@drover_epoch', '5');

  await expectFenced(rig, server, pane);
  expect(server.isConnected).toBe(true);
  expect(await received()).toBe('');
  expect(await rig.tmux('list-buffers')).toBe('');
});

test('given a driver that takes over by the same epoch, or one without any, when it types, then it is obeyed', async () => {
  await using rig = await Rig.make();
  const first = await rig.open({ epoch: 4 });
  const { pane, received } = await rig.receiver(first, 'w');
  await first[Symbol.asyncDispose]();

  for (const options of [{ epoch: 4 }, {}]) {
    await using next = await rig.open(options);
    await next.withPane(pane, (hands) => hands.paste('x'));
  }

  await eventually(async () => expect(await received()).toBe(bracketed('x').repeat(2)));
});

test('given a server that starts again, when its driver is back, then the new server obeys it as well', async () => {
  await using rig = await Rig.make();
  await using server = await rig.open({ epoch: 4 });
  await rig.tmux('kill-server');

  await eventually(async () => expect(await rig.tmux('show-options', '-sv', '@drover_epoch')).toBe('4\n'));

  expect(await server.createSession({ name: 'w', cwd: rig.dir, argv: ['cat'] })).toMatchObject({ kind: 'created' });
});

async function expectFenced(rig: Rig, server: TmuxServer, pane: PaneAddress): Promise<void> {
  const plan = { cwd: rig.dir, argv: ['cat'] };
  const calls = [
    () => server.withPane(pane, (hands) => hands.pasteAndEnter('late')),
    () => server.withPane(pane, (hands) => hands.typeText('late', { chunk: 2, gapMs: 0 })),
    () => server.withPane(pane, (hands) => hands.pressKeys(['Enter'])),
    () => server.createSession({ ...plan, name: 'late' }),
    () => server.respawn(pane, { ...plan, force: true }),
    () => server.killSession(pane),
  ];
  for (const call of calls) {
    // The server ends its control client at that moment: the client loses what is under way, and has typed nothing.
    const first = await call().catch((error: unknown) => error);
    if (first instanceof TmuxError && first.code === 'connection-lost')
      await eventually(async () => expect(call()).rejects.toMatchObject({ code: 'fenced' }));
    else expect(first).toMatchObject({ code: 'fenced' });
  }
}
