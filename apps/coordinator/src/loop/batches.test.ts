/** Observations of one message share a transaction where that is right, and each is taken once. */
import type { Observation } from '@drover/protocol';
import { expect, test } from 'vitest';
import { BATCH_MAX, batches } from './batches.ts';

const READING = { at: 1, state: { kind: 'starting' }, fingerprint: 'f', progress: 'p', rule: 'r' } as const;

function screen(seq: number, workerId: string): Observation {
  return { seq, at: 1, body: { kind: 'screen', workerId, incarnation: 'i', reading: READING } };
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
