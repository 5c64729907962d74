import { expect, test } from 'vitest';
import { budgetWords, linesOf, standingOf, startCommand } from './runs.ts';

test('given a goal with a quote and a dollar sign, when the command is written, then a shell reads the same words', () => {
  const command = startCommand('split', { inputs: { goal: `don't $(rm) it`, area: 'a b' }, workers: '3', project: '' });

  expect(command).toBe(String.raw`drover run split 'don'\''t $(rm) it' --set area='a b' --workers 3`);
});

test('given a budget, when it is put into words, then limits and uses that nobody told are not invented', () => {
  const none = { timeMs: null, tokens: null, money: null };

  expect(budgetWords({ limit: { ...none, timeMs: 7_200_000 }, spent: { ...none, timeMs: 60_000 } })).toEqual([
    '1 min of 2 h',
    'tokens not told',
  ]);
  expect(budgetWords({ limit: { ...none, tokens: 9_000 }, spent: { timeMs: 0, tokens: 1_200, money: 0.5 } })).toEqual([
    '0 s',
    '1,200 of 9,000 tokens',
    '$0.50',
  ]);
});

test('given a status of a newer coordinator, when it is drawn, then it looks as if it waits', () => {
  expect(standingOf('constructor')).toBe('waits');
  expect(standingOf('finished')).toBe('passed');
});

test('given lines of a field, when they are read, then empty lines are none', () => {
  expect(linesOf(' src/a.ts \n\n docs')).toEqual(['src/a.ts', 'docs']);
});
