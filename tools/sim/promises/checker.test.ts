// Checks that the checker sees each promise that is broken on purpose here.
import { ackOncall, beginOncall, DEFAULT_ONCALL, newWorker } from '@drover/core';
import type { Accept, MergeStep, Train, Worker } from '@drover/core';
import { workerOptions } from '@drover/store/testing';
import { expect, test } from 'vitest';
import type { CheckRun } from '../machine/parts.ts';
import { watched } from './watched.ts';

const NEW = newWorker();
const TRAIN: Train = {
  conductor: { id: 'w', name: 'w' },
  members: [{ id: 'v', name: 'v', pin: { head: 'h', tree: null } }],
};
const ACCEPT: Accept = { pin: { head: 'h', tree: null }, nothing: false, since: 0, runs: [], red: null, maybe: null };
const BUILDING: MergeStep = { kind: 'building', accept: ACCEPT, moved: 0, on: null, train: null };
const FAILED: CheckRun = { isPassed: false, tree: 'main w', before: 'main', worker: 'w' };
const OF_W = { workerId: 'w', workerName: 'w' } as const;
const PASSED: CheckRun = { isPassed: true, tree: 'main', before: null, worker: undefined };

test.each<[string, Partial<Worker>, string]>([
  ['works and has no deadline', { lifecycle: { ...NEW.lifecycle, status: 'working' } }, 'R1'],
  ['crashed once more than the budget allows', { session: { ...NEW.session, crashes: { count: 4, lastAt: 0 } } }, 'R2'],
  ['has a deadline that is no due work', { deadlines: { check: 5 } }, 'is not due work'],
  [
    'merges without the lease',
    { lifecycle: { ...NEW.lifecycle, status: 'needs_review' }, merge: { ...NEW.merge, step: BUILDING } },
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

test('given work that no person accepted, when it is merged, then the promise counts as broken', () => {
  const { checker, tally } = watched();
  checker.merges.noteReview('w', 'work-1');

  checker.merged('w', { works: ['work-1'], tree: 'checked', projectId: 'p' });

  expect(tally.violation).toContain('without an accept');
});

test('given work that came after what was looked at, when it is merged, then the promise counts as broken', () => {
  const { checker, tally } = watched();
  checker.merges.noteReview('w', 'work-1');
  checker.merges.noteAcceptRequest('w');

  checker.merged('w', { works: ['work-1', 'work-2'], tree: 'checked', projectId: 'p' });

  expect(tally.violation).toContain('work-2 is merged unseen');
});

test('given work that was merged, when it is merged again, then the promise counts as broken', () => {
  const { checker, tally } = watched();
  for (let times = 0; times < 2; times += 1) checker.merges.noteAcceptRequest('w');
  checker.merges.noteReview('w', 'work-1');
  checker.merged('w', { works: ['work-1'], tree: 'checked', projectId: 'p' });
  expect(tally.violation).toBeNull();

  checker.merged('w', { works: ['work-1'], tree: 'checked', projectId: 'p' });

  expect(tally.violation).toContain('merged twice');
});

test('given files on which no checks passed, when they are merged, then the promise counts as broken', () => {
  const { checker, tally } = watched();
  checker.merges.noteAcceptRequest('w');
  checker.merges.noteReview('w', 'work-1');

  checker.merged('w', { works: ['work-1'], tree: 'others', projectId: 'p' });

  expect(tally.violation).toContain('no checks passed on');
});

test('given a default branch that leaves where it was, when it has moved, then the promise counts as broken', () => {
  const { checker, tally } = watched();
  checker.merges.mainMoved('kept', 'p');
  expect(tally.violation).toBeNull();

  checker.merges.mainMoved('lost', 'p');

  expect(tally.violation).toContain('does not contain lost any more');
});

test('given a place that is made fresh with work that is nowhere else, then the promise counts as broken', () => {
  const { checker, tally } = watched();
  checker.madeFresh('w', ['work-1']);
  expect(tally.violation).toBeNull();

  checker.madeFresh('w', ['work-1', 'work-2']);

  expect(tally.violation).toContain('nothing has work-2');
});

test('given an accept that builds on what main never was, when it is committed, then the promise counts as broken', () => {
  const { checker, tally } = watched();
  const row = { id: 'w', name: 'w', projectId: 'p', machineId: 'm', options: OPTIONS, version: 1, createdAt: 0 };
  const own = { base: 'lost', commit: 'c', tree: 't', checks: 'make' };
  const chained = { accept: ACCEPT, moved: 0, on: null, own, train: null, prefix: 1 };
  const step: MergeStep = { kind: 'checking', ...chained, tip: { head: 'c', tree: 't' } };
  const state = { ...NEW, merge: { ...NEW.merge, step } };

  checker.merges.checkRow({ ...row, updatedAt: 0, state }, { before: undefined, workers: new Map() });

  expect(tally.violation).toContain('builds on lost');
});

test.each([
  ['whose commit is not in the default branch', { how: 'published', commit: 'lost' } as const, 'does not contain lost'],
  ['with nothing merged', { how: 'nothing', commit: 'b' } as const, 'no person said so'],
])('given an accept %s, when it ends as accepted, then the promise counts as broken', (_what, done, said) => {
  const { checker, database, tally } = watched();
  const merging = { ...NEW.merge, step: { kind: 'recycling', accept: ACCEPT, done } as const };
  for (const merge of [merging, NEW.merge]) {
    const row = { id: 'w', name: 'w', projectId: 'p', machineId: 'm', options: OPTIONS, version: 1, createdAt: 0 };
    const lifecycle = { ...NEW.lifecycle, status: 'idle' as const };
    database.projects.set('p', { mergeWorkerId: 'w' } as never);
    database.workers.set('w', { ...row, updatedAt: 0, state: { ...NEW, lifecycle, merge } });
    checker.committed();
  }

  expect(tally.violation).toContain(said);
});

test.each<[string, readonly CheckRun[]]>([
  ['one run that failed', [PASSED, FAILED]],
  ['nothing that passed before it', [FAILED, FAILED]],
  ['runs that failed on the work of another', [PASSED, { ...FAILED, worker: 'v' }, { ...FAILED, worker: 'v' }]],
])('given %s, when work is sent back for it, then the promise counts as broken (G12)', (_what, runs) => {
  const { checker, tally } = watched();
  for (const run of runs) checker.checked(run);

  checker.merges.checkBlame({ ...OF_W, rules: ['train:blame'] }, undefined);

  expect(tally.violation).toContain('blamed without two runs');
});

test('given two runs that failed and one that passed before, when work is sent back for it, then the promise is kept', () => {
  const { checker, tally } = watched();
  for (const run of [PASSED, FAILED, FAILED]) checker.checked(run);

  checker.merges.checkBlame({ ...OF_W, rules: ['train:culprit'] }, undefined);

  expect(tally.violation).toBeNull();
});

test.each([
  ['that has moved and never passed', 'main', 'begun', 'never passed'],
  ['that passes', 'checked', 'begun', null],
  ['on which it was begun', 'main', 'main', null],
])(
  'given new work that fails on a default branch %s, when it is sent back, then the promise is judged (G12)',
  (_what, base, began, said) => {
    const { checker, tally } = watched();
    const candidate = { kind: 'clash', head: 'h', base, files: [] } as const;
    const worktree = { ...NEW.worktree, place: { kind: 'ready', base: began } as const };
    const state = { ...NEW, worktree, merge: { ...NEW.merge, candidate } };

    checker.merges.checkBlame({ ...OF_W, rules: ['review:invalid'] }, { state });

    expect(tally.violation).toEqual(said === null ? null : expect.stringContaining(said));
  },
);

test.each([
  ['main', 'never passed'],
  ['checked', null],
])(
  'given work that fails on "%s", when its task ends with that, then it is judged by that branch (G12)',
  (base, said) => {
    const { checker, tally } = watched();
    const row = { id: 'w', name: 'w', projectId: 'p', machineId: 'm', options: OPTIONS, version: 1, createdAt: 0 };
    const state = {
      ...NEW,
      merge: { ...NEW.merge, candidate: { kind: 'clash', head: 'h', base, files: [] } as const },
    };
    checker.merges.checkRow({ ...row, updatedAt: 0, state }, { before: undefined, workers: new Map() });

    checker.merges.checkBlame({ ...OF_W, rules: ['review:invalid'] }, { state: NEW });

    expect(tally.violation).toEqual(said === null ? null : expect.stringContaining(said));
  },
);

test.each<[string, MergeStep, string]>([
  [
    'is aboard of nobody',
    { kind: 'aboard', accept: ACCEPT, conductor: { id: 'v', name: 'v', place: 2, of: 2 } },
    'aboard of no train',
  ],
  ['conducts one who goes by itself', { ...BUILDING, train: TRAIN }, 'who is not aboard'],
])('given a worker that %s, when it is committed, then the promise counts as broken', (_what, step, said) => {
  const { checker, database, tally } = watched();
  const lifecycle = { ...NEW.lifecycle, status: 'needs_review' as const };
  const merge = { ...NEW.merge, step };
  const row = { id: 'w', name: 'w', projectId: 'p', machineId: 'm', options: OPTIONS, version: 1, createdAt: 0 };

  database.workers.set('w', { ...row, updatedAt: 0, state: { ...NEW, lifecycle, merge } });
  checker.committed();

  expect(tally.violation).toContain(said);
});

test('given an accept that waits, when its time is another, then the promise counts as broken', () => {
  const { checker, database, tally } = watched();
  const lifecycle = { ...NEW.lifecycle, status: 'needs_review' as const };
  const row = { id: 'w', name: 'w', projectId: 'p', machineId: 'm', options: OPTIONS, version: 1, createdAt: 0 };

  for (const since of [1, 2]) {
    const step: MergeStep = { kind: 'waiting', accept: { ...ACCEPT, since }, notBefore: null };
    database.workers.set('w', { ...row, updatedAt: 0, state: { ...NEW, lifecycle, merge: { ...NEW.merge, step } } });
    checker.committed();
  }

  expect(tally.violation).toContain('of another time');
});

test('given an answer that is repeated, when it gets another reply, then the promise counts as broken', () => {
  const { checker, tally } = watched();
  checker.replied('one', { kind: 'ok', value: 'accepted' });

  checker.replied('one', { kind: 'refused', code: 'changed', message: 'It was asked again' });

  expect(tally.violation).toContain('the answer one was told');
});

test('given two answers to one asking, when both are told that they won, then the promise counts as broken (X2)', () => {
  const { checker, tally } = watched();
  checker.replied('one', { kind: 'ok', value: { id: 'e', asked: 1, option: 'a' } });
  checker.replied('other', { kind: 'refused', code: 'already-resolved', message: 'one won' });
  checker.replied('later', { kind: 'ok', value: { id: 'e', asked: 2, option: 'b' } });
  expect(tally.violation).toBeNull();

  checker.replied('another', { kind: 'ok', value: { id: 'e', asked: 1, option: 'b' } });

  expect(tally.violation).toContain('e asked 1: one won, and another too');
});

test.each([
  ['a step to come', 'open', beginOncall(DEFAULT_ONCALL, 0, 0), 'nothing wakes it'],
  ['a reminder to come', 'acked', ackOncall(beginOncall(DEFAULT_ONCALL, 0, 0), 0), 'nothing wakes it'],
  ['no steps at all', 'open', null, 'no plan says when people are called'],
] as const)(
  'given a question with %s, when nothing is armed for it, then the promise counts as broken (X6)',
  (...given) => {
    const [, status, oncall, said] = given;
    const { checker, database, tally } = watched();

    database.escalations.set('e', { id: 'e', status, oncall, severity: 'error', members: [] } as never);
    checker.committed();

    expect(tally.violation).toContain(said);
  },
);

const OPTIONS = workerOptions({ profile: 'claude' });
