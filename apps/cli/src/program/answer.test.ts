import { expect, test } from 'vitest';
import { defined } from './answer.ts';

test('given no value, when an object is made of it, then it has no key', () => {
  expect(defined({ a: undefined })).toEqual({});
  expect(Object.keys(defined({ a: undefined, b: 1 }))).toEqual(['b']);
  expect(defined({ a: 1 })).toEqual({ a: 1 });
});
