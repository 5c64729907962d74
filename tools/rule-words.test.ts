/** Does `drover why` have words for every rule that the policy names? */
import { tellRule, WORKER_STATUSES } from '@drover/core';
import { expect, test } from 'vitest';
import { knownRules } from './sim/runs/coverage.ts';

test('given every rule in the source of the policy, when it is told, then there are words for it', () => {
  const statuses: readonly string[] = WORKER_STATUSES;
  const rules = knownRules()
    .filter((rule) => !statuses.includes(rule))
    .map((rule) => rule.replaceAll('*', 'x'));

  expect(rules.length).toBeGreaterThan(80);
  expect(rules.filter((rule) => tellRule(rule) === null)).toEqual([]);
});
