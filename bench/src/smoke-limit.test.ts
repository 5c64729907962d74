// Checks that a smoke run is judged by how fast its machine is, and never more strictly than the limit.
import { expect, test } from 'vitest';
import { smokeLimit } from './smoke-limit.ts';

test.each([
  ['as fast as that of the figures', 27, 130],
  ['faster', 10, 130],
  ['twice as slow', 54, 260],
])('given a machine that is %s, when a smoke run is judged, then its limit follows', (_how, nodeMs, limitMs) => {
  expect(smokeLimit(100, nodeMs)).toBe(limitMs);
});
