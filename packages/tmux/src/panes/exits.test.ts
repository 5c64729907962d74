/** Checks that the end of every life is reported once, whatever the order of news. */
import { array, assert, constantFrom, property, record, nat } from 'fast-check';
import { expect, test } from 'vitest';

import { ExitTracker, type PaneExit } from './exits.ts';
import { formatIncarnation } from './incarnation.ts';
import type { PaneState } from './facts.ts';

function pane(paneId: string, panePid: number, death: Partial<PaneState> = {}): PaneState {
  return {
    incarnation: { serverPid: 1, serverStart: 2, sessionCreated: 3, paneId, panePid },
    sessionName: 'w',
    options: {},
    dead: false,
    deadStatus: undefined,
    deadSignal: undefined,
    diedAt: undefined,
    title: '',
    currentCommand: '',
    width: 1,
    height: 1,
    cursor: { x: 0, y: 0, visible: true },
    alternate: false,
    inMode: false,
    historySize: 0,
    windowActivity: 0,
    ...death,
  };
}

const exited = { dead: true, deadStatus: 7 };
const killed = { dead: true, deadSignal: 'SIGKILL' };
const causeless = { dead: true };
const causes = (exits: readonly PaneExit[]): unknown[] => exits.map(({ cause }) => cause);

test('given a dead pane in every list, when lists come again and again, then its exit is told once', () => {
  const tracker = new ExitTracker();

  const told = [1, 2, 3].flatMap((asked) => tracker.seenAll([pane('%1', 10, exited)], asked).exits);

  expect(causes(told)).toEqual([{ kind: 'exited', status: 7 }]);
});

test('given a death without a cause, when the cause comes after a cure, then only the true one is told', () => {
  const tracker = new ExitTracker();

  const first = tracker.seenAll([pane('%1', 10, causeless)], 1);
  const second = tracker.seenAll([pane('%1', 10, killed)], 2);

  expect(first).toEqual({ exits: [], needsCure: true });
  expect(causes(second.exits)).toEqual([{ kind: 'signalled', signal: 'SIGKILL' }]);
  expect(second.needsCure).toBe(false);
});

test('given a death that no cure explains, when four cures have failed, then its cause is told as unknown', () => {
  const tracker = new ExitTracker();

  const news = [1, 2, 3, 4, 5, 6].map((asked) => tracker.seenAll([pane('%1', 10, causeless)], asked));

  expect(news.map(({ needsCure }) => needsCure)).toEqual([true, true, true, true, false, false]);
  expect(causes(news.flatMap(({ exits }) => exits))).toEqual([{ kind: 'unknown' }]);
});

test('given a pane that was respawned, when an older list arrives late, then it is not believed', () => {
  const tracker = new ExitTracker();
  tracker.seenAll([pane('%1', 10)], 1);
  tracker.seen(pane('%1', 10, exited), 3);
  tracker.seen(pane('%1', 11), 4);

  const late = tracker.seenAll([pane('%1', 10, exited)], 2);
  const later = tracker.seenAll([pane('%1', 11, killed)], 5);

  expect(late.exits).toEqual([]);
  expect(causes(later.exits)).toEqual([{ kind: 'signalled', signal: 'SIGKILL' }]);
});

test('given panes that vanish, when they are missing from a newer list only, then they are gone once', () => {
  const tracker = new ExitTracker();
  tracker.seen(pane('%1', 10), 5);

  expect(tracker.seenAll([], 4).exits).toEqual([]);
  expect(causes(tracker.seenAll([], 6).exits)).toEqual([{ kind: 'gone' }]);
  expect(tracker.seenAll([], 7).exits).toEqual([]);
});

test('given any lists in order, when all have been seen, then each life that ended is told exactly once (E1)', () => {
  const step = array(record({ id: nat(3), birth: nat(3), death: constantFrom({}, exited, killed) }), { maxLength: 4 });
  assert(
    property(array(step, { minLength: 2, maxLength: 12 }), (steps) => {
      const tracker = new ExitTracker();
      const told: string[] = [];
      const lives = new Set<string>();
      const worlds = growing(steps);

      for (const [asked, world] of [...worlds, []].entries()) {
        for (const facts of world) lives.add(formatIncarnation(facts.incarnation));
        const { exits } = tracker.seenAll(world, asked);
        told.push(...exits.map(({ incarnation }) => formatIncarnation(incarnation)));
      }

      expect(told.toSorted()).toEqual([...lives].toSorted());
    }),
    { numRuns: 2_000 },
  );
});

/** Makes arbitrary steps possible: a life never returns after another one or after its death. */
function growing(
  steps: readonly (readonly { id: number; birth: number; death: Partial<PaneState> }[])[],
): PaneState[][] {
  const pids = new Map<number, { birth: number; facts: PaneState }>();
  let pid = 100;
  return steps.map((step) => {
    const world = new Map<number, PaneState>();
    for (const { id, birth, death } of step) {
      const before = pids.get(id);
      const goesOn = before !== undefined && before.birth === birth;
      const facts = goesOn
        ? before.facts.dead
          ? before.facts
          : pane(`%${id}`, before.facts.incarnation.panePid, death)
        : pane(`%${id}`, (pid += 1), death);
      pids.set(id, { birth, facts });
      world.set(id, facts);
    }
    for (const id of pids.keys()) if (!world.has(id)) pids.delete(id);
    return [...world.values()];
  });
}
