/** Checks that a pane has the size of the people's terminals, and its full size without them. */
import { expect, test } from 'vitest';

import { Desk } from './support/desk.ts';
import { Rig } from './support/rig.ts';

const FULL = '500x50';
/** Time for tmux on a loaded machine. */
const SOON = { timeout: 30_000, interval: 20 };

test('given a person whose terminal is smaller than the pane, when they attach, then the pane fits it and its program is told, and a killed client gives the full size back', async () => {
  await using rig = await Rig.make();
  await using desk = await Desk.make(rig);
  // Hides the cursor as agents do: tmux would show the upper left of a larger pane.
  const pane = await desk.worker('adam', [
    'sh',
    '-c',
    String.raw`printf '\033[?25l'; while :; do printf '\033[H\033[J'; stty size; sleep 0.1; done`,
  ]);

  const terminal = await desk.attach('adam', { columns: 80, rows: 25 });
  await expect.poll(() => desk.sizeOf(pane), SOON).toBe('80x24');
  await expect.poll(() => desk.shownIn(terminal), SOON).toContain('24 80');
  process.kill(await desk.clientOf('adam'), 'SIGKILL');

  await expect.poll(() => desk.sizeOf(pane), SOON).toBe(FULL);
});

test('given two people with terminals of different sizes, when one types or leaves, then the pane fits who typed last, and the last one gives the full size back', async () => {
  await using rig = await Rig.make();
  await using desk = await Desk.make(rig);
  const pane = await desk.worker('adam');

  const small = await desk.attach('adam', { columns: 80, rows: 25 });
  await expect.poll(() => desk.sizeOf(pane), SOON).toBe('80x24');
  const large = await desk.attach('adam', { columns: 150, rows: 41 });
  await expect.poll(() => desk.sizeOf(pane), SOON).toBe('150x40');
  await desk.type(small, 'x');
  await expect.poll(() => desk.sizeOf(pane), SOON).toBe('80x24');
  await desk.close(small);
  await desk.type(large, 'x');
  await expect.poll(() => desk.sizeOf(pane), SOON).toBe('150x40');
  await desk.close(large);

  await expect.poll(() => desk.sizeOf(pane), SOON).toBe(FULL);
});

test('given a terminal too small for an agent, when it is attached and enlarged, then the pane keeps a size that Drover can read, and follows', async () => {
  await using rig = await Rig.make();
  await using desk = await Desk.make(rig);
  const pane = await desk.worker('adam');

  const tiny = await desk.attach('adam', { columns: 12, rows: 4 });
  await expect.poll(() => desk.sizeOf(pane), SOON).toBe('30x10');
  await desk.resize(tiny, { columns: 100, rows: 31 });

  await expect.poll(() => desk.sizeOf(pane), SOON).toBe('100x30');
});

test('given a person who changes to the session of another worker, when they are there, then that pane fits and the former one has its full size', async () => {
  await using rig = await Rig.make();
  await using desk = await Desk.make(rig);
  const [adam, beth] = [await desk.worker('adam'), await desk.worker('beth')];
  await desk.attach('adam', { columns: 80, rows: 25 });
  await expect.poll(() => desk.sizeOf(adam), SOON).toBe('80x24');

  await rig.tmux('switch-client', '-c', await desk.clientNameOf('adam'), '-t', '=beth');

  await expect.poll(() => desk.sizeOf(beth), SOON).toBe('80x24');
  await expect.poll(() => desk.sizeOf(adam), SOON).toBe(FULL);
});

test('given a session of another size, when a person has been there, then it has its own full size again', async () => {
  await using rig = await Rig.make();
  await using desk = await Desk.make(rig);
  const pane = await rig.start(desk.server, 'adam', ['cat']);
  const before = await desk.sizeOf(pane);

  const terminal = await desk.attach('adam', { columns: 80, rows: 25 });
  await expect.poll(() => desk.sizeOf(pane), SOON).toBe('80x24');
  await desk.close(terminal);

  await expect.poll(() => desk.sizeOf(pane), SOON).toBe(before);
});

test('given a pane that something left small, when a driver takes over, then the pane has its full size, and the one in which a person works keeps theirs', async () => {
  await using rig = await Rig.make();
  await using desk = await Desk.make(rig);
  const [left, visited] = [await desk.worker('adam'), await desk.worker('beth')];
  await desk.attach('beth', { columns: 80, rows: 25 });
  await expect.poll(() => desk.sizeOf(visited), SOON).toBe('80x24');
  await rig.tmux('resize-window', '-t', left.paneId, '-x', '80', '-y', '24');

  await desk.server.unfitPanes();

  await expect.poll(() => desk.sizeOf(left), SOON).toBe(FULL);
  expect(await desk.sizeOf(visited)).toBe('80x24');
});

test('given a person through the coordinator and one with a client, when either leaves, then the pane fits the other', async () => {
  await using rig = await Rig.make();
  await using desk = await Desk.make(rig);
  const pane = await desk.worker('adam');

  const local = await desk.attach('adam', { columns: 80, rows: 25 });
  await expect.poll(() => desk.sizeOf(pane), SOON).toBe('80x24');
  await desk.server.fitPane(pane, { columns: 100, rows: 30 });
  await expect.poll(() => desk.sizeOf(pane), SOON).toBe('100x30');
  await desk.server.unfitPanes(pane.paneId);
  await expect.poll(() => desk.sizeOf(pane), SOON).toBe('80x24');
  await desk.close(local);
  await expect.poll(() => desk.sizeOf(pane), SOON).toBe(FULL);

  await desk.server.fitPane(pane, { columns: 100, rows: 30 });
  const later = await desk.attach('adam', { columns: 90, rows: 31 });
  await expect.poll(() => desk.sizeOf(pane), SOON).toBe('90x30');
  await desk.close(later);
  await expect.poll(() => desk.sizeOf(pane), SOON).toBe('100x30');
  await desk.server.unfitPanes(pane.paneId);

  await expect.poll(() => desk.sizeOf(pane), SOON).toBe(FULL);
});
