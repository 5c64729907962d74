// Checks that a lost, a doubled and an unmerged task are told apart from one that ended as promised.
import { expect, test } from 'vitest';
import type { WitnessLine } from '../../fleet/witness.ts';
import { count, wordsOf, type Ended } from './count.ts';

const done = (task: number): Ended => ({ task, kind: 'done', why: '' });
const taken = (task: number, note = ''): WitnessLine => ({
  t: 1,
  pid: 1,
  event: 'taken',
  prompt: `${note}Do ${wordsOf(task)}.\nCOMMIT ${wordsOf(task)}`,
});
const CUT_OFF = 'Note: the session was cut off in the middle. ';

test('given a task that was taken, cut off, given again with a note and merged, when it is counted, then nothing is wrong', () => {
  const witness = [taken(1), taken(1, CUT_OFF)];

  const counts = count(1, [done(1)], { witness, subjects: [wordsOf(1), 'first'] });

  expect(counts).toEqual({ done: 1, told: 0, refused: 0, restored: 1, problems: [] });
});

test.each<[string, readonly WitnessLine[], readonly string[], RegExp]>([
  ['taken twice without a note', [taken(1), taken(1)], [wordsOf(1)], /taken 2 times/u],
  ['merged twice', [taken(1)], [wordsOf(1), wordsOf(1)], /merged 2 times/u],
  ['never taken', [], [wordsOf(1)], /no agent ever took it/u],
  ['not in the default branch', [taken(1)], ['first'], /not in the default branch/u],
])(
  'given a task that is done and was %s, when it is counted, then that alone is said',
  (_, witness, subjects, wrong) => {
    expect(count(1, [done(1)], { witness, subjects }).problems).toEqual([expect.stringMatching(wrong)]);
  },
);

test.each<[string, number, readonly Ended[], RegExp]>([
  ['was lost', 2, [done(1), { task: 2, kind: 'lost', why: 'it is working' }], /task 000002 was lost: it is working/u],
  ['has no end', 2, [done(1)], /1 tasks have no end/u],
  ['was refused, and no other was given', 1, [{ task: 1, kind: 'refused', why: 'busy' }], /nothing was done/u],
])('given a task that %s, when it is counted, then that alone is said', (_, given, ended, wrong) => {
  const counts = count(given, ended, { witness: [taken(1)], subjects: [wordsOf(1)] });

  expect(counts.problems).toEqual([expect.stringMatching(wrong)]);
});
