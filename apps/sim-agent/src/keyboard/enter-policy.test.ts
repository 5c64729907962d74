import { expect, test } from 'vitest';
import { afterRead, judgeEnter, type EnterMemory } from './enter-policy.ts';
import type { Key } from './keys.ts';

const READY: EnterMemory = { readySince: 0, lastBurstAt: Number.NEGATIVE_INFINITY };
const LIMITS = { startSwallowMs: 600, burstMs: 100 };
const text = (value: string): Key => ({ kind: 'text', text: value });
const paste: Key = { kind: 'paste', text: 'hello' };
const verdict = (before: readonly Key[], now: number, memory = READY): string =>
  judgeEnter(before, { memory, limits: LIMITS, now });

test.each([
  ['Enter alone 599 ms after start', [], 599, 'swallow-start'],
  ['Enter alone 600 ms after start', [], 600, 'submit'],
  ['text and Enter in one read', [text('hello')], 5_000, 'newline'],
  ['one letter and Enter in one read', [text('y')], 5_000, 'submit'],
  ['a bracketed paste and Enter in one read', [paste], 5_000, 'submit'],
  ['text after a paste and Enter in one read', [paste, text(' more')], 5_000, 'newline'],
] as const)('given %s, then the verdict is right', (_, before, now, expected) => {
  expect(verdict(before, now)).toBe(expected);
});

test('given a burst of text in its own read, when Enter comes, then it is swallowed for 100 ms and counts after', () => {
  const memory = afterRead(READY, [text('hello')], 5_000);

  expect(verdict([], 5_099, memory)).toBe('swallow-burst');
  expect(verdict([], 5_100, memory)).toBe('submit');
});

test('given a bracketed paste right after a burst, when Enter comes, then it counts at once', () => {
  const burst = afterRead(READY, [text('hello')], 5_000);

  const memory = afterRead(burst, [paste], 5_010);

  expect(verdict([], 5_011, memory)).toBe('submit');
});
