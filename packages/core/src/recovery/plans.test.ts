/** Checks the table of recovery plans: each row is consistent with its words. */
import { describe, expect, test } from 'vitest';
import { DEFAULT_POLICY } from '../policy/policy.ts';
import { ERROR_CODES, firstLevel } from '../taxonomy/codes.ts';
import { ALTERNATIVE_ORDER, helpsAgainst } from './ways/alternatives.ts';
import { budgetOf, isOverAt, mayRetry, pauseBefore, RECOVERY_PLANS, retryOf, RETRIES } from './plans.ts';
import type { RecoveryPlan, Sign } from './plans.ts';
import { selectStrategy } from './strategies.ts';

const ROWS = ERROR_CODES.map((code) => [code, RECOVERY_PLANS[code]] as const);

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

describe('pauses', () => {
  test('given a policy with other pauses, when the same is tried again, then the pauses are its own', () => {
    const { crash, agentError } = DEFAULT_POLICY;
    const backoff = { ...agentError.backoff, firstDelayMs: 7_000, capMs: 20_000 };
    const policy = {
      ...DEFAULT_POLICY,
      crash: { ...crash, restartAfterMs: 9_000 },
      agentError: { ...agentError, backoff },
    };

    const pauses = [1, 2, 3].map((attempt) => [
      pauseBefore('AGENT_CRASHED', attempt, { policy, random: 0 }),
      pauseBefore('AGENT_API_ERROR', attempt, { policy, random: 0 }),
    ]);

    expect(pauses).toEqual([
      [9_000, 7_000],
      [9_000, 14_000],
      [9_000, 20_000],
    ]);
  });

  test('given a row whose retry has no pause, when the same is tried again, then it is at once', () => {
    expect(pauseBefore('REBASE_CONFLICT', 2, { policy: DEFAULT_POLICY, random: 0.9 })).toBe(0);
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
    ['TMUX_SESSION_FAILED', 'retry', 'substitute'],
    ['GIT_WORKTREE_FAILED', 'retry', 'escalate'],
  ] as const)(
    'given %s, when it may be tried again, then by %s, and if that does not help by %s',
    (code, strategy, fallback) => {
      expect(selectStrategy(code, { mayRepeat: true, alternative: null })).toEqual({ level: 1, strategy, fallback });
    },
  );
});

describe('the table of plans', () => {
  test('given the table, when its codes are listed, then they are those of the taxonomy', () => {
    expect(Object.keys(RECOVERY_PLANS).toSorted()).toEqual([...ERROR_CODES].toSorted());
  });

  test.each(ROWS)(
    'given %s, when its alternatives are read, then each is named once and gentlest first',
    (_code, plan) => {
      expect(plan.alternatives).toEqual(ALTERNATIVE_ORDER.filter((kind) => helpsAgainst(plan, kind)));
    },
  );

  test.each(ROWS)('given %s, when its retry is asked for, then the policy has its numbers', (code, plan) => {
    expect(Object.keys(RETRIES)).toContain(plan.retry);

    const { retriesMax, firstDelayMs, capMs, factor, jitter } = retryOf(code, DEFAULT_POLICY);

    expect(Number.isInteger(retriesMax) && retriesMax >= 0).toBe(true);
    expect(budgetOf(code, DEFAULT_POLICY)).toBe(retriesMax);
    expect(firstDelayMs).toBeGreaterThanOrEqual(0);
    expect(capMs).toBeGreaterThanOrEqual(firstDelayMs);
    expect(factor).toBeGreaterThanOrEqual(1);
    expect(jitter).toBeGreaterThanOrEqual(0);
    expect(jitter).toBeLessThanOrEqual(1);
  });

  test.each(ROWS)(
    'given %s, when its budget is spent, then the first of its alternatives is the fallback',
    (code, plan) => {
      const { fallback } = selectStrategy(code, { mayRepeat: true, alternative: null });

      const isCallers = firstLevel(code) === null;
      if (isCallers) expect([fallback, plan.alternatives]).toEqual(['abort', []]);
      else expect(fallback === 'escalate').toBe(plan.alternatives.length === 0);
    },
  );

  test.each(ROWS)(
    'given %s, when a sign is seen, then it is over at the signs of its row and of every row',
    (code, plan) => {
      expect(SIGNS.filter((sign) => isOverAt(code, sign))).toEqual(SIGNS.filter((sign) => endsAt(plan, sign)));
    },
  );

  test('given the retries by name, when they are counted, then each is that of a row', () => {
    const used = new Set(ROWS.map(([, { retry }]) => retry));

    expect([...used].toSorted()).toEqual(Object.keys(RETRIES).toSorted());
  });
});

const SIGNS = Object.keys({
  'command-done': true,
  up: true,
  taken: true,
  progress: true,
  rebased: true,
  valid: true,
  'turn-over': true,
  'task-done': true,
} satisfies Record<Sign, true>) as readonly Sign[];

/** Tells whether an incident ends at a sign: every incident ends with its task; one that is not of the work also ends with the turn. */
function endsAt({ endsOn, ofTheWork }: RecoveryPlan, sign: Sign): boolean {
  return sign === 'task-done' || endsOn.includes(sign) || (sign === 'turn-over' && !ofTheWork);
}
