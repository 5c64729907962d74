/** Tests what a person reads before a yes to a plan. */
import { expect, test } from 'vitest';
import { flowOf, MINUTE, part, SPLIT, Teller } from './teller.ts';
import type { Part } from '../result.ts';

const BUILD = SPLIT.map((stage) =>
  stage.kind === 'each' ? { ...stage, budget: { ...stage.budget, timeMs: 90 * MINUTE } } : stage,
);

function card(parts: readonly Part[], budget: Parameters<typeof flowOf>[1]): string {
  const story = new Teller(flowOf(BUILD, budget)).placed('plan').pass(20 * MINUTE);
  story.tell({ kind: 'account-changed', account: 'a9', isLimited: true, until: story.now + 25 * MINUTE });
  story.tell({ kind: 'account-changed', account: 'a8', isLimited: true, until: null });
  return story.does('plan', { parts }).question()?.text ?? '';
}

const APART = [part('A', ['a']), part('B', ['b']), part('C', ['c'])];

test('given parts that touch different files, when they are more than the workers, then the estimate counts what goes at a time', () => {
  expect(card(APART, { workers: 2 })).toContain(
    'Start these 3 parts, 2 at a time?\nEstimate: 2 rounds of work; the budget of "build" is 1 h 30 min.',
  );
  expect(card(APART, { workers: 4 })).toContain('Estimate: one round of work');
});

test('given parts that overlap, when there are workers enough, then the estimate counts the longest chain', () => {
  const chain = [part('A', ['src']), part('B', ['src/b']), part('C', ['src/b/c']), part('D', ['docs'])];
  expect(card(chain, { workers: 4 })).toContain('Estimate: 3 rounds of work');
});

test('given a budget, when a part of it is spent, then the card says what is left, and what no program has told', () => {
  const text = card(APART, { timeMs: 360 * MINUTE, tokens: 4_000_000 });
  expect(text).toContain('Left of the budget: 5 h 40 min, 4000000 tokens (none told yet).');
  expect(card(APART, {})).not.toContain('Left of the budget');
});

test('given limited accounts, when the plan is shown, then they are named; others count neither way', () => {
  const text = card(APART, {});
  expect(text).toContain('The account a9 is limited for 25 min more: its workers begin later.');
  expect(text).toContain('The account a8 is limited: its workers begin later.');
  expect(text).not.toContain('a1');
});
