import { expect, test } from 'vitest';
import { playAny } from './promises.ts';

test('given 2,000 runs of any flow, when events come late and twice, then nothing is lost, doubled or left open', () => {
  expect(() => playAny(2_000)).not.toThrow();
}, 600_000);
