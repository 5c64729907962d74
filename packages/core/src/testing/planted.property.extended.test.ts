/** Tests the properties: each planted fault in the policy is found. */
import { describe, expect, test } from 'vitest';
import { firstBreak } from './check.ts';
import { PLANTED } from './planted.ts';
import { RULES } from './rules/index.ts';

/** Histories within which each fault is found: those that `rules.property.test.ts` plays. */
const RUNS = 800;

describe('a planted fault', () => {
  test.each(PLANTED.map((planted) => [planted.rule, planted.fault, planted] as const))(
    '%s: given a policy that %s, when histories are played, then its property finds it',
    (letter, _fault, { decide }) => {
      const rules = RULES.filter((rule) => rule.letter === letter);

      const found = firstBreak(rules, decide, { runs: RUNS, seed: 1 });

      expect(found).not.toBeNull();
    },
  );

  test.each(RULES.map(({ letter }) => letter))('%s: given the rule, then two faults and more are planted', (letter) => {
    expect(PLANTED.filter(({ rule }) => rule === letter).length).toBeGreaterThanOrEqual(2);
  });
});
