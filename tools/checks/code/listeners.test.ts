// Checks that a listener that stays on a signal is found.
import { expect, test } from 'vitest';
import { parseSource } from '../source/source.ts';
import { listenerProblems } from './listeners.ts';

const ADDS = "signal.addEventListener('abort', done, { once: true });";
const REMOVES = "signal.removeEventListener('abort', done);";

test.each([
  ['listens and never stops', ADDS, 1],
  ['listens twice and stops once', `${ADDS}${ADDS}${REMOVES}`, 1],
  ['listens and stops', `${ADDS}${REMOVES}`, 0],
])('given a file of the product, when it %s, then that is judged', (_, text, problems) => {
  expect(listenerProblems(parseSource('apps/cli/src/a.ts', text))).toHaveLength(problems);
});

test('given a test, when it listens and never stops, then that is fine', () => {
  expect(listenerProblems(parseSource('apps/cli/src/a.test.ts', ADDS))).toEqual([]);
});
