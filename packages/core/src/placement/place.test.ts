/** Words where work goes, and why nowhere. */
import { expect, test } from 'vitest';
import { place } from './place.ts';
import { ANYWHERE } from './spot.ts';
import type { PlaceMachine, PlaceWorker, Spot } from './spot.ts';

function machine(name: string, change: Partial<PlaceMachine> = {}): PlaceMachine {
  const free = { state: 'connected', cordon: null, labels: [], capacity: null, workers: 0, busy: 0 } as const;
  return { id: name, name, ...free, load: null, disk: null, memory: null, ...change };
}

function room(name: string, change: Partial<PlaceMachine> = {}, more: Partial<Spot> = {}): Spot {
  return { machine: machine(name, change), worker: null, ...NOTHING, ...more };
}

function worker(name: string, change: Partial<PlaceWorker> = {}, on: PlaceMachine = machine('big')): Spot {
  const standing = { kind: 'idle', since: 1 } as const;
  const idle = { id: name, name, role: 'developer', profile: 'claude', isInPool: true, standing };
  return { machine: on, worker: { ...idle, ...change }, ...NOTHING };
}

const NO_ACCESS = { why: 'no access', mayComeLater: true } as const;
const NO_CLAUDE = { why: 'does not have the program of "claude"', mayComeLater: true } as const;

const NOTHING = { namesake: null, checkout: null, program: null, paused: null, canary: null } as const;

test.each<[string, Spot[], string, string | null]>([
  ['no machine', [], 'there is none', null],
  ['one machine', [room('big')], 'it is the only machine that can take it', 'big'],
  [
    'a machine with fewer workers',
    [room('big', { workers: 2 }), room('small', { workers: 1 })],
    'of 2 machines that can take it, it has the fewest workers',
    'small',
  ],
  [
    'machines that cannot take it',
    [
      room('a', { cordon: 'drained by mia' }),
      room('b', { capacity: 2, workers: 2 }),
      room('c', { state: 'disconnected' }),
      room('d', {}, { paused: 'until 14:00' }),
      room('e', {}, { checkout: NO_ACCESS }),
    ],
    '"a" gets no new work: it is drained by mia; "b" is full: 2 of 2 workers; "c" is disconnected; ' +
      '"d" would wait: its account is paused until 14:00; "e" does not have the project: no access',
    null,
  ],
  [
    'machines that lack what work needs',
    [
      room('a', { disk: '0.4 GiB of disk are free' }),
      room('b', { memory: '0.1 GiB of memory are free' }),
      room('c', {}, { program: NO_CLAUDE }),
    ],
    '"a" is short: 0.4 GiB of disk are free; "b" is short: 0.1 GiB of memory are free; "c" does not have the program of "claude"',
    null,
  ],
  [
    'machines of which one is loaded',
    [room('a', { load: 2.5 }), room('b', { load: 0.4 }), room('c', { load: 1.9 })],
    'of 3 machines that can take it, it has the least load',
    'b',
  ],
  [
    'machines whose loads differ by chance',
    [room('b', { load: 0.1 }), room('a', { load: 0.9 })],
    'of 2 machines that can take it, it is the first by name of those with the fewest workers',
    'a',
  ],
  [
    'a machine with more load and fewer workers',
    [room('a', { load: 9 }), room('b', { workers: 1 })],
    'of 2 machines that can take it, it has the fewest workers',
    'a',
  ],
  [
    'workers whose agents run on machines that are short',
    [
      worker('adam', {}, machine('big', { disk: '0.4 GiB of disk are free' })),
      { ...worker('bea', {}, machine('small', { memory: 'nothing is free' })), program: NO_CLAUDE },
    ],
    'it is the only idle worker that can take it',
    'bea',
  ],
  [
    'workers that cannot take it',
    [
      worker('adam', { standing: { kind: 'other', what: 'working' } }),
      worker('bea', {}, machine('small', { cordon: 'cordoned by mia' })),
      worker('cleo', { isInPool: false }),
    ],
    'adam is working; bea is on "small", which gets no new work: it is cordoned by mia; cleo takes only tasks that name it',
    null,
  ],
  [
    'workers of which one has been idle longer',
    [worker('adam', { standing: { kind: 'idle', since: 2 } }), worker('bea')],
    'of 2 idle workers that can take it, it has been idle the longest',
    'bea',
  ],
  [
    'a worker on a machine at which less is at work',
    [worker('adam', {}, machine('big', { busy: 1 })), worker('bea', {}, machine('small'))],
    'of 2 idle workers that can take it, its machine has the fewest workers at a task',
    'bea',
  ],
])('given %s, when work is placed, then it is said why there, or why nowhere', (_, spots, why, name) => {
  const placed = place(ANYWHERE, spots);

  expect(placed.why).toBe(why);
  expect(placed.kind === 'placed' ? (placed.spot.worker ?? placed.spot.machine).name : null).toBe(name);
});

