import { expect, test } from 'vitest';
import { workerSeen } from '@drover/api/testing';
import { questionRow } from '../testing/rows.ts';
import { cardsOf, countsOf, withSent } from './inbox.ts';

function byId<T extends { readonly id: string }>(rows: readonly T[]): ReadonlyMap<string, T> {
  return new Map(rows.map((row) => [row.id, row]));
}

function cards(
  workers: readonly ReturnType<typeof workerSeen>[],
  questions: readonly ReturnType<typeof questionRow>[] = [],
) {
  return cardsOf({ workers: byId(workers), questions: byId(questions) });
}

test('given all that can wait for a person, when the inbox is drawn, then the longest wait is first', () => {
  const found = cards(
    [
      workerSeen({ name: 'adam', status: 'error', since: 300 }),
      workerSeen({ name: 'beth', status: 'needs_review', since: 100 }),
      workerSeen({ name: 'cleo', status: 'needs_input', since: 400 }),
      workerSeen({ name: 'dora', status: 'needs_input', since: 50 }),
      workerSeen({ name: 'emil', status: 'working', since: 10 }),
    ],
    [questionRow({ worker: 'dora', createdAt: 200 })],
  );

  expect(found.map(({ kind, since }) => `${kind} ${since}`)).toEqual([
    'review 100',
    'question 200',
    'failure 300',
    'words 400',
  ]);
});

test('given a worker with a question, when it is in error as well, then there is one card', () => {
  const found = cards([workerSeen({ name: 'adam', status: 'error' })], [questionRow({ worker: 'adam', createdAt: 1 })]);

  expect(found.map(({ kind }) => kind)).toEqual(['question']);
});

test('given a question of one project, when another project has a worker of that name, then the card is of the right one', () => {
  const own = workerSeen({ name: 'adam', status: 'needs_input' });
  const other = { ...own, id: 'other', project: 'bank' };

  const [card] = cards([other, own], [questionRow({ worker: 'adam', createdAt: 1 })]);

  expect(card).toMatchObject({ kind: 'question', worker: { project: 'demo' } });
});

test.each([
  ['is being merged', { accepting: 'its checks run' }],
  ['was handed over', { offered: 'drover/adam' }],
  ['moves', { moving: 'to build-2' }],
  ['belongs to a run', { run: 'r1' }],
])('given work that %s, then no person is asked for it', (_, facts) => {
  expect(cards([workerSeen({ name: 'adam', status: 'needs_review', ...facts })])).toEqual([]);
});

test('given finished work whose commit is not known yet, then it is a card, and counts', () => {
  const own = workerSeen({ status: 'needs_review', commit: null });

  expect(cards([own])).toMatchObject([{ kind: 'review' }]);
  expect(countsOf([own]).toReview).toBe(1);
});

test('given a silent machine with many workers, then it is one card', () => {
  const silent = { machineState: 'disconnected', machine: 'build-3' } as const;
  const found = cards([
    workerSeen({ name: 'adam', ...silent, since: 5 }),
    workerSeen({ name: 'beth', ...silent, since: 9 }),
  ]);

  expect(found).toMatchObject([{ kind: 'machine', machine: 'build-3', since: 9, workers: [{}, {}] }]);
});

test('given a fleet, when it is counted, then work that was sent back or is rebased counts as working', () => {
  const statuses = ['working', 'rejected', 'rebasing', 'needs_review', 'idle', 'idle', 'offline', 'error'] as const;

  expect(countsOf(statuses.map((status, at) => workerSeen({ name: `w${at}`, status })))).toEqual({
    working: 3,
    toReview: 1,
    idle: 2,
    offline: 1,
  });
});

test.each([
  ['sending', 'question'],
  ['accepted', 'question'],
  ['refused', 'question words'],
] as const)(
  'given an answer that is %s, when its question is not listed any more, then the cards are: %s',
  (kind, kinds) => {
    const asks = workerSeen({ name: 'beth', status: 'needs_input', since: 5 });
    const question = questionRow({ worker: 'beth', createdAt: 4 });
    const cards = cardsOf({ workers: new Map([[asks.id, asks]]), questions: new Map() });

    const shown = withSent(cards, [{ question, before: asks, fate: { kind } }]);

    expect(shown.map((card) => card.kind).join(' ')).toBe(kinds);
  },
);
