import { expect, test } from 'vitest';
import { workerSeen } from '@drover/api/testing';
import { readTableSearch, rowsOf } from './table.ts';

const FLEET = [
  workerSeen({ name: 'w10', status: 'idle', machine: 'build-2', since: 3 }),
  workerSeen({ name: 'w2', status: 'working', machine: 'build-10', since: 2, prompt: 'Fix the Login page' }),
  workerSeen({ name: 'w1', status: 'needs_review', machine: 'build-1', since: 1 }),
  workerSeen({ name: 'w3', status: 'error', machine: 'build-1', since: 4 }),
];

test.each([
  [undefined, 'w3 w1 w2 w10'],
  ['name', 'w1 w2 w3 w10'],
  ['age', 'w1 w2 w10 w3'],
  ['machine', 'w1 w3 w10 w2'],
] as const)('given the order %s, when the fleet is shown, then it is %s', (sort, names) => {
  expect(
    rowsOf(FLEET, { sort })
      .map(({ name }) => name)
      .join(' '),
  ).toBe(names);
});

test.each([
  ['login', ['w2']],
  ['LOGIN fix', ['w2']],
  ['needs review', ['w1']],
  ['build-1 error', ['w3']],
  ['nobody', []],
])('given the filter "%s", then the rows are %j', (q, names) => {
  expect(rowsOf(FLEET, { q }).map(({ name }) => name)).toEqual(names);
});

test('given an address that a person wrote wrong, when it is read, then the wrong parts count as absent', () => {
  expect(readTableSearch({ q: 'x', sort: 'machine' })).toEqual({ q: 'x', sort: 'machine' });
  expect(readTableSearch({ q: 5, sort: '<script>' })).toEqual({});
});
