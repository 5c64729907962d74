/** Chooses the next step for a worker that must leave its machine. */
import { newWorker } from '@drover/core';
import { expect, test } from 'vitest';
import { drainStep, failedTry, UNTRIED } from './plan.ts';
import type { Situation } from './plan.ts';

type State = ReturnType<typeof newWorker>;

const [NEAR, FAR] = [
  { id: 'near', name: 'near' },
  { id: 'far', name: 'far' },
];
const ROUTE = { id: 'x', from: { id: 'here', name: 'here' }, to: { id: 'near', name: 'near' } };

function up(change: Partial<State['lifecycle']> = {}, more: Partial<State> = {}): { readonly state: State } {
  const state = newWorker();
  return { state: { ...state, ...more, lifecycle: { ...state.lifecycle, wanted: 'up', status: 'idle', ...change } } };
}

function situation(change: Partial<Situation> = {}): Situation {
  return {
    now: 100,
    drain: { deadline: null },
    targets: [NEAR, FAR],
    nowhere: 'there is none',
    tried: UNTRIED,
    ...change,
  };
}

const OVER = situation({ drain: { deadline: 100 } });
const REFUSED = failedTry(UNTRIED, { machineId: 'near', why: 'its disk is full', until: 200 });

test.each([
  ['is idle', up(), situation(), { kind: 'move', to: NEAR }],
  ['waits for review', up({ status: 'needs_review' }), situation(), { kind: 'move', to: NEAR }],
  ['is at its task', up({ status: 'working' }), situation(), { kind: 'waits', why: 'is at its task' }],
  ['is at its task when the time is over', up({ status: 'working' }), OVER, { kind: 'move', to: NEAR }],
  ['waits for an answer', up({ status: 'needs_input' }), situation(), { kind: 'waits', why: 'waits for an answer' }],
  ['waits for an answer when the time is over', up({ status: 'needs_input' }), OVER, { kind: 'move', to: NEAR }],
  ['was a person took over', up({ takenOver: true }), OVER, { kind: 'waits', why: 'a person has taken it over' }],
  ['is in error', up({ status: 'error' }), OVER, { kind: 'waits', why: 'waits for a person: see "drover why"' }],
  ['resolves conflicts', up({ status: 'rebasing' }), OVER, { kind: 'waits', why: 'resolves conflicts' }],
  [
    'moves',
    up({}, { move: { kind: 'leaving', route: ROUTE } }),
    situation(),
    { kind: 'waits', why: 'moves to "near"' },
  ],
  ['is being removed', up({ wanted: 'gone' }), situation(), { kind: 'waits', why: 'is being removed' }],
  [
    'is down',
    up({ wanted: 'down' }),
    situation(),
    { kind: 'stays', why: 'is down: its worktree stays until it is up again' },
  ],
  [
    'has nowhere to go',
    up(),
    situation({ targets: [] }),
    { kind: 'waits', why: 'no other machine can take it: there is none' },
  ],
  ['was not taken by the best', up(), situation({ tried: REFUSED }), { kind: 'move', to: FAR }],
  [
    'was taken by none',
    up(),
    situation({ tried: REFUSED, targets: [NEAR] }),
    { kind: 'waits', why: 'could not move: its disk is full' },
  ],
  [
    'was taken by none a while ago',
    up(),
    situation({ tried: REFUSED, targets: [NEAR], now: 200 }),
    { kind: 'move', to: NEAR },
  ],
  [
    'is asked for again while its machine thinks',
    up(),
    situation({ tried: { ...UNTRIED, to: 'far' } }),
    { kind: 'move', to: FAR },
  ],
  [
    'came back from its move',
    up({ note: 'did not move' }),
    situation({ tried: { ...UNTRIED, to: 'near', isTold: true } }),
    { kind: 'came-back', why: 'did not move' },
  ],
])('given a worker that %s, when its machine is drained, then that is what follows', (_what, row, when, expected) => {
  expect(drainStep(row, when)).toEqual(expected);
});
