/** Lifetime of a ticket for a stream of events. */
import { randomUUID } from 'node:crypto';
import { createMemoryStore, MemoryDatabase } from '@drover/store/testing';
import { expect, test } from 'vitest';
import { StartToken } from '../../start/start-token.ts';
import { testContext } from '../../testing/context.ts';
import { actorOf } from '../../facts/people/actor.ts';
import { makeTicket, useTicket } from './ticket.ts';

test.each([
  ['a moment before its minute is over', 59_999, true],
  ['when its minute is over', 60_000, false],
])('given a ticket, when it is used %s, then that opens a stream or nothing', async (_, laterMs, isGood) => {
  const time = { now: 1 };
  const store = createMemoryStore({ database: new MemoryDatabase(), sleep: () => Promise.resolve(), random: () => 0 });
  const ctx = testContext({
    store,
    clock: { now: () => time.now, after: () => () => {} },
    ids: { uuid: () => randomUUID(), secret: () => 'secret' },
  });
  const secret = 's'.repeat(43);
  await StartToken.issue(ctx, { name: 'local', secret, kept: true });
  const actor = await actorOf(ctx, `Bearer ${secret}`);
  const { ticket } = makeTicket(ctx, { id: actor?.id ?? '' });

  time.now += laterMs;

  expect((await useTicket(ctx, ticket)) !== null).toBe(isGood);
});
