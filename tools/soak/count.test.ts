// Checks that a lost, a doubled and an unmerged task are told apart from one that ended as promised.
import { expect, test } from 'vitest';
import { count, openTasks, wordsOf, type LedgerLine } from './count.ts';

const given = (task: number): LedgerLine => ({ kind: 'given', task, worker: 'w1', requestId: 'o', workMs: 1 });
const done = (task: number): LedgerLine => ({ kind: 'done', task, tookMs: 1 });
const taken = (task: number, note = ''): { event: string; prompt: string } => ({
  event: 'taken',
  prompt: `${note}Do ${wordsOf(task)}.\nCOMMIT ${wordsOf(task)}`,
});
const ending = (task: number): LedgerLine => ({ kind: 'ending', task, why: 'a question' });
const CUT_OFF = 'Note: the session was cut off in the middle. ';

test('given a task that was taken, cut off, given again with a note and merged, when it is counted, then nothing is wrong', () => {
  const counts = count([given(1), done(1)], [taken(1), taken(1, CUT_OFF)], [wordsOf(1), 'first']);

  expect(counts).toEqual({ given: 1, done: 1, told: 0, refused: 0, lost: [], doubled: [], unmerged: [], restored: 1 });
});

test.each<[string, readonly { event: string; prompt: string }[], readonly string[], object]>([
  ['taken twice without a note', [taken(1), taken(1)], [wordsOf(1)], { doubled: [wordsOf(1)] }],
  ['merged twice', [taken(1)], [wordsOf(1), wordsOf(1)], { doubled: [wordsOf(1)] }],
  ['never taken', [], [wordsOf(1)], { lost: [wordsOf(1)] }],
  ['not in the default branch', [taken(1)], ['first'], { unmerged: [wordsOf(1)] }],
])('given a task that is done and was %s, when it is counted, then that is told', (_, witness, subjects, wrong) => {
  expect(count([given(1), done(1)], witness, subjects)).toMatchObject(wrong);
});

test('given a run that was killed, when the next one asks what is open, then it hears of it and of what was about to end', () => {
  const told: LedgerLine = { kind: 'told', task: 3, why: 'a question' };

  const open = openTasks([given(1), done(1), given(2), given(3), ending(3), told, given(4), ending(4)]);

  expect(open).toEqual([
    { ...given(2), ending: null },
    { ...given(4), ending: 'a question' },
  ]);
});
