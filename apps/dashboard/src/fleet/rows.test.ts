import { expect, test } from 'vitest';
import { workerSeen } from '@drover/api/testing';
import { questionRow } from '../testing/rows.ts';
import { isStale, NO_ROWS, takeMessage } from './rows.ts';

const adam = workerSeen({ name: 'adam' });
const beth = workerSeen({ name: 'beth' });
const asked = questionRow({ worker: 'beth', createdAt: 5 });

function afterSnapshot() {
  return takeMessage(NO_ROWS, { kind: 'snapshot', at: 10, workers: [adam, beth], questions: [asked] }, 100);
}

test('given a snapshot, when rows change, come and go, then the others stay the same objects', () => {
  const cleo = workerSeen({ name: 'cleo' });
  const adamNow = workerSeen({ name: 'adam', status: 'idle' });
  const changed = { kind: 'changed', at: 20, workers: [adamNow, cleo], questions: [], gone: [asked.id] } as const;

  const fleet = takeMessage(afterSnapshot(), changed, 200);

  expect([...fleet.workers.values()]).toEqual([adamNow, beth, cleo]);
  expect(fleet.workers.get(beth.id)).toBe(beth);
  expect(fleet.questions.size).toBe(0);
  expect([fleet.at, fleet.heardAt]).toEqual([20, 200]);
});

test('given a change of workers alone, when it is taken, then the questions are the same map, so nothing of them is drawn again', () => {
  const before = afterSnapshot();

  const now = takeMessage(before, { kind: 'changed', at: 20, workers: [beth], questions: [], gone: [] }, 200);

  expect(now.questions).toBe(before.questions);
  expect(now.workers).not.toBe(before.workers);
});

test('given rows, when a new snapshot comes after a break, then rows that it lacks are gone', () => {
  const fleet = takeMessage(afterSnapshot(), { kind: 'snapshot', at: 30, workers: [beth], questions: [] }, 300);

  expect([...fleet.workers.keys()]).toEqual([beth.id]);
  expect(fleet.questions.size).toBe(0);
});

test.each([
  [15_000, false],
  [15_001, true],
])('given %d ms without a word, then the rows are stale: %s', (silentMs, stale) => {
  expect(isStale(afterSnapshot(), 100 + silentMs)).toBe(stale);
});

test('given rows that are old, when a sign of life comes, then they are not stale any more', () => {
  const fleet = takeMessage(afterSnapshot(), { kind: 'alive', at: 40 }, 50_000);

  expect(isStale(fleet, 50_001)).toBe(false);
});

test('given no rows yet, then nothing is stale: the page says that it connects', () => {
  expect(isStale(NO_ROWS, 1e12)).toBe(false);
});
