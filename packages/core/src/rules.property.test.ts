/** Every decision keeps R1 to R8, whatever happens and in any order; `npm run properties` plays more histories. */
import { expect, test } from 'vitest';
import { prove } from './testing/check.ts';
import { RULES } from './testing/rules/index.ts';
import { decide } from './decide.ts';

/** Histories for each rule at every commit, and always the same ones; `npm run properties` draws new ones. */
const FROM = { runs: 1_500, seed: 1 };

test.each(RULES.map((rule) => [rule.letter, rule.holds, rule] as const))(
  '%s: given any history, when it is played, then %s',
  (_letter, _holds, rule) => {
    const { report } = prove(rule, decide, FROM);

    expect(report).toBeNull();
  },
);
