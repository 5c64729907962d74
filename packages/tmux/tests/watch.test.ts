/** Checks that the watch cures, paces and bounds itself whatever tmux answers. */
import { expect, test } from 'vitest';

import type { PaneState } from '../src/index.ts';
import { FactsFormat } from '../src/panes/facts.ts';
import { Watch, type WatchTools } from '../src/panes/watch.ts';
import { fasterClock } from './support/doubles.ts';
import { eventually } from './support/rig.ts';

const facts = new FactsFormat([]);

/** Pane as tmux would list it: alive, or dead with or without a status. */
function pane(dead: boolean, status: string, id = '%3'): PaneState {
  const row = `pane|${id}|5|1|2|9|4|${dead ? 1 : 0}|${status}|||10|3|0|0|1|0|0|0|1|0|3|wcat`;
  const [found] = facts.read(Buffer.from(row));
  if (found === undefined) throw new Error('the row is not as tmux writes it');
  return found;
}

function tools(list: WatchTools['list'], more: Partial<WatchTools> = {}): WatchTools {
  return {
    clock: fasterClock(10),
    list,
    capture: (panes) => Promise.resolve(panes.map(() => ({ kind: 'pane-gone' }))),
    cure: () => Promise.resolve(),
    roundTripMs: () => 0,
    ...more,
  };
}

test('given tmux missed the end of a child, when the pane is seen dead without a cause, then it is cured and the true cause told', async () => {
  const exits: unknown[] = [];
  let cured = 0;
  const list: WatchTools['list'] = () => Promise.resolve({ second: 1, panes: [pane(true, cured > 1 ? '7' : '')] });
  const cure = (): Promise<void> => Promise.resolve(void (cured += 1));

  await using watch = new Watch(tools(list, { cure }), {
    onExit: ({ cause }) => void exits.push(cause),
    calmEveryMs: 3_600_000, // only the cure makes it look again
  });

  await eventually(() => expect(exits).toEqual([{ kind: 'exited', status: 7 }]));
  expect(cured).toBe(2);
  expect(watch).toBeDefined();
});

test('given a storm of news and wishes, when lists are slow, then one round and one look are under way and the last news is heeded (W1)', async () => {
  let underWay = 0;
  let most = 0;
  let lists = 0;
  const answers: (() => void)[] = [];
  const list: WatchTools['list'] = async () => {
    lists += 1;
    underWay += 1;
    most = Math.max(most, underWay);
    await new Promise<void>((resolve) => answers.push(resolve));
    underWay -= 1;
    return { second: 1, panes: [pane(false, '')] };
  };
  const watch = new Watch(tools(list), { calmEveryMs: 3_600_000 });

  for (let storm = 0; storm < 100; storm += 1) {
    watch.checkForExits();
    watch.checkNow();
  }
  answers.splice(0).forEach((answer) => answer());
  await eventually(() => expect(lists).toBe(3)); // the round, the first news, and all other news
  answers.splice(0).forEach((answer) => answer());

  await watch[Symbol.asyncDispose]();
  expect(most).toBe(2);
  expect(lists).toBe(3);
});

test('given news that names a pane, when the list of all panes takes long, then its end is told all the same', async () => {
  const exits: unknown[] = [];
  const answers: (() => void)[] = [];
  const list: WatchTools['list'] = async (only) => {
    if (only === undefined) await new Promise<void>((resolve) => answers.push(resolve));
    return { second: 1, panes: [pane(true, '7')] };
  };
  const watch = new Watch(tools(list), { onExit: ({ cause }) => void exits.push(cause), calmEveryMs: 3_600_000 });

  watch.checkForExits('%3');
  await eventually(() => expect(exits).toEqual([{ kind: 'exited', status: 7 }]));

  answers.splice(0).forEach((answer) => answer()); // the round, and the list that follows the news
  await watch[Symbol.asyncDispose]();
  expect(exits).toHaveLength(1);
});

test('given news that names a pane, when that pane is asked about, then the list of all waits for the answer', async () => {
  const asked: (string | undefined)[] = [];
  const answers: (() => void)[] = [];
  const list: WatchTools['list'] = async (only) => {
    asked.push(only);
    if (only !== undefined) await new Promise<void>((resolve) => answers.push(resolve));
    return { second: 1, panes: [pane(false, '')] };
  };
  await using watch = new Watch(tools(list), { calmEveryMs: 3_600_000 });
  await eventually(() => expect(asked).toEqual([undefined])); // the first round

  watch.checkForExits('%3');
  await new Promise(setImmediate);
  expect(asked).toEqual([undefined, '%3']);
  answers.splice(0).forEach((answer) => answer());

  await eventually(() => expect(asked).toEqual([undefined, '%3', undefined]));
});

test('given lists that fail, when the watch goes on, then each failure is told and the next list counts', async () => {
  const troubles: unknown[] = [];
  const exits: unknown[] = [];
  let lists = 0;
  const list: WatchTools['list'] = () => {
    lists += 1;
    return lists < 3
      ? Promise.reject(new Error(`failure ${lists}`))
      : Promise.resolve({ second: 1, panes: [pane(true, '0')] });
  };

  await using watch = new Watch(tools(list), {
    onTrouble: (error) => void troubles.push(error),
    onExit: ({ cause }) => void exits.push(cause),
  });

  await eventually(() => expect(exits).toEqual([{ kind: 'exited', status: 0 }]));
  expect(troubles).toEqual([new Error('failure 1'), new Error('failure 2')]);
  expect(watch).toBeDefined();
});

test('given a listener that throws, when panes have ended, then the others are told all the same', async () => {
  const dead = pane(true, '0');
  const other = { ...dead, incarnation: { ...dead.incarnation, paneId: '%4' } };
  const told: string[] = [];
  const troubles: unknown[] = [];

  await using watch = new Watch(
    tools(() => Promise.resolve({ second: 1, panes: [dead, other] })),
    {
      onTrouble: (error) => void troubles.push(error),
      onExit({ incarnation }) {
        told.push(incarnation.paneId);
        if (told.length === 1) throw new Error('a bug of the listener');
      },
    },
  );

  await eventually(() => expect(told).toEqual(['%3', '%4']));
  expect(troubles).toEqual([new Error('a bug of the listener')]);
  expect(watch).toBeDefined();
});

test.each([
  [0, 1],
  [20, 5],
  [100, 21],
  [Number.MAX_SAFE_INTEGER, 25],
])(
  'given 200 panes and a round trip of %d ms, when they are looked at, then %d groups are under way at once, and each pane is captured once',
  async (roundTripMs, atOnce) => {
    const panes = Array.from({ length: 200 }, (_, at) => pane(false, '', `%${at}`));
    const captured: string[] = [];
    let underWay = 0;
    let most = 0;
    const capture: WatchTools['capture'] = async (group) => {
      underWay += 1;
      most = Math.max(most, underWay);
      captured.push(...group.map(({ paneId }) => paneId));
      await new Promise((resolve) => setImmediate(resolve));
      underWay -= 1;
      return group.map(() => ({ kind: 'pane-gone' }));
    };
    const list: WatchTools['list'] = () => Promise.resolve({ second: 1, panes });

    await using watch = new Watch(tools(list, { capture, roundTripMs: () => roundTripMs }), {
      onPane: () => {},
      calmEveryMs: 3_600_000,
    });

    await eventually(() => expect(captured.length).toBe(200));
    expect(new Set(captured).size).toBe(200);
    expect(most).toBe(atOnce);
    expect(watch).toBeDefined();
  },
);
