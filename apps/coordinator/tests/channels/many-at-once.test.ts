/** Many questions at once ring once at a place, and each has its card with its buttons all the same. */
import type { Actor, BotCall } from '@drover/api';
import { escalation } from '@drover/store/testing';
import { expect, test } from 'vitest';
import { Waiters } from '../../src/context/waiters.ts';
import { channelWork, reportDelivery } from '../../src/use-cases/channels/work.ts';
import type { Context } from '../../src/context/context.ts';
import { person } from '../support/actors.ts';
import { BUNDLE } from '../support/bundle.ts';
import { withPlaces } from '../support/calls.ts';
import { open4, troubled } from '../support/questions.ts';
import { asks, decided, inMemory } from '../support/scene.ts';

const BOT: Actor = { ...person('bot'), kind: 'bot', role: 'responder', channels: ['telegram'] };
const CALL: BotCall = { channel: 'telegram', by: BOT };
const MINUTE = 60_000;

/** Builds `count` questions that are due at one place. */
async function waiting(count: number) {
  const scene = await troubled(inMemory, ['adam']);
  const { ctx, first } = scene;
  const place = { channel: 'telegram', address: '7' };
  await ctx.store.transaction((tx) => tx.savePlace({ ...place, personId: null, projectId: null, createdAt: 1 }));
  for (let at = 1; at <= count; at += 1) {
    const severity = at === 3 ? 'fatal' : 'error';
    const row = escalation(first, { context: { ...BUNDLE }, title: `question ${at}`, severity, createdAt: at });
    await ctx.store.transaction(async (tx) => {
      await tx.openEscalation(row);
      await tx.wantDelivery(row.id, place, { now: at });
    });
  }
  return { ...scene, claim: (holder: string) => claimed(ctx, holder) };
}

/** Claims the deliveries of a bot. */
async function claimed(ctx: Context, holder: string) {
  const work = await channelWork(ctx, CALL, { holder, waitMs: 0, events: new Waiters(), signal: undefined });
  return work.kind === 'work' ? work.deliveries : [];
}

test('given ten questions at once, when a bot asks for work, then each alarms for itself', async () => {
  await using scene = await waiting(10);

  const deliveries = await scene.claim('process-1');

  expect(deliveries.map(({ ping }) => ping)).toEqual(Array.from({ length: 10 }, () => true));
});

test('X5: given questions of a quiet night, when it ends, then one of them alarms for all and names the others; a new one alarms for itself', async () => {
  // The clock of the tests begins at 00:16 on a Thursday in 1970.
  const quiet = { from: 0, to: 60, days: ['thu'], through: 'fatal' } as const;
  const steps = [{ afterMs: 0, notify: ['telegram:7'] }];
  await using scene = await withPlaces(inMemory, ['adam', 'bea', 'cleo', 'dora'], { quiet, steps, repeat: 0 });
  const { ctx, workers, nature, passUnshown } = scene;
  const ask = async (index: number): Promise<void> => {
    const incident = nature.uuid();
    await decided(ctx, workers[index]?.id ?? '', { records: [asks(incident)], patch: open4(incident) });
  };
  for (const index of [0, 1, 2]) await ask(index);
  const night = await claimed(ctx, 'bot');

  await passUnshown(60 * MINUTE - (nature.now % (60 * MINUTE)));
  const tooEarly = await claimed(ctx, 'bot');
  await ask(3);
  nature.now += 3_000;
  const morning = await claimed(ctx, 'bot');

  expect([night, tooEarly]).toEqual([[], []]);
  expect(morning.map(({ card, ping }) => [card.worker, ping])).toEqual([
    ['adam', true],
    ['bea', false],
    ['cleo', false],
    ['dora', true],
  ]);
  expect(morning[0]?.card.body).toContain('2 more questions wait here. They came without a notification:');
});

test('X7: given a question that is answered before its reminder is shown, when a bot asks for work, then its card comes without an alarm', async () => {
  await using scene = await waiting(1);
  const { ctx, claim } = scene;
  const [first] = await claim('process-1');
  const { card, address, pings } = first ?? expect.unreachable('there is one card');
  const report = { kind: 'shown', holder: 'process-1', address, version: card.version, ref: 'card', pings } as const;
  await reportDelivery(ctx, CALL, { escalation: card.escalation, report });
  await ctx.store.transaction(async (tx) => {
    await tx.wantDelivery(card.escalation, { channel: 'telegram', address: '7' }, { now: 2 });
    const row = (await tx.lockEscalation(card.escalation)) ?? expect.unreachable('the question is there');
    await tx.saveEscalation({ ...row, status: 'expired', version: row.version + 1 });
  });

  expect(await claim('process-1')).toMatchObject([{ ping: false, card: { status: 'expired' } }]);
});

test('X5, X6: given more at once, when a bot asks for work and dies, then each has its card, the most severe alarms for all and names them, and nothing alarms again', async () => {
  await using scene = await waiting(30);
  const { ctx, claim, nature } = scene;

  const deliveries = await claim('process-1');
  const half = deliveries.slice(0, 15);
  for (const { address, card, pings } of half) {
    const report = {
      kind: 'shown',
      holder: 'process-1',
      address,
      version: card.version,
      ref: card.shortId,
      pings,
    } as const;
    expect((await reportDelivery(ctx, CALL, { escalation: card.escalation, report })).kind).toBe('ok');
  }
  nature.now += 60_000;
  const rest = await claim('process-2');
  for (const { address, card, pings } of rest) {
    const report = {
      kind: 'shown',
      holder: 'process-2',
      address,
      version: card.version,
      ref: card.shortId,
      pings,
    } as const;
    await reportDelivery(ctx, CALL, { escalation: card.escalation, report });
  }

  expect(deliveries).toHaveLength(30);
  const [loud, ...others] = deliveries.filter(({ ping }) => ping);
  expect(others).toEqual([]);
  expect(loud?.card).toMatchObject({ severity: 'fatal', title: 'question 3' });
  expect(loud?.card.body).toContain('29 more questions wait here. They came without a notification:');
  expect(loud?.card.body).toContain('adam: question 1\n');
  expect(loud?.card.body.length).toBeLessThanOrEqual(1_000);
  expect(deliveries.every(({ card }) => card.options.length > 0)).toBe(true);
  expect(rest).toHaveLength(15);
  expect(rest.filter(({ ping }) => ping)).toHaveLength(1);
  expect(await claim('process-2')).toEqual([]);
});

test('given a question that is asked while a bot looks for work, when its hint comes during the look, then the bot looks again at once', async () => {
  await using scene = await waiting(1);
  const { ctx } = scene;
  const events = new Waiters();
  let looks = 0;
  const store: Context['store'] = {
    ...ctx.store,
    claimDeliveries: (...lease) => {
      looks += 1;
      if (looks > 1) return ctx.store.claimDeliveries(...lease);
      events.wake('*');
      return Promise.resolve([]);
    },
  };
  const bot = { ...ctx, store, clock: { ...ctx.clock, after: gathersOnly } };

  const work = await channelWork(bot, CALL, { holder: 'bot', waitMs: 25_000, events, signal: undefined });

  expect(work).toMatchObject({ kind: 'work', deliveries: [{ card: { title: 'question 1' } }] });
});

/** Fires only the timer that gathers hints: the wait for the next check never ends by itself. */
function gathersOnly(ms: number, run: () => void): () => void {
  if (ms <= 50) run();
  return () => {};
}
