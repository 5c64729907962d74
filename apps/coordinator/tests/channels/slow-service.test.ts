/** A bot whose chat service is slow keeps its work: no other process shows the same cards. */
import { expect, test } from 'vitest';
import { Waiters } from '../../src/context/waiters.ts';
import { channelWork, reportDelivery } from '../../src/use-cases/channels/work.ts';
import { called } from '../support/calls.ts';
import { inMemory } from '../support/scene.ts';

const SLACK = { channel: 'slack' } as Parameters<typeof channelWork>[1];

test('given a bot that reports a card every five seconds, when another process asks for work all the while, then it gets none', async () => {
  await using scene = await called(inMemory, {});
  const { ctx, nature } = scene;
  const workOf = (holder: string) =>
    channelWork(ctx, SLACK, { holder, waitMs: 0, events: new Waiters(), signal: AbortSignal.abort() });
  const first = await workOf('first');
  const [given] = first.kind === 'work' ? first.deliveries : [];
  if (given === undefined) throw new Error('The first process got no work');
  const [escalation] = await ctx.store.listEscalations({ limit: 1 });

  nature.now += 5_000;
  const report = { kind: 'shown', address: given.address, holder: 'first', version: 1, ref: '1', pings: 1 } as const;
  const kept = await reportDelivery(ctx, SLACK, { escalation: escalation?.id ?? '', report });
  await ctx.store.transaction(async (tx) => {
    await tx.wantDelivery(escalation?.id ?? '', { channel: 'slack', address: given.address }, { now: nature.now });
  });
  nature.now += 5_000;

  expect(kept.kind).toBe('ok');
  expect((await workOf('second')).kind).not.toBe('work');
  expect((await workOf('first')).kind).toBe('work');
});
