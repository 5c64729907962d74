/** Backoff and jitter of the named retry configurations. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { backoffDelay, RETRY_CONFIGS } from './retry.ts';

const random = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
const config = fc.constantFrom(...Object.values(RETRY_CONFIGS));

describe('backoff', () => {
  test.each([
    ['agentSpawn', [2_000, 4_000]],
    ['levelOne', [5_000, 10_000, 20_000]],
  ] as const)(
    'given %s and no chance, when it is tried again, then the delays are those of the table',
    (name, delays) => {
      const when = delays.map((_, place) => backoffDelay(RETRY_CONFIGS[name], place + 1, 0));

      expect(when).toEqual(delays);
    },
  );

  test('given any config, attempt and chance, when a delay is computed, then it lies between the backoff and a fifth more', () => {
    fc.assert(
      fc.property(config, fc.integer({ min: 1, max: 2_000 }), random, (given, attempt, chance) => {
        const backoffMs = Math.min(given.firstDelayMs * given.factor ** (attempt - 1), given.capMs);

        const delayMs = backoffDelay(given, attempt, chance);

        expect(Number.isInteger(delayMs)).toBe(true);
        expect(delayMs).toBeGreaterThanOrEqual(backoffMs);
        expect(delayMs).toBeLessThanOrEqual(Math.ceil(given.capMs * (1 + given.jitter)));
        expect(delayMs).toBeLessThanOrEqual(Math.ceil(backoffMs * (1 + given.jitter)));
      }),
      { numRuns: 5_000 },
    );
  });

  test('given the same chance, when the attempt grows, then the delay never shrinks', () => {
    fc.assert(
      fc.property(config, fc.integer({ min: 1, max: 60 }), random, (given, attempt, chance) => {
        expect(backoffDelay(given, attempt + 1, chance)).toBeGreaterThanOrEqual(backoffDelay(given, attempt, chance));
      }),
    );
  });

  test('given nonsense for attempt or chance, when a delay is computed, then it is still a delay within the bounds', () => {
    const { levelOne } = RETRY_CONFIGS;
    const delays = [backoffDelay(levelOne, -3, 7), backoffDelay(levelOne, 0, Number.NaN)];

    expect(delays).toEqual([6_000, 5_000]);
  });
});
