/** A machine continues when the policy fails on one of its observations. */
import { newWorker } from '@drover/core';
import type { Machine, WorkerRow } from '@drover/store';
import { WORKER_SETTINGS } from '@drover/protocol/testing';
import { createMemoryStore, MemoryDatabase } from '@drover/store/testing';
import { expect, test } from 'vitest';
import type { Context } from '../../context/context.ts';
import { takeObservations } from './observe.ts';
import { testContext } from '../../testing/context.ts';

test('given an observation on which the policy fails, when it comes, then it is logged, stored and does not come again', async () => {
  const database = new MemoryDatabase();
  const logged: string[] = [];
  const ctx = contextOn(database, logged);
  const machine = await withImpossibleWorker(ctx, database);

  await takeObservations(ctx, machine, {
    agentEpoch: 'e',
    observations: [
      { seq: 1, at: 1, body: { kind: 'result', workerId: 'w', commandId: 'c', seq: 1, result: RECYCLED } },
    ],
  });

  expect(logged).toEqual([expect.stringContaining('The policy failed')]);
  expect(database.observations.size).toBe(1);
  expect(database.machines.get('m')?.storedThrough).toBe(1);
  expect(database.workers.get('w')?.state.lifecycle.status).toBe('lost');
  expect([...database.errors.values()]).toMatchObject([
    { code: 'INTERNAL_ERROR', worker: 'w', machine: 'm', details: expect.stringContaining('lost'), cause: null },
  ]);
});

test('given a batch in which the policy fails on one, when it comes, then the others are decided, and that one alone is set aside', async () => {
  const database = new MemoryDatabase();
  const logged: string[] = [];
  const ctx = contextOn(database, logged);
  const machine = await withImpossibleWorker(ctx, database);
  const unknown = { kind: 'exit', workerId: 'x', exit: EXIT } as const;

  const taken = await takeObservations(ctx, machine, {
    agentEpoch: 'e',
    observations: [
      { seq: 1, at: 1, body: { kind: 'result', workerId: 'w', commandId: 'c', seq: 1, result: RECYCLED } },
      { seq: 2, at: 1, body: unknown },
    ],
  });

  expect(taken).toBe('taken');
  expect(logged).toEqual([expect.stringContaining('The policy failed')]);
  expect([...database.observations.values()]).toMatchObject([{ seq: 1 }]);
  expect([...database.refusedReports.values()]).toMatchObject([{ reason: 'unknown-worker', count: 1 }]);
  expect(database.machines.get('m')?.storedThrough).toBe(2);
});

const EXIT = { incarnation: 'i', status: 0, signal: null, lastLines: [], limit: null, at: 1 } as const;
const RECYCLED = { kind: 'recycled', base: 'a' } as const;

function contextOn(database: MemoryDatabase, logged: string[]): Context {
  return testContext({
    store: createMemoryStore({ database, sleep: () => Promise.resolve(), random: () => 0 }),
    log: (level, message) => void (level === 'error' && logged.push(message)),
  });
}

/** Adds a worker in a state that this build does not know, and whose merge ends: no move leads on. */
async function withImpossibleWorker({ store }: Context, database: MemoryDatabase): Promise<Machine> {
  const config = { copyFiles: [], validate: [], validateTimeoutMs: 1, runHooks: false, preamble: '' };
  await store.upsertProject({ id: 'p', name: 'p', source: '', root: '', defaultBranch: 'main', config }, 1);
  await store.createJoinToken({ sha256: 't', expiresAt: 10, now: 1 });
  await store.joinMachine({ id: 'm', name: 'm', publicKey: 'k', tokenSha256: 't', now: 1 });
  const machine = database.machines.get('m');
  if (machine === undefined) throw new Error('The machine did not join');
  database.machines.set('m', { ...machine, agentEpoch: 'e' });
  const blank = newWorker();
  const recycle = { kind: 'recycle', commit: 'a', head: 'c' } as const;
  const state: WorkerRow['state'] = {
    ...blank,
    lifecycle: { ...blank.lifecycle, status: 'lost' as 'idle' },
    merge: {
      ...blank.merge,
      step: {
        kind: 'recycling',
        accept: { pin: { head: 'c', tree: null }, nothing: false, since: 1, runs: [], red: null, maybe: null },
        done: { how: 'published', commit: 'a' },
      },
    },
    command: { ...blank.command, inFlight: { seq: 1, command: recycle, since: 1, dueAt: 2, overdue: 0 } },
  };
  const options: WorkerRow['options'] = {
    profile: 'claude',
    model: null,
    rolePrompt: '',
    skipPermissions: false,
    allowedTools: [],
    excludedFromPool: false,
    sessionWidth: 80,
    sessionHeight: 24,
  };
  const command = {
    id: 'c',
    machineId: 'm',
    workerId: 'w',
    body: { kind: 'command' as const, seq: 1, command: recycle },
    settings: WORKER_SETTINGS,
  };
  await store.transaction(async (tx) => {
    await tx.insertWorker({ id: 'w', projectId: 'p', machineId: 'm', name: 'w', options, state, createdAt: 1 });
    await tx.insertCommands([{ ...command, timeoutMs: 1 }], 1);
  });
  return machine;
}
