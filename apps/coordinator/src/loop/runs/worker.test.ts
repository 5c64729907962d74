import { newWorker } from '@drover/core';
import type { Incident, Worker } from '@drover/core';
import { expect, test } from 'vitest';
import { POLICY } from '../../facts/people/causes.ts';
import { workerNews } from './worker.ts';

const LOST: Incident = {
  id: 'i1',
  code: 'MACHINE_LOST',
  openedAt: 1,
  level: 1,
  attempts: 0,
  tried: [],
  lastAttemptAt: 1,
  escalated: true,
  options: [],
  why: 'its machine has been silent',
  action: '',
  before: 'working',
  held: [],
};
const FRESH = newWorker();
const THERE: Worker = {
  ...FRESH,
  task: {
    kind: 'in-hand',
    id: 't1',
    prompt: 'do it',
    text: 'do it',
    startedAt: 1,
    headBefore: null,
    taken: true,
    attempts: 0,
    run: {
      runId: 'r1',
      item: 'build',
      attempt: 1,
      returns: 'commit',
      phase: 'open',
      takenAt: 1,
      answered: true,
      asked: 0,
      isLast: false,
    },
  },
};
const AWAY: Worker = { ...THERE, incident: { ...THERE.incident, open: LOST } };

const ASKING: Worker = {
  ...THERE,
  lifecycle: { ...THERE.lifecycle, status: 'needs_input', note: 'asks: May I?' },
  incident: { ...THERE.incident, open: { ...LOST, code: 'AGENT_BLOCKED' } },
};

function told(state: Worker, after: Worker): unknown {
  const news = workerNews({ row: { id: 'w1', version: 7, state }, after, by: POLICY, now: 5 });
  return news.length > 1 ? news : news[0]?.payload;
}

test('given a worker at a task of a run, when its machine falls silent or is heard again, then the run is told, once each', () => {
  expect(told(THERE, AWAY)).toMatchObject({
    runId: 'r1',
    id: 'machine w1 7',
    event: { kind: 'machine-changed', workerId: 'w1', isAway: true },
  });
  expect(told(AWAY, THERE)).toMatchObject({ event: { isAway: false } });
  expect([told(THERE, THERE), told(AWAY, AWAY)]).toEqual([undefined, undefined]);
});

test('given a worker at a task of its own, when its machine falls silent, then no run is told', () => {
  expect(told({ ...THERE, task: FRESH.task }, { ...AWAY, task: FRESH.task })).toBeUndefined();
});

test('given a worker at a task of a run, when its agent asks a person or goes on, then the run is told, once each', () => {
  expect(told(THERE, ASKING)).toMatchObject({
    runId: 'r1',
    id: 'asks w1 7',
    event: { kind: 'worker-asks', workerId: 'w1', text: 'asks: May I?' },
  });
  expect(told(ASKING, THERE)).toMatchObject({ event: { text: null } });
  expect(told(ASKING, ASKING)).toBeUndefined();
});

test('given a worker whose agent a person has taken over, when that begins, then the run is told', () => {
  const taken = { ...ASKING, incident: THERE.incident, lifecycle: { ...ASKING.lifecycle, takenOver: true } };
  expect(told(THERE, taken)).toMatchObject({ event: { kind: 'worker-asks', text: 'asks: May I?' } });
});

test.each<[string, Worker]>([
  ['is stuck', { ...ASKING, incident: { ...ASKING.incident, open: { ...LOST, code: 'AGENT_STUCK' } } }],
  [
    'waits for its background shell',
    { ...ASKING, turn: { ...ASKING.turn, background: { what: 'background shell', since: 1, wait: 'asked' } } },
  ],
])('given an agent that %s, when a person is asked about it, then its run is not told to wait', (_, after) => {
  expect(told(THERE, after)).toBeUndefined();
});
