import { expect, test } from 'vitest';
import type { WorkerView } from '@drover/api';
import { workerSeen } from '@drover/api/testing';
import { nextStep, waitingLines } from './next-step.ts';

const worker = (name: string, status: WorkerView['status'], accepting: string | null = null): WorkerView =>
  workerSeen({ name, status, accepting });

test.each([
  ['idle', 'drover start --worker adam'],
  ['needs_review', 'drover review adam'],
  ['needs_input', 'drover attach adam'],
  ['error', 'drover logs adam --pane'],
  ['offline', 'drover up'],
] as const)('given a worker that is %s, when a person asks what to do, then a command is named', (status, command) => {
  expect(nextStep(worker('adam', status))).toContain(command);
});

test.each(['working', 'rejected', 'rebasing'] as const)(
  'given a worker that is %s, when a person asks, then nothing is up to them',
  (status) => {
    expect(nextStep(worker('adam', status))).toBeNull();
  },
);

test('given a fleet, when what waits is listed, then each kind has one line, without what is being merged', () => {
  const fleet = [
    worker('adam', 'needs_review'),
    worker('bea', 'needs_review'),
    worker('carl', 'needs_input'),
    worker('dora', 'needs_review', 'merging'),
    worker('emil', 'working'),
  ];

  expect(waitingLines(fleet)).toEqual([
    'adam, bea wait for a review: drover review adam',
    'carl waits for an answer: drover attach carl',
  ]);
});

test('given work that was handed over as a branch, when a person asks, then they are told what waits, and no review is asked for', () => {
  const offered = { ...worker('adam', 'needs_review'), offered: 'drover/adam-0a1b2c3d' };

  expect(nextStep(offered)).toContain('branch drover/adam-0a1b2c3d waits for people');
  expect(waitingLines([offered])).toEqual([]);
});

test('given work that belongs to a run, when a person asks, then no review of its worker is asked for', () => {
  const held = { ...worker('adam', 'needs_review'), run: 'r1' };

  expect(nextStep(held)).toBeNull();
  expect(waitingLines([held])).toEqual([]);
});

test('given finished work whose commit is not known yet, when a person asks, then its review is asked for', () => {
  const own = { ...worker('adam', 'needs_review'), commit: null };

  expect(nextStep(own)).toContain('drover review adam');
  expect(waitingLines([own])).toHaveLength(1);
});

test('given a worker about whom a question is told, when what waits is listed, then it is not told twice, and no message is offered', () => {
  const fleet = [worker('adam', 'needs_review'), worker('carl', 'needs_input'), worker('emil', 'error')];

  expect(waitingLines(fleet, new Set(['adam', 'carl', 'emil']))).toEqual([
    'adam waits for a review: drover review adam',
  ]);
  expect(nextStep(worker('carl', 'needs_input'), true)).not.toContain('drover message');
});
