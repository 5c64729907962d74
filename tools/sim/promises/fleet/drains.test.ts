// Checks that the checker of drains sees a drain that ends too early, or says nothing. Each is broken on purpose here.
import { newWorker } from '@drover/core';
import { MemoryDatabase, workerOptions } from '@drover/store/testing';
import type { Drain } from '@drover/store';
import { expect, test } from 'vitest';
import { Tally } from '../../runs/tally.ts';
import { DrainChecks } from './drains.ts';

const BEGUN: Drain = { id: 'd', since: 0, deadline: null, doneAt: null, waits: {} };

test.each<[string, Partial<Drain>, string | null]>([
  ['says what its worker waits for', { waits: { w: 'is at its task' } }, null],
  ['says nothing of its worker', {}, 'does not say what w waits for'],
  ['is over', { doneAt: 60_000, waits: { w: 'is at its task' } }, 'is over, and w is there'],
])('given a drain that %s, when its step is stored, then it is held against it', (_what, step, said) => {
  const database = new MemoryDatabase();
  const tally = new Tally(() => 0, { keepLines: false });
  const checks = new DrainChecks({ database, tally, now: () => 60_000 });
  const ids = { id: 'w', projectId: 'p', machineId: 'm', name: 'w' };
  const times = { version: 1, createdAt: 0, updatedAt: 0 };
  const state = newWorker();
  const lifecycle = { ...state.lifecycle, wanted: 'up' as const };
  database.workers.set('w', { ...ids, ...times, options: workerOptions(), state: { ...state, lifecycle } });

  for (const drain of [BEGUN, { ...BEGUN, ...step }]) {
    database.machines.set('m', { id: 'm', name: 'm', cordon: { since: 0, by: 'mia', drain } } as never);
    checks.committed();
  }

  expect(tally.violation).toEqual(said === null ? null : expect.stringContaining(said));
});
