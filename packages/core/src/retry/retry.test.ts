import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DEFAULT_POLICY } from '../policy/policy.ts';
import { ERROR_CODES, firstLevel } from '../taxonomy/codes.ts';
import { type Alternative, alternativeKey, ALTERNATIVE_ORDER, nextAlternative } from './alternatives.ts';
import { backoffDelay, mayRetry, RETRY_CONFIGS } from './backoff.ts';
import { selectStrategy, type Strategy, STRATEGY_PLANS } from './strategies.ts';

function rank({ kind }: Alternative): number {
  return ALTERNATIVE_ORDER.indexOf(kind);
}

const random = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
const config = fc.constantFrom(...Object.values(RETRY_CONFIGS));

describe('backoff', () => {
  test.each([
    ['default', [1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]],
    ['agentSpawn', [2_000, 4_000]],
    ['messageSend', [500, 1_000, 2_000, 4_000, 8_000]],
    ['databaseWrite', [100, 200, 400]],
    ['rateLimited', [5_000, 10_000, 20_000, 40_000, 60_000]],
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
    const delays = [backoffDelay(RETRY_CONFIGS.default, -3, 7), backoffDelay(RETRY_CONFIGS.default, 0, Number.NaN)];

    expect(delays).toEqual([1_200, 1_000]);
  });

  test('given a budget of two, when two retries are spent, then there is no third', () => {
    expect([0, 1, 2, 3].map((spent) => mayRetry(RETRY_CONFIGS.agentSpawn, spent))).toEqual([true, true, false, false]);
  });
});

describe('strategies', () => {
  test('given level 1, when the config and the running policy are compared, then they wait and try alike', () => {
    const { retriesMax, ...backoff } = RETRY_CONFIGS.levelOne;

    expect(backoff).toEqual(DEFAULT_POLICY.agentError.backoff);
    expect(retriesMax).toBe(DEFAULT_POLICY.incident.maxAttemptsPerError);
  });

  test('given any code, when attempts go on, then the chain ends with a person or a stop and never comes back', () => {
    for (const code of ERROR_CODES) {
      const chain = Array.from({ length: 40 }, (_, spent) => selectStrategy(code, spent).strategy);

      const end: Strategy | undefined = chain.at(-1);
      expect([code, end === 'escalate' || end === 'abort']).toEqual([code, true]);
      const changes = chain.filter((strategy, place) => place === 0 || strategy !== chain[place - 1]);
      expect([code, new Set(changes).size]).toEqual([code, changes.length]);
    }
  });

  test('given any code, when its plan is read, then a transient one begins with the same or a new start, a fatal one with a person or a stop', () => {
    for (const code of ERROR_CODES) {
      const { strategy, attemptsMax } = STRATEGY_PLANS[code];

      expect(attemptsMax).toBeGreaterThan(0);
      const allowed = {
        1: ['retry', 'restart', 'rollback'],
        2: ['retry', 'restart', 'skip', 'abort'],
        4: ['escalate', 'abort'],
      };
      const level = firstLevel(code);
      expect([code, level === null || level === 3 ? ['abort'] : allowed[level]]).toEqual([
        code,
        expect.arrayContaining([strategy]),
      ]);
    }
  });

  test('given a crashed agent, when it crashes again and again, then it is restarted twice, then a person is asked', () => {
    const chain = [0, 1, 2, 3, 4].map((spent) => selectStrategy('AGENT_CRASHED', spent).strategy);

    expect(chain).toEqual(['restart', 'restart', 'escalate', 'escalate', 'escalate']);
  });

  test('given a tmux session that cannot be made, when two retries are spent, then a person is asked', () => {
    const chain = [0, 1, 2, 3].map((spent) => selectStrategy('TMUX_SESSION_FAILED', spent).strategy);

    expect(chain).toEqual(['retry', 'retry', 'escalate', 'escalate']);
  });

  test('given a lost prompt, when the resends are spent, then the agent is started again', () => {
    expect(selectStrategy('INPUT_LOST', 1)).toEqual({ strategy: 'retry', fallback: 'restart', attempt: 2 });
    expect(selectStrategy('INPUT_LOST', 2).strategy).toBe('restart');
  });
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
      'rollback c1',
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
