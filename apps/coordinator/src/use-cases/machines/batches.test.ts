/** Are observations of one message taken together where that is right, and each once? */
import type { Observation } from '@drover/protocol';
import { expect, test, vi } from 'vitest';
import type { StoreTransaction } from '@drover/store';
import { BATCH_MAX, batches, remembering } from './batches.ts';

const READING = { at: 1, state: { kind: 'starting' }, fingerprint: 'f', progress: 'p', rule: 'r' } as const;

function screen(seq: number, workerId: string): Observation {
  return { seq, at: 1, body: { kind: 'screen', workerId, incarnation: 'i', look: READING } };
}

function panes(seq: number): Observation {
  return { seq, at: 1, body: { kind: 'panes', panes: [] } };
}

function numbers(found: readonly (readonly Observation[])[]): readonly (readonly number[])[] {
  return found.map((batch) => batch.map(({ seq }) => seq));
}

test('given screens of several workers around a list of panes, when they are split, then the list stays alone and in its place', () => {
  const given = [screen(1, 'b'), screen(2, 'a'), screen(3, 'b'), panes(4), screen(5, 'a')];

  expect(numbers(batches(given))).toEqual([[2, 1, 3], [4], [5]]);
});

test('given more than one transaction should hold, when they are split, then each has as many at most, and none is lost', () => {
  const given = Array.from({ length: 2 * BATCH_MAX + 1 }, (_, index) => screen(index + 1, 'a'));

  const found = numbers(batches(given));

  expect(found.map(({ length }) => length)).toEqual([BATCH_MAX, BATCH_MAX, 1]);
  expect(found.flat()).toEqual(given.map(({ seq }) => seq));
});

test('given a batch, when its decisions read the same project and machine, then the database is asked once, and again after a change', async () => {
  const readMachine = vi.fn<StoreTransaction['readMachine']>(async () => null);
  const readProject = vi.fn<StoreTransaction['readProject']>(async () => null);
  const lockProject = vi.fn<StoreTransaction['lockProject']>(async () => null);
  const tx = remembering({ readMachine, readProject, lockProject } as unknown as StoreTransaction);

  for (const id of ['p', 'p', 'q']) await tx.readProject(id);
  await tx.readMachine('m');
  await tx.readMachine('m');
  expect([readProject.mock.calls.length, readMachine.mock.calls.length]).toEqual([2, 1]);

  await tx.lockProject('p');
  await tx.readProject('p');
  await tx.readMachine('m');
  expect([readProject.mock.calls.length, readMachine.mock.calls.length]).toEqual([3, 2]);
});
