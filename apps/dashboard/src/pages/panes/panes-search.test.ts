import { expect, test } from 'vitest';
import { workerSeen } from '@drover/api/testing';
import { panesOf, readPanesSearch } from './panes-search.ts';

const FLEET = Array.from({ length: 20 }, (_, at) =>
  workerSeen({ name: `w${20 - at}`, status: at === 0 ? 'offline' : at % 2 === 0 ? 'working' : 'idle' }),
);

test.each([
  [{}, 'w1 w2 w3 w4 w5 w6 w7 w8 w9', 1],
  [{ page: 3 }, 'w19', 3],
  // The fleet has become smaller since the address was kept.
  [{ page: 7 }, 'w19', 3],
  [{ q: 'idle', page: 2 }, 'w19', 2],
  [{ q: 'offline' }, '', 1],
] as const)('given the search %j, then the tiles are those of %s', (search, names, page) => {
  const shown = panesOf(FLEET, search);

  expect(shown.workers.map(({ name }) => name).join(' ')).toBe(names);
  expect(shown.page).toBe(page);
});

test('given a row that changes its state, then no tile moves', () => {
  const later = FLEET.map((worker) => ({ ...worker, status: 'needs_input' as const }));

  const names = (fleet: typeof FLEET): string[] => panesOf(fleet, {}).workers.map(({ name }) => name);

  expect(names(later)).toEqual(names(FLEET));
});

test.each([
  [
    { q: 'x', page: 2 },
    { q: 'x', page: 2 },
  ],
  [{ q: 7, page: 'two' }, {}],
  [{ q: '', page: 1.5 }, {}],
  [{ page: -1 }, {}],
])('given the address %j, then its search is %j', (given, search) => {
  expect(readPanesSearch(given)).toEqual(search);
});
