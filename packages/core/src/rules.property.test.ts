/** Proves that every decision keeps R1 to R8, in any history and order; `npm run properties` plays more histories. */
import { beforeAll, expect, test } from 'vitest';
import { firstBreak, prove } from './testing/check.ts';
import { RULES } from './testing/rules/index.ts';
import { decide } from './decide.ts';

/** Histories for all rules at every commit, and always the same ones: as many as find each planted fault. `npm run properties` draws new ones. */
const FROM = { runs: 800, seed: 1 };

/**
 * True while no rule is broken: each history is played once for all rules; only after a break is each rule played for itself and reports its
 * shortest history.
 */
let isKept: boolean;
beforeAll(() => {
  isKept = firstBreak(RULES, decide, FROM) === null;
});

test.each(RULES.map((rule) => [rule.letter, rule.holds, rule] as const))(
  '%s: given any history, when it is played, then %s',
  (_letter, _holds, rule) => {
    const report = isKept ? null : prove(rule, decide, FROM).report;

    expect(report).toBeNull();
  },
);

test('given a policy that issues each command twice, when a rule is proved, then its report names the command that plays the history again', () => {
  const total = RULES.find(({ letter }) => letter === 'total');
  if (total === undefined) throw new Error('There is no rule "total"');

  const { report } = prove(total, twice, { runs: 200, seed: 5 });

  expect(report).toMatch(/2 commands at once[^]*npm run properties -- --only total --history=-?\d+\/\d+$/u);
});

const twice: Parameters<typeof prove>[1] = (worker, event, ctx) => {
  const decision = decide(worker, event, ctx);
  return { ...decision, commands: [...decision.commands, ...decision.commands] };
};