test('given labels and a role that are wanted, when work is placed, then it is said which one lacks what', () => {
  const spots = [worker('adam', {}, machine('big', { labels: ['gpu'] })), worker('bea', { role: 'reviewer' })];

  expect(place({ ...ANYWHERE, labels: ['gpu', 'eu'] }, spots).why).toBe(
    'adam is on "big", which does not have the label eu; bea is on "big", which does not have the label gpu, eu',
  );
  expect(place({ ...ANYWHERE, role: 'tester' }, spots).why).toBe('adam is a developer; bea is a reviewer');
});

test('given a person who names a silent machine with a paused account, when a worker is placed, then it goes there all the same', () => {
  const spot = room('big', { state: 'suspect' }, { paused: 'until noon' });

  expect(place({ ...ANYWHERE, isNamed: true }, [spot])).toMatchObject({ kind: 'placed', why: 'it was named' });
  expect(place(ANYWHERE, [spot]).kind).toBe('nowhere');
});

test('given machines that lack only what may come by itself, when a worker may wait, then it goes to one, and it is said for what it waits', () => {
  const paused = room('slow', { workers: 1 }, { paused: 'until 14:00' });
  const broken = room('broken', {}, { checkout: NO_ACCESS });
  const former = room('former', {}, { checkout: { why: 'it has no workspace', mayComeLater: false } });
  const forbidden = room('strict', {}, { program: { why: 'may not start "claude"', mayComeLater: false } });
  const wanted = { ...ANYWHERE, mayWait: true };

  const later = place(wanted, [paused, broken, former]);
  const both = place(wanted, [{ ...broken, paused: 'until 14:00' }]);

  expect(later).toMatchObject({
    spot: broken,
    why:
      'of 2 machines that can take it, it has the fewest workers, though its last attempt to clone the project failed (no access), ' +
      'and it tries again',
    refused: [{ name: '"former"' }, { name: '"slow"' }],
  });
  expect(both).toMatchObject({
    kind: 'placed',
    waits: [/no access/, /until 14:00/].map((words) => expect.stringMatching(words)),
  });
  expect(place(wanted, [paused, broken, room('well', { workers: 9 })])).toMatchObject({
    spot: { machine: { name: 'well' } },
    waits: [],
  });
  expect(place(wanted, [room('bare', {}, { program: NO_CLAUDE })])).toMatchObject({
    kind: 'placed',
    waits: ['it does not have the program of "claude" yet, so the agent cannot start until somebody installs it'],
  });
  expect(place(wanted, [former, forbidden]).kind).toBe('nowhere');
  expect(place(ANYWHERE, [paused, broken]).kind).toBe('nowhere');
  expect(place(wanted, [{ ...worker('adam'), paused: 'until 14:00' }]).kind).toBe('nowhere');
});

test('given a worker whose program has a version that no trial has seen, when work is placed, then another takes it, unless a person names it', () => {
  const canary = 'would be the second at work with claude 9.9.9, which no trial has seen: bea is the first';
  const spots = [{ ...worker('adam'), canary }, worker('cleo')];

  expect(place(ANYWHERE, spots)).toMatchObject({ kind: 'placed', spot: { worker: { name: 'cleo' } } });
  expect(place(ANYWHERE, spots.slice(0, 1))).toMatchObject({ kind: 'nowhere', why: `adam ${canary}` });
  expect(place({ ...ANYWHERE, isNamed: true }, spots.slice(0, 1))).toMatchObject({ kind: 'placed' });
});
