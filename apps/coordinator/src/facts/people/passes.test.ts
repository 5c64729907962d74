/** Lifetime, purpose and use of passes for browsers. */
import { randomUUID } from 'node:crypto';
import { createMemoryStore, MemoryDatabase } from '@drover/store/testing';
import { expect, test } from 'vitest';
import { testContext } from '../../testing/context.ts';
import { makePass, readPass, usePass } from './passes.ts';

async function given() {
  const time = { now: 1 };
  const store = createMemoryStore({ database: new MemoryDatabase(), sleep: () => Promise.resolve(), random: () => 0 });
  const ctx = testContext({
    store,
    clock: { now: () => time.now, after: () => () => {} },
    ids: { uuid: () => randomUUID(), secret: () => 'secret' },
  });
  const actor = { id: randomUUID() };
  const token = { ...actor, name: 'ada', role: 'viewer', projectId: null, workerId: null, expiresAt: null } as const;
  await store.transaction((tx) => tx.insertApiToken({ ...token, sha256: 'a'.repeat(64) }, 1));
  return { ctx, time, actor };
}

test.each([
  ['event ticket', 59_999, true],
  ['event ticket', 60_000, false],
  ['sign-in ticket', 29_999, true],
  ['sign-in ticket', 30_000, false],
  ['browser session', 7 * 24 * 3_600_000 - 1, true],
  ['browser session', 7 * 24 * 3_600_000, false],
] as const)('given a pass for %s, when %d ms have gone by, then it is good: %s', async (purpose, laterMs, isGood) => {
  const { ctx, time, actor } = await given();
  const { pass } = makePass(ctx, actor, purpose);

  time.now += laterMs;

  expect((await readPass(ctx, pass, purpose)) !== null).toBe(isGood);
});

test('given a ticket that signs in, when it is shown again, changed, or for another purpose, then it is good once and for that alone', async () => {
  const { ctx, actor } = await given();
  const { pass } = makePass(ctx, actor, 'sign-in ticket');
  const changed = `${pass.startsWith('A') ? 'B' : 'A'}${pass.slice(1)}`;

  expect(await readPass(ctx, pass, 'browser session')).toBeNull();
  expect(await usePass(ctx, changed, 'sign-in ticket')).toBeNull();
  expect(await usePass(ctx, pass, 'sign-in ticket')).toMatchObject(actor);
  expect(await usePass(ctx, pass, 'sign-in ticket')).toBeNull();
});

test('given a signed-in browser, when its token is revoked, then its cookie is worth nothing', async () => {
  const { ctx, actor } = await given();
  const { pass } = makePass(ctx, actor, 'browser session');
  expect(await readPass(ctx, pass, 'browser session')).toMatchObject({ name: 'ada' });

  await ctx.store.transaction((tx) => tx.deleteApiToken(actor.id));

  expect(await readPass(ctx, pass, 'browser session')).toBeNull();
});
