import { expect, test } from 'vitest';
import { playAny } from './promises.ts';

test('given 1,000 runs of any flow, when events come late and twice, then nothing is lost, doubled or left open', () => {
  expect(() => playAny(1_000)).not.toThrow();
}, 600_000);
