/** Every rule that a decision names has words for people. */
import { expect, test } from 'vitest';
import { decide } from '../decide.ts';
import { play } from '../testing/history.ts';
import { RULE_WORDS, tellRule } from './rules.ts';

const ROWS = Object.entries(RULE_WORDS);
const FAMILIES = ROWS.filter(([name]) => /[:-]$/.test(name));

/** Histories that are played; together they name nearly every rule. */
const HISTORIES = 300;

test.each(ROWS)('given the rule "%s", when it is told, then it has words of its own', (name, words) => {
  expect(tellRule(name)).toBe(words);
  expect(words).toMatch(/^\S.*[^\s.]$/u);
});

test.each(FAMILIES)(
  'given a rule of the family "%s", when it is told, then the family has the words',
  (name, words) => {
    expect(tellRule(`${name}nothing-of-this-name`)).toBe(words);
  },
);

test.each([
  ['dialog:allow', RULE_WORDS['dialog:allow']],
  ['dialog:trust', RULE_WORDS['dialog:']],
  ['lost:rung-2', RULE_WORDS['lost:rung-']],
  ['account:probe', RULE_WORDS['account:probe']],
  ['command:rebase', RULE_WORDS['command:']],
])('given "%s", when it is told, then the name that fits best has the words', (name, words) => {
  expect(tellRule(name)).toBe(words);
});

test.each(['', 'of-another-build', 'accepted', 'opened:again', 'lost:', 'constructor'])(
  'given "%s", when it is told, then it has no words: no rule has this name, and no family begins so',
  (name) => {
    expect(tellRule(name)).toBeNull();
  },
);

test('given histories, when they are played, then each rule that is named has words', () => {
  const named = new Set<string>();
  for (let seed = 0; seed < HISTORIES; seed += 1)
    play(
      decide,
      ({ decision }) => {
        for (const name of decision.rules) named.add(name);
        return null;
      },
      { seed, length: 120 },
    );

  expect([...named].filter((name) => tellRule(name) === null)).toEqual([]);
  // Too few names would prove nothing.
  expect(named.size).toBeGreaterThan(100);
});
