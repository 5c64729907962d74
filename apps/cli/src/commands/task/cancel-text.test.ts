import { expect, test } from 'vitest';
import { workerSeen } from '@drover/api/testing';
import { cancelText } from './cancel-text.ts';

const CANCELLED = { task: '1', title: 'mend the pump', again: false, by: 'ana', at: 0, checkpoint: 'c1' } as const;
const at = { now: 180_000 };

test('given a task that was cancelled, when that is told, then it is said where its work is', () => {
  const worker = workerSeen({ name: 'adam', branch: 'drover/adam' });

  expect(cancelText({ ...CANCELLED, worker }, at)).toBe(
    [
      'Cancelled "mend the pump" of adam.',
      'Its commits are on the branch drover/adam until the next task of adam, which sets them aside; changed files are saved too ("drover worker checkpoint adam").',
    ].join('\n'),
  );
});

test('given one that somebody had cancelled before, when that is told, then who did, and when', () => {
  const text = cancelText({ ...CANCELLED, again: true, worker: workerSeen({ name: 'adam' }) }, at);

  expect(text).toContain('"mend the pump" of adam was already cancelled by ana 3m ago.');
});

test('given a machine that is silent, when that is told, then it is said when the agent stops', () => {
  const worker = workerSeen({ name: 'adam', machine: 'box', machineState: 'disconnected', stopping: true });

  expect(cancelText({ ...CANCELLED, worker }, at)).toContain(
    'Its machine box is silent: Drover stops its agent when the machine reports again.',
  );
});

test('given an item of the work queue, when that is told, then no worker had begun it', () => {
  expect(cancelText({ ...CANCELLED, worker: null, checkpoint: null }, at)).toBe(
    'Cancelled "mend the pump". It was in the work queue: no worker had started it.',
  );
});
