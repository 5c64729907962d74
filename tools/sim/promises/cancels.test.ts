// Checks that the check of cancelled tasks sees each promise that is broken on purpose here.
import { newWorker } from '@drover/core';
import type { Worker } from '@drover/core';
import { MemoryDatabase } from '@drover/store/testing';
import { expect, test } from 'vitest';
import { Tally } from '../runs/tally.ts';
import { CancelChecks } from './cancels.ts';

const NEW = newWorker();
const DELIVER = {
  kind: 'deliver',
  text: 'please do #1#',
  incarnation: '1.1.%1.1',
  purpose: 'task',
  method: 'profile',
  mayQueue: false,
} as const;

/** A worker whose task with the words #1# was cancelled after command 3. */
function cancelled() {
  const database = new MemoryDatabase();
  const tally = new Tally(() => 0, { keepLines: false });
  const checks = new CancelChecks(tally, database);
  const task = (id: string) => database.tasks.set(id, { id, prompt: 'please do #1#' } as never);
  task('t');
  database.workers.set('w', { id: 'w', state: { ...NEW, command: { ...NEW.command, seq: 3 } } } as never);
  const event = { kind: 'cancel-requested', id: 'c', task: 't', by: 'ana' } as const;
  checks.noteEvent({ workerId: 'w', event, reply: { kind: 'accepted' }, statusBefore: 'working' });
  const row = (change: Partial<Worker>) => checks.checkRow({ id: 'w', name: 'w', state: { ...NEW, ...change } });
  return { tally, row, task };
}

function typing(seq: number): Pick<Worker, 'command'> {
  return { command: { ...NEW.command, seq, inFlight: { seq, command: DELIVER, startedAt: 0 } as never } };
}

function inHand(id: string): Pick<Worker, 'task'> {
  return { task: { kind: 'in-hand', id } as never };
}

test('given words that were being typed when their task was cancelled, then no promise is broken', () => {
  const { tally, row } = cancelled();

  row(typing(3));

  expect(tally.violation).toBeNull();
});

test('given words of a task that was cancelled, when they are typed afterwards, then the promise counts as broken', () => {
  const { tally, row } = cancelled();

  row(typing(4));

  expect(tally.violation).toContain('#1# is typed, and its task was cancelled');
});

test('given the same words in another task, when they are typed, then no promise is broken', () => {
  const { tally, row, task } = cancelled();
  task('again');

  row({ ...typing(4), ...inHand('again') });

  expect(tally.violation).toBeNull();
});

test('given a task that was cancelled, when a worker has it in hand, then the promise counts as broken', () => {
  const { tally, row } = cancelled();

  row(inHand('t'));

  expect(tally.violation).toContain('has a task in hand that was cancelled');
});
