/** Proves the promises of runs; promises.extended.test.ts plays more of them. */
import { expect, test } from 'vitest';
import { playAny } from './promises.ts';

test('given any flow and any sequence of events, when a run is played, then it keeps W1 to W13 and comes to rest', () => {
  expect(() => playAny(300)).not.toThrow();
});
