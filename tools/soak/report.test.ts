// Checks that the verdict says what is wrong, and nothing else.
import { expect, test } from 'vitest';
import { verdict, type Row } from './report.ts';

const KEPT: Row = {
  at: '2026-11-22T00:00:00Z',
  ranMs: 1,
  runs: 2,
  counts: { given: 3, done: 1, told: 1, refused: 1, lost: [], doubled: [], unmerged: [], restored: 4 },
  mishaps: [{ mishap: 'agent', at: 1, wellMs: 900 }],
  ownEnds: { agent: 1 },
  codes: [],
  processes: [{ name: 'agent (1)', livedMs: 1, bytes: 1, bytesPerHour: 1, handlesPerHour: 0, leaks: null }],
  stocks: [{ name: 'rows due_work', now: 9, perHour: 0, leaks: false }],
};

test('given a night in which every promise was kept, when it is judged, then nothing is wrong', () => {
  expect(verdict(KEPT)).toEqual([]);
});

test.each<[string, Partial<Row>]>([
  ['a task was lost', { counts: { ...KEPT.counts, told: 0, lost: ['soak task 000001'] } }],
  ['a task was doubled', { counts: { ...KEPT.counts, doubled: ['soak task 000001'] } }],
  ['a task was not merged', { counts: { ...KEPT.counts, unmerged: ['soak task 000001'] } }],
  ['a task has no end', { counts: { ...KEPT.counts, given: 4 } }],
  ['nothing was done', { counts: { ...KEPT.counts, given: 2, done: 0 } }],
  ['a mishap was never over', { mishaps: [{ mishap: 'tmux', at: 1, wellMs: null }] }],
  ['a table grows', { stocks: [{ name: 'rows due_work', now: 9, perHour: 90, leaks: true }] }],
])('given a night in which %s, when it is judged, then that alone is said', (_, patch) => {
  expect(verdict({ ...KEPT, ...patch })).toHaveLength(1);
});
