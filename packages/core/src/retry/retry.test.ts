import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DEFAULT_POLICY } from '../policy/policy.ts';
import { ERROR_CODES, firstLevel } from '../taxonomy/codes.ts';
import { type Alternative, alternativeKey, ALTERNATIVE_ORDER, nextAlternative } from './alternatives.ts';
import { backoffDelay, RETRY_CONFIGS } from './backoff.ts';
import { budgetOf, mayRetry } from './budgets.ts';
import { selectStrategy } from './strategies.ts';

function rank({ kind }: Alternative): number {
  return ALTERNATIVE_ORDER.indexOf(kind);
}

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

describe('budgets', () => {
  test('given a policy with other numbers, when budgets are asked for, then they are its own', () => {
    const policy = { ...DEFAULT_POLICY, crash: { ...DEFAULT_POLICY.crash, countMax: 7 } };

    expect([budgetOf('AGENT_CRASHED', DEFAULT_POLICY), budgetOf('AGENT_CRASHED', policy)]).toEqual([2, 6]);
    expect(budgetOf('AGENT_API_ERROR', policy)).toBe(policy.incident.maxAttemptsPerError);
  });

  test('given a budget of two, when two retries are spent, then there is no third', () => {
    const policy = DEFAULT_POLICY;

    expect([0, 1, 2, 3].map((spent) => mayRetry('AGENT_CRASHED', { spent, policy }))).toEqual([
      true,
      true,
      false,
      false,
    ]);
  });

  test('given any code, when its budget is asked for, then it is a whole number that is not negative', () => {
    for (const code of ERROR_CODES) expect(budgetOf(code, DEFAULT_POLICY)).toBeGreaterThanOrEqual(0);
  });
});

describe('strategies', () => {
  test('given any code, when the same, then alternatives, then nothing is left, then the level rises and ends with a person or the caller', () => {
    for (const code of ERROR_CODES) {
      const chain = [
        selectStrategy(code, { mayRepeat: true, alternative: 'rollback' }),
        selectStrategy(code, { mayRepeat: false, alternative: 'rollback' }),
        selectStrategy(code, { mayRepeat: false, alternative: null }),
      ];

      const isCallers = firstLevel(code) === null;
      expect([code, chain.map(({ level }) => level)]).toEqual([code, isCallers ? [4, 4, 4] : [1, 2, 4]]);
      expect([code, chain[2]?.strategy]).toEqual([code, isCallers ? 'abort' : 'escalate']);
    }
  });

  test.each([
    ['AGENT_CRASHED', 'restart', 'escalate'],
    ['SESSION_ORPHANED', 'restart', 'substitute'],
    ['AGENT_API_ERROR', 'retry', 'restart'],
    ['VALIDATION_FAILED', 'retry', 'rollback'],
    ['TMUX_SESSION_FAILED', 'retry', 'escalate'],
  ] as const)(
    'given %s, when it may be tried again, then by %s, and if that does not help by %s',
    (code, strategy, fallback) => {
      expect(selectStrategy(code, { mayRepeat: true, alternative: null })).toEqual({ level: 1, strategy, fallback });
    },
  );
});

describe('alternatives', () => {
  const alternatives: readonly Alternative[] = [
    { kind: 'other-worker' },
    { kind: 'other-profile', profile: 'codex' },
    { kind: 'other-profile', profile: 'gemini' },
    { kind: 'rollback', checkpoint: 'c1' },
    { kind: 'respawn-clean' },
    { kind: 'respawn-resumed', conversation: 's1' },
    { kind: 'fresh-context' },
  ];

  test('given all alternatives, when each fails in turn, then they come gentlest first and then there is none', () => {
    const tried: Alternative[] = [];
    for (const _ of alternatives) {
      const next = nextAlternative(tried, alternatives);
      if (next !== null) tried.push(next);
    }

    expect(nextAlternative(tried, alternatives)).toBeNull();
    expect(tried.map(alternativeKey)).toEqual([
      'fresh-context',
      'respawn-resumed',
      'respawn-clean',
      'rollback',
      'other-profile codex',
      'other-profile gemini',
      'other-worker',
    ]);
  });

  test('given any that were tried and any that apply, when one is chosen, then it applies, is new, and none gentler was left out', () => {
    const some = fc.subarray([...alternatives]);
    fc.assert(
      fc.property(some, some, (tried, available) => {
        const next = nextAlternative(tried, available);

        const open = available.filter((option) => !tried.includes(option));
        if (next === null) {
          expect(open).toEqual([]);
          return;
        }
        expect(open).toContain(next);
        expect(Math.min(...open.map(rank))).toBe(rank(next));
      }),
    );
  });
});
