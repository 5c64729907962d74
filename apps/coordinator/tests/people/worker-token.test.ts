/** A machine gets tokens of its own workers alone, and a new token revokes the previous one. On a store in memory. */
import { randomUUID } from 'node:crypto';
import { createMemoryStore, MemoryDatabase } from '@drover/store/testing';
import { expect, test } from 'vitest';
import { sha256 } from '../../src/context/sha256.ts';
import { giveWorkerToken } from '../../src/agent/worker-token.ts';
import { contextOf, Nature, withWorkers } from '../support/scene.ts';

test('given a worker, when its machine asks twice, then the second token alone speaks for this worker', async () => {
  const { ctx, worker, tokens } = await scene();

  const first = await giveWorkerToken(ctx, { id: worker.machineId }, { workerId: worker.id });
  const second = await giveWorkerToken(ctx, { id: worker.machineId }, { workerId: worker.id });

  expect([first, second]).toEqual(tokens.map((token) => ({ kind: 'ok', value: { token } })));
  expect(await ctx.store.apiTokenBySha256(sha256('token-1'))).toBeNull();
  expect(await ctx.store.apiTokenBySha256(sha256('token-2'))).toMatchObject({ role: 'worker', workerId: worker.id });
});

test('given a worker of another machine, or none, when a machine asks, then it gets nothing and the token of before holds', async () => {
  const { ctx, worker } = await scene();
  await giveWorkerToken(ctx, { id: worker.machineId }, { workerId: worker.id });

  const foreign = await giveWorkerToken(ctx, { id: randomUUID() }, { workerId: worker.id });
  const nobody = await giveWorkerToken(ctx, { id: worker.machineId }, { workerId: randomUUID() });

  expect([foreign, nobody]).toMatchObject([
    { kind: 'refused', status: 404, error: { code: 'unknown-worker' } },
    { kind: 'refused', status: 404, error: { code: 'unknown-worker' } },
  ]);
  expect(await ctx.store.apiTokenBySha256(sha256('token-1'))).not.toBeNull();
});

async function scene() {
  const store = createMemoryStore({ database: new MemoryDatabase(), sleep: () => Promise.resolve(), random: () => 0 });
  const plain = contextOf(store, new Nature());
  const tokens = ['token-1', 'token-2'];
  const left = tokens.values();
  const ctx = { ...plain, ids: { ...plain.ids, uuid: () => plain.ids.uuid(), secret: () => left.next().value ?? '' } };
  const [worker] = await withWorkers(ctx, ['ada']);
  if (worker === undefined) throw new Error('no worker');
  return { ctx, worker, tokens };
}
