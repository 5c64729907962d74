/** Checks that nothing is lost or doubled when much happens at once and the driver is replaced in the middle. */
import { expect, test } from 'vitest';

import { formatIncarnation, type PaneExit, type TmuxServer } from '../src/index.ts';
import { bracketed, eventually, Rig } from './support/rig.ts';
import { host } from './support/test-host.ts';

const PANES = 20;
const PASTES_EACH = 10;
const EXITS = 40;

test('given 20 panes, when 200 texts are pasted at once by two drivers, then each arrives whole and once', async () => {
  await using rig = await Rig.make();
  const [one, two] = await rig.openTwo();
  const receivers = await Promise.all(Array.from({ length: PANES }, (_, index) => rig.receiver(one, `w${index}`)));

  await Promise.all(
    receivers.flatMap(({ pane }, number) =>
      Array.from({ length: PASTES_EACH }, (_, index) =>
        (index % 2 === 0 ? one : two).withPane(pane, (hands) => hands.paste(text(number, index))),
      ),
    ),
  );

  for (const [number, { received }] of receivers.entries()) {
    const expected = Array.from({ length: PASTES_EACH }, (_, index) => bracketed(text(number, index)));
    await eventually(async () => {
      const end = '\u001b[201~';
      const got = (await received()).split(end).map((paste) => paste + end);
      expect(got.toSorted()).toEqual([...expected, end].toSorted());
    });
  }
});

test('given 40 programs that end in every way, when the driver is replaced in the middle, then each end is told once and truly', async () => {
  await using rig = await Rig.make();
  const told: PaneExit[] = [];
  const watch = (server: TmuxServer): AsyncDisposable =>
    server.watch({ onExit: (exit) => void told.push(exit), awaited: () => true });
  const first = await rig.open();
  const firstWatch = watch(first);
  const panes = await Promise.all(
    Array.from({ length: EXITS }, (_, index) => rig.start(first, `w${index}`, ['sh', '-c', `read go; exit ${index}`])),
  );
  const end = (index: number): Promise<unknown> => {
    const pane = panes[index];
    if (pane === undefined) throw new Error(`no pane ${index}`);
    return index % 4 === 0
      ? host.run('kill', ['-9', String(pane.panePid)], { timeoutMs: 5_000 })
      : rig.tmux('send-keys', '-t', pane.paneId, 'Enter');
  };

  await Promise.all(range(0, 15).map(end));
  await eventually(() => expect(told).toHaveLength(15));
  await firstWatch[Symbol.asyncDispose]();
  await first[Symbol.asyncDispose]();
  const toldByFirst = told.splice(0);
  await Promise.all(range(15, 25).map(end));
  await using second = await rig.open();
  await using watched = watch(second);
  await Promise.all(range(25, EXITS).map(end));

  // The second driver reports every death that tmux still shows, earlier ones included.
  await eventually(() => expect(told).toHaveLength(EXITS));
  const causes = Object.fromEntries(
    panes.map((pane, index) => [
      formatIncarnation(pane),
      index % 4 === 0 ? { kind: 'signalled', signal: 'SIGKILL' } : { kind: 'exited', status: index },
    ]),
  );
  if (!second.abilities.tellsSignal) return;
  expect(byIncarnation(told)).toEqual(causes);
  const ofFirst = panes.slice(0, 15).map(formatIncarnation);
  expect(watched).toBeDefined();
  expect(byIncarnation(toldByFirst)).toEqual(Object.fromEntries(ofFirst.map((name) => [name, causes[name]])));
});

function byIncarnation(exits: readonly PaneExit[]): Record<string, PaneExit['cause']> {
  return Object.fromEntries(exits.map(({ incarnation, cause }) => [formatIncarnation(incarnation), cause]));
}

function text(pane: number, index: number): string {
  return `<${pane}.${index}> ${'line; \\ $x é\n'.repeat((index * 37) % 300)}end;`;
}

function range(from: number, to: number): readonly number[] {
  return Array.from({ length: to - from }, (_, index) => from + index);
}
