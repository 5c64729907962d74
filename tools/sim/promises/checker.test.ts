// Does the checker see a broken promise? Each is broken on purpose here.
import { DEFAULT_POLICY, newWorker } from '@drover/core';
import type { Accept, Worker } from '@drover/core';
import { MemoryDatabase, workerOptions } from '@drover/store/testing';
import { expect, test } from 'vitest';
import { Checker } from './checker.ts';
import { Tally } from '../runs/tally.ts';

const NEW = newWorker();

test.each<[string, Partial<Worker>, string]>([
  ['works and has no deadline', { lifecycle: { ...NEW.lifecycle, status: 'working' } }, 'R1'],
  ['crashed once more than the budget allows', { session: { ...NEW.session, crashes: { count: 4, lastAt: 0 } } }, 'R2'],
  ['has a deadline that is no due work', { deadlines: { check: 5 } }, 'is not due work'],
  [
    'merges without the lease',
    { lifecycle: { ...NEW.lifecycle, status: 'needs_review' }, merge: { ...NEW.merge, accept: accepted() } },
    'without the lease',
  ],
])('given a worker that %s, when it is committed, then the promise counts as broken', (_what, state, expected) => {
  const { checker, database, tally } = watched();
  const row = { id: 'w', projectId: 'p', machineId: 'm', name: 'w', options: OPTIONS, version: 1, createdAt: 0 };

  database.workers.set('w', {
    ...row,
    updatedAt: 0,
    state: { ...NEW, lifecycle: { ...NEW.lifecycle, status: 'idle' }, ...state },
  });
  checker.committed();

  expect(tally.violation).toContain(expected);
});

test('given work that nobody accepted, when it is merged, then the promise counts as broken', () => {
  const { checker, tally } = watched();
  checker.noteReview('w', 'work-1');

  checker.merged('w', ['work-1']);

  expect(tally.violation).toContain('without an accept');
});

test('given work that came after what was looked at, when it is merged, then the promise counts as broken', () => {
  const { checker, tally } = watched();
  checker.noteReview('w', 'work-1');
  checker.noteAcceptRequest('w');

  checker.merged('w', ['work-1', 'work-2']);

  expect(tally.violation).toContain('work-2 is merged unseen');
});

test('given work that was merged, when it is merged again, then the promise counts as broken', () => {
  const { checker, tally } = watched();
  for (let times = 0; times < 2; times += 1) checker.noteAcceptRequest('w');
  checker.noteReview('w', 'work-1');
  checker.merged('w', ['work-1']);
  expect(tally.violation).toBeNull();

  checker.merged('w', ['work-1']);

  expect(tally.violation).toContain('merged twice');
});

test('given an answer that is repeated, when it gets another reply, then the promise counts as broken', () => {
  const { checker, tally } = watched();
  checker.replied('one', { kind: 'ok', value: 'accepted' });

  checker.replied('one', { kind: 'refused', code: 'changed', message: 'It was asked again' });

  expect(tally.violation).toContain('the answer one was told');
});

const OPTIONS = workerOptions({ profile: 'claude' });

function accepted(): Accept {
  return {
    step: 'candidate',
    pin: { head: 'h', tree: null },
    nothing: false,
    base: null,
    commit: null,
    tree: null,
    moved: 0,
    since: 0,
  };
}

function watched(): { checker: Checker; database: MemoryDatabase; tally: Tally } {
  const database = new MemoryDatabase();
  const tally = new Tally(() => 0, { keepLines: false });
  return {
    database,
    tally,
    checker: new Checker({ database, tally, policy: DEFAULT_POLICY, worksAt: (head) => [head] }),
  };
}
