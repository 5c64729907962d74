/** Runs that wait: for workers of other runs, for machines, for checks, and for an agent that fails with words in its hands. */
import { expect, test } from 'vitest';
import { spentOf } from '../steps/budgets.ts';
import { checksOf } from '../steps/drive.ts';
import { CHANGE, flowOf, MINUTE, PARTS, SPLIT, Teller } from './teller.ts';

function notPlaced(story: Teller, item: string, why: 'busy' | 'machine'): Teller {
  const { progress } = story.item(item);
  const request = 'request' in progress ? progress.request : '';
  return story.tell({ kind: 'not-placed', request, why, account: null, until: null, text: why });
}

function reviewed(budgetMs: number | null = null): Teller {
  return new Teller(flowOf(CHANGE, { timeMs: budgetMs })).placed('build').does('build').checked('check');
}

test('given a review for which no worker is free, when it has waited for long, then its author is let go: another run may wait for it', () => {
  const story = reviewed();
  expect(story.item('build').worker).not.toBeNull();

  for (let times = 0; times < 5; times += 1) notPlaced(story, 'review', 'busy').pass(MINUTE).ring();

  expect(story.item('build').worker).toBeNull();
  expect(story.count('release')).toBe(1);
});

test('given a machine that is away, when work waits for it all night, then no minute of the budget is spent', () => {
  const story = reviewed(60 * MINUTE);
  const before = spentOf([], story.run.clock, story.now).timeMs;

  notPlaced(story, 'review', 'machine').pass(600 * MINUTE);

  expect(spentOf([], story.run.clock, story.now).timeMs).toBe(before);
});

test('given a stage without an agent, when the mark of a budget passes meanwhile, then no deadline comes again and again', () => {
  const story = new Teller(flowOf(SPLIT, { timeMs: 100 * MINUTE })).placed('plan').does('plan', { parts: PARTS });
  story.answers('start');
  for (const item of ['build/1', 'build/2', 'build/3']) story.placed(item).does(item).checked(item);
  expect(story.item('whole').progress.kind).toBe('joining');

  story.pass(90 * MINUTE).tell({ kind: 'account-changed', account: 'a9', isLimited: false, until: null });

  expect(story.run.clock.runsSince).not.toBeNull();
  expect(story.run.deadlines.budget).toBeUndefined();
});

test("given a person's words for a plan, when the agent that got them fails, then the next one gets them, too", () => {
  const story = new Teller(flowOf(SPLIT)).placed('plan').does('plan', { parts: PARTS });
  story.answers('revise', { words: 'Fewer parts.' }).placed('plan');

  story.ends('plan', { kind: 'no-result', commit: null, problem: 'None.' });

  expect(story.item('plan').attempt).toBe(3);
  expect((story.asked('start', 'plan') ?? story.asked('send', 'plan'))?.text).toContain('Fewer parts.');
});

test("given a part whose plan names checks, when the stage has the project's, then these run and nothing takes their place", () => {
  const [part = null] = PARTS;
  const item = { ...reviewed().item('build'), part: part === null ? null : { ...part, check: ['true'] } };
  const stage = SPLIT.find(({ kind }) => kind === 'each');

  expect(stage === undefined ? null : checksOf({ ...stage, check: [] } as typeof stage, item)).toEqual([]);
});
