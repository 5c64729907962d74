import type { Actor } from '@drover/api';
import { createMemoryStore, MemoryDatabase } from '@drover/store/testing';
import { expect, test } from 'vitest';
import { drainDueWork } from '../../due/drain.ts';
import { testContext } from '../../testing/context.ts';
import { Waiters } from '../../context/waiters.ts';
import { createDoctorFleet } from './doctor.ts';
import { examineDueWork } from './due-work.ts';

const ADA: Actor = { kind: 'person', id: 'ada', name: 'ada', role: 'admin', project: null, worker: null };

/** Parts without a project, so that no worker has settings. */
const PARTS = {
  commands: new Waiters(),
  defaults: () => {
    throw new Error('There is no project');
  },
};

/** A row whose payload no build can parse. */
const POISON = { kind: 'worker-deadline', key: 'w:check', dueAt: 1, payload: { not: 'a deadline' } } as const;
const MINUTE = 60_000;

test('given work that fails each time, when an hour has passed, then it was tried a few times, and the doctor names it and why', async () => {
  const database = new MemoryDatabase();
  const store = createMemoryStore({ database, sleep: () => Promise.resolve(), random: () => 0 });
  const ctx = testContext({ store, log: () => {} });
  const start = ctx.clock.now();
  let now = start;
  const moving = { ...ctx, clock: { ...ctx.clock, now: () => now } };
  await store.transaction((tx) => tx.schedule([POISON]));
  expect(await examineDueWork(moving)).toMatchObject([{ level: 'ok' }]);

  let tries = 0;
  for (; now < start + 60 * MINUTE; now += 1_000) tries += await drainDueWork(moving);

  expect(tries).toBe(11);
  expect(await examineDueWork(moving)).toMatchObject([
    {
      check: 'due-work',
      about: 'worker-deadline w:check',
      level: 'problem',
      says: expect.stringContaining('workerId'),
    },
  ]);
  const { findings } = await createDoctorFleet(moving, PARTS).diagnose(ADA);
  expect(findings.filter(({ check }) => check === 'due-work')).toMatchObject([{ about: 'worker-deadline w:check' }]);
});
