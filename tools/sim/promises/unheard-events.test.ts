import type { EventRow } from '@drover/store';
import { expect, test } from 'vitest';
import { UnheardEvents } from './unheard-events.ts';

test('given two decisions of which the later one is committed first, when events are read after each commit, then both are heard, once', () => {
  const events = new Map<number, EventRow>();
  const unheard = new UnheardEvents();
  const commit = (id: number): readonly number[] => {
    events.set(id, { id } as EventRow);
    return [...unheard.read(events)].map((row) => row.id);
  };

  expect([commit(1), commit(3), commit(2), commit(4)]).toEqual([[1], [3], [2], [4]]);
  expect(unheard.newest).toBe(4);
});
