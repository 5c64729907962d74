import type { Actor, EscalationView, LiveMessage, WorkerView } from '@drover/api';
import { expect, test } from 'vitest';
import { Redactor } from '@drover/protocol';
import { Waiters } from '../context/waiters.ts';
import { LiveFeed } from './live-rows.ts';

const ada: Actor = { kind: 'person', id: 't', name: 'ada', role: 'viewer', project: null, worker: null };

/** Lets promises that need no time come to their end. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
}

/** A feed whose clock stands until `pass` moves it, over rows that the test sets. */
function given() {
  const time = { now: 1_000 };
  const timers: { at: number; run: () => void }[] = [];
  const rows = { workers: [] as object[], questions: [] as object[], reads: 0, isBroken: false };
  const after = (ms: number, run: () => void): (() => void) => {
    const timer = { at: time.now + ms, run };
    timers.push(timer);
    return () => void timers.splice(timers.indexOf(timer), timers.includes(timer) ? 1 : 0);
  };
  const events = new Waiters();
  const feed = new LiveFeed({
    ctx: { clock: { now: () => time.now, after }, log: () => {} },
    events,
    fleet: {
      listWorkers: () => {
        rows.reads += 1;
        return rows.isBroken ? Promise.reject(new Error('away')) : Promise.resolve(rows.workers as WorkerView[]);
      },
      listEscalations: () => Promise.resolve(rows.questions as EscalationView[]),
    },
  });
  const pass = async (ms: number): Promise<void> => {
    const end = time.now + ms;
    for (;;) {
      await settle();
      const [next] = timers.filter(({ at }) => at <= end).toSorted((one, other) => one.at - other.at);
      if (next === undefined) break;
      timers.splice(timers.indexOf(next), 1);
      time.now = Math.max(time.now, next.at);
      next.run();
    }
    time.now = end;
    await settle();
  };
  const follow = (actor: Actor = ada) => {
    const heard: LiveMessage[] = [];
    return { heard, leave: feed.follow(actor, (text) => heard.push(JSON.parse(text) as LiveMessage)) };
  };
  return { rows, events, pass, follow };
}

test('given two viewers, when rows change, come and go, then both hear the changed ones alone, from one read', async () => {
  const { rows, pass, follow } = given();
  rows.workers = [
    { id: 'a', note: 'x' },
    { id: 'b', note: 'y' },
  ];
  const [one, other] = [follow(), follow()];
  await pass(0);
  const reads = rows.reads;

  rows.workers = [
    { id: 'b', note: 'z' },
    { id: 'c', note: '' },
  ];
  await pass(1_000);

  expect(one.heard.map(({ kind }) => kind)).toEqual(['snapshot', 'changed']);
  expect(one.heard[1]).toMatchObject({ workers: [{ id: 'b', note: 'z' }, { id: 'c' }], questions: [], gone: ['a'] });
  expect(other.heard).toEqual(one.heard);
  expect(rows.reads - reads).toBeLessThanOrEqual(2);
});

test('given a viewer, when another one comes later, then the other gets all rows at once', async () => {
  const { rows, pass, follow } = given();
  rows.workers = [{ id: 'a' }];
  follow();
  await pass(2_000);

  expect(follow().heard).toMatchObject([{ kind: 'snapshot', workers: [{ id: 'a' }] }]);
});

test('given a hint, when rows have changed, then they are told at once, and no more than four times a second', async () => {
  const { rows, events, pass, follow } = given();
  const { heard } = follow();
  await pass(500);
  const before = heard.length;

  for (let change = 0; change < 50; change += 1) {
    rows.workers = [{ id: 'a', change }];
    events.wake('a');
    await pass(20);
  }

  expect(heard.length - before).toBeGreaterThanOrEqual(3);
  expect(heard.length - before).toBeLessThanOrEqual(5);
});

test('given rows that stay the same, then a sign of life comes each five seconds, with the time of the rows', async () => {
  const { pass, follow } = given();
  const { heard } = follow();

  await pass(11_000);

  expect(heard.map(({ kind }) => kind)).toEqual(['snapshot', 'alive', 'alive']);
});

test('given a database that is away, then nothing is said, so that viewers see that they are stale; when it is back, rows come', async () => {
  const { rows, pass, follow } = given();
  const { heard } = follow();
  await pass(1_000);
  rows.isBroken = true;
  await pass(20_000);
  expect(heard.map(({ kind }) => kind)).toEqual(['snapshot']);

  rows.isBroken = false;
  await pass(2_000);

  expect(heard.map(({ kind }) => kind)).toEqual(['snapshot', 'alive']);
});

test('given viewers of different reach, then none hears the rows of the other', async () => {
  const { rows, pass, follow } = given();
  follow();
  await pass(1_000);
  rows.workers = [{ id: 'of one project' }];

  const { heard } = follow({ ...ada, project: 'p' });

  expect(heard).toEqual([]);
  await pass(1_000);
  expect(heard).toMatchObject([{ kind: 'snapshot' }]);
});

test('given a viewer who leaves, then nothing is read any more', async () => {
  const { rows, pass, follow } = given();
  const { leave } = follow();
  await pass(1_000);

  leave();
  await pass(2_000);
  const reads = rows.reads;
  await pass(60_000);

  expect(rows.reads).toBe(reads);
});

test('given a row that holds a secret, when it is sent at first and when it changes, then no viewer hears the secret', async () => {
  const { rows, pass, follow } = given();
  const secret = `sk-ant-api03-${'x'.repeat(40)}`;
  expect(new Redactor().text(secret)).not.toContain(secret);
  rows.workers = [{ id: 'a', note: `with ${secret}` }];
  const { heard } = follow();
  await pass(1_000);

  rows.workers = [{ id: 'a', note: `again ${secret}` }];
  await pass(1_000);

  expect(heard.map(({ kind }) => kind)).toEqual(['snapshot', 'changed']);
  expect(JSON.stringify(heard)).toContain('again');
  expect(JSON.stringify(heard)).not.toContain(secret);
});
