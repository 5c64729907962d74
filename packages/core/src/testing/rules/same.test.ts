/** The comparison sees every difference that JSON can hold, and no other. */
import { expect, test } from 'vitest';
import { isSame } from './same.ts';

test('given values of JSON with the same fields, when they are compared, then the order of the fields does not matter', () => {
  const one = { status: 'idle', pane: { kind: 'up', since: 1 }, backlog: [{ id: 'a' }, { id: 'b' }], task: null };
  const other = { task: null, backlog: [{ id: 'a' }, { id: 'b' }], pane: { since: 1, kind: 'up' }, status: 'idle' };

  expect(isSame(one, JSON.parse(JSON.stringify(one)))).toBe(true);
  expect(isSame(one, other)).toBe(true);
});

test.each([
  ['another value', { a: 1, b: 2 }, { a: 1, b: 3 }],
  ['another value in another order', { a: 1, b: 2 }, { b: 3, a: 1 }],
  ['values that changed places', { a: 1, b: 2 }, { a: 2, b: 1 }],
  ['another name', { a: 1, b: 2 }, { a: 1, c: 2 }],
  ['another name for no value', { a: 1, b: undefined }, { a: 1, c: undefined }],
  ['a field more', { a: 1 }, { a: 1, b: 2 }],
  ['a field with no value more', { a: 1 }, { a: 1, b: undefined }],
  ['a name that every object inherits', { a: 1, b: undefined }, { a: 1, toString: undefined }],
  ['a change deep inside', { a: [{ b: { c: 1 } }] }, { a: [{ b: { c: 2 } }] }],
  ['a change deep inside, in another order', { a: [{ b: { c: 1 } }], d: 0 }, { d: 0, a: [{ b: { c: 2 } }] }],
  ['an element more', [1, 2], [1, 2, 3]],
  ['elements in another order', [1, 2], [2, 1]],
  ['a list and an object', ['a'], { 0: 'a' }],
  ['null and an object', null, {}],
  ['a number and its text', { a: 1 }, { a: '1' }],
])('given %s, when the two are compared, then they differ', (_what, one, other) => {
  expect(isSame(one, other)).toBe(false);
  expect(isSame(other, one)).toBe(false);
});
