/** A reviewer that a spent budget interrupts: what it is told when there is room again. */
import { expect, test } from 'vitest';
import { CHANGE, flowOf, NO_BUDGET, Teller } from './teller.ts';

/** Interrupts the reviewer, which hands back; the budget has room at once. */
function interrupted(flow = CHANGE): Teller {
  const story = new Teller(flowOf(flow)).placed('build').does('build').checked('check').placed('review');
  const workerId = story.item('review').worker?.workerId ?? '?';
  story.tell({ kind: 'budget-told', workerId, uses: [{ scope: 'day', share: 1.05, words: '105 of 100 tokens' }] });
  return story.does('review', { verdict: 'approve' }).pinned('review');
}

test('given its conversation, when the budget has room again, then it is told to go on, without the text that it has', () => {
  const next = interrupted().asked('send', 'review')?.text;

  expect(next).toMatch(/^A budget was spent/u);
  expect(next).not.toContain('git diff');
});

test('given that its machine is revoked, when another one has the review, then it gets the whole text, and is not told to go on', () => {
  const story = interrupted().placed('review');
  const workerId = story.item('review').worker?.workerId ?? '?';

  story.tell({ kind: 'machine-changed', workerId, isAway: true, isGone: true });

  const text = story.asked('start', 'review')?.text;
  expect(text).toMatch(/^Review it[^]*git diff/u);
  expect(text).not.toContain('A budget was spent');
});

test('given that nobody could finish the review, when a person sends the work back, then the next review begins with its own text alone', () => {
  const [build, check, review, merge] = CHANGE;
  if (build === undefined || check === undefined || review === undefined || merge === undefined)
    throw new Error('flow');
  const gate = { kind: 'gate', name: 'go', of: 'build', who: 'operator', budget: NO_BUDGET } as const;
  const story = interrupted([build, check, review, gate, merge]).placed('review');
  const fails = { kind: 'no-result', commit: null, problem: 'none' } as const;
  story.ends('review', fails).placed('review').ends('review', fails);
  expect(story.stage('review')).toBe('skipped');

  story.answers('revise', { words: 'Shorter.' }).placed('build').does('build').checked('check');

  const text = story.asked('start', 'review')?.text;
  expect(text).toMatch(/git diff base\.{3}c[^1]/u);
  expect(text).not.toContain('A budget was spent');
});
