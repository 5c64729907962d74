/** The sender with two replicas: a slow server sends nothing twice, a dead replica loses nothing, and a station that asks for a pause gets it. */
import { getEventListeners } from 'node:events';
import { webhookDelivery, webhookEndpoint } from '@drover/store/testing';
import type { Store } from '@drover/store';
import { expect, test, vi } from 'vitest';
import { mailLane } from '../../src/mail/lane.ts';
import type { Mail } from '../../src/context/mailer.ts';
import { Waiters } from '../../src/context/waiters.ts';
import { Sender } from '../../src/sending/sender.ts';
import type { Context } from '../../src/context/context.ts';
import { examineChats } from '../../src/use-cases/doctor/chats.ts';
import { reopenPlace } from '../../src/loop/escalations/given-up.ts';
import { webhookLane } from '../../src/webhooks/lane.ts';
import type { Sent } from '../../src/webhooks/send.ts';
import { called } from '../support/calls.ts';
import { inMemory } from '../support/scene.ts';
import type { Nature } from '../support/scene.ts';
import { troubled } from '../support/questions.ts';

const STEPS = [{ afterMs: 0, notify: ['email:ada@example.com'] }];
const HOUR = 3_600_000;

test('given a mail server that answers after the lease would have ended, when another replica looks all the while, then the mail goes once', async () => {
  await using scene = await called(inMemory, { steps: STEPS, repeat: 0 });
  const time = timed(scene.nature);
  const got: Mail[] = [];
  const server = answersLater<void>();
  const send = (mail: Mail): Promise<void> => {
    got.push(mail);
    return server.answer;
  };
  const ctx = { ...scene.ctx, clock: time.clock };
  const [slow, other] = [new Sender(ctx, mailLane(ctx, { send })), new Sender(ctx, mailLane(ctx, { send }))];

  const sending = slow.round();
  const looks: Promise<void>[] = [];
  for (let passed = 0; passed < 400_000; passed += 10_000) {
    await time.pass(10_000);
    looks.push(other.round());
    await time.settle();
  }
  server.arrive();
  await Promise.all([sending, ...looks]);
  await other.round();
  await slow.round();

  expect(got).toHaveLength(1);
  expect(await ctx.store.listDeliveries(scene.id)).toMatchObject([{ shown: 1, failures: 0 }]);
});

test('given an endpoint that hangs, when another has something due, then it is told, and the process ends without waiting for more', async () => {
  await using scene = await hooked(['hangs', 'good']);
  const { ctx, time } = scene;
  const hang = answersLater<Sent>({ kind: 'failed', error: 'No answer within 15 s' });
  const told: string[] = [];
  const send = ({ url }: { readonly url: string }): Promise<Sent> => {
    told.push(url);
    return url.includes('hangs') ? hang.answer : Promise.resolve(answered(204));
  };
  const sender = new Sender(ctx, webhookLane(ctx, { allowed: [], send }));

  const round = sender.round();
  await time.settle();
  const meanwhile = [...told];
  sender.stop();
  hang.arrive();
  await round;

  expect(meanwhile.toSorted()).toEqual([
    'https://good/',
    'https://good/',
    'https://good/',
    'https://hangs/',
    'https://hangs/',
  ]);
  expect(told).toEqual(meanwhile);
});

test('given an endpoint that answers 429 with Retry-After, when more is due, then no replica calls it before, and then each is told once', async () => {
  await using scene = await hooked(['busy']);
  const { ctx, time } = scene;
  const told: string[] = [];
  let answer = answered(429, 120_000);
  const send = ({ headers }: { readonly headers: Readonly<Record<string, string>> }): Promise<Sent> => {
    told.push(headers['webhook-id'] ?? '');
    return Promise.resolve(answer);
  };
  const senders = [1, 2].map(() => new Sender(ctx, webhookLane(ctx, { allowed: [], send })));
  const tellAll = async (): Promise<number> => {
    for (const sender of senders) await sender.round();
    return told.length;
  };

  const counts = [await tellAll()];
  await time.pass(119_000);
  counts.push(await tellAll());
  answer = answered(204);
  await time.pass(1_000);
  counts.push(await tellAll());

  // Two requests were in progress when the station asked for the pause.
  expect(counts).toEqual([2, 2, 5]);
  expect(new Set(told).size).toBe(3);
});

test('given a replica that dies between a send and its note, when its lease is over, then another sends it again with the same id, and not before', async () => {
  await using scene = await called(inMemory, { steps: STEPS, repeat: 0 });
  const time = timed(scene.nature);
  const got: Mail[] = [];
  const mailer = { send: (mail: Mail) => Promise.resolve(void got.push(mail)) };
  const ctx = { ...scene.ctx, clock: time.clock };
  const dies: Context = { ...ctx, store: { ...ctx.store, endDelivery: dead, holdChannel: holdsOnce(ctx.store) } };
  await new Sender(dies, mailLane(dies, mailer)).round();
  const other = new Sender(ctx, mailLane(ctx, mailer));

  await time.pass(149_000);
  await other.round();
  const early = got.length;
  await time.pass(1_000);
  await other.round();

  expect(early).toBe(1);
  expect(got.map(({ id }) => id)).toEqual([got[0]?.id, got[0]?.id]);
  expect(got[0]?.id).toMatch(/^[0-9a-f]{40}$/u);
});

test('given a mail server that is away for days, when the mail is given up, then doctor says how it is sent again, and a test that arrives does it', async () => {
  await using scene = await called(inMemory, { steps: STEPS, repeat: 0 });
  const time = timed(scene.nature);
  const ctx = { ...scene.ctx, clock: time.clock, log: () => {} };
  let tries = 0;
  let isAway = true;
  const send = (): Promise<void> => {
    tries += 1;
    return isAway ? Promise.reject(new Error('connect ECONNREFUSED')) : Promise.resolve();
  };
  const sender = new Sender(ctx, mailLane(ctx, { send }));
  const rowOf = async () => (await ctx.store.listDeliveries(scene.id))[0];
  const began = scene.nature.now;
  while ((await rowOf())?.isFinal !== true && scene.nature.now < began + 100 * HOUR) {
    await sender.round();
    await time.pass(600_000);
  }
  const givenUp = { row: await rowOf(), findings: await examineChats(ctx), tries };
  await sender.round();
  expect(tries).toBe(givenUp.tries);

  isAway = false;
  await reopenPlace(ctx, { channel: 'email', address: 'ada@example.com' });
  await sender.round();

  expect(givenUp.row).toMatchObject({ isFinal: true, error: 'connect ECONNREFUSED' });
  expect((scene.nature.now - began) / HOUR).toBeGreaterThan(65);
  expect(givenUp.findings).toContainEqual(
    expect.objectContaining({ about: 'email:ada@example.com', help: 'drover oncall test email:ada@example.com' }),
  );
  expect(await rowOf()).toMatchObject({ isFinal: false, shown: 1, error: null });
});

test('given a mail server that does not know the address, when it says so, then it is not asked again, and one that refuses relay or password is', async () => {
  const outcomes = [];
  for (const refusal of [
    { command: 'RCPT TO', responseCode: 550, response: '550 5.1.1 no such user' },
    { command: 'RCPT TO', responseCode: 550, response: '550 5.7.1 relaying denied' },
    { command: 'AUTH PLAIN', responseCode: 535, response: '535 5.7.8 bad password' },
  ]) {
    await using scene = await called(inMemory, { steps: STEPS, repeat: 0 });
    const ctx = { ...scene.ctx, log: () => {} };
    const send = () => Promise.reject(Object.assign(new Error('refused'), refusal));
    await new Sender(ctx, mailLane(ctx, { send })).round();
    outcomes.push((await ctx.store.listDeliveries(scene.id))[0]?.isFinal);
  }

  expect(outcomes).toEqual([true, false, false]);
});

test('given a message whose outcome cannot be kept, when a round ends, then nothing was sent a second time', async () => {
  await using scene = await hooked(['good']);
  const { ctx } = scene;
  let calls = 0;
  const send = (): Promise<Sent> => {
    calls += 1;
    return Promise.resolve(answered(204));
  };
  const lane = {
    ...webhookLane(ctx, { allowed: [], send }),
    save: () => Promise.reject(new Error('database is away')),
  };

  await new Sender({ ...ctx, log: () => {} }, lane).round();

  // Two messages are due, and go side by side.
  expect(calls).toBe(2);
});

test('given a sender that hints wake again and again, when it pauses between its looks, then no pause goes on listening for its end', async () => {
  await using scene = await hooked([]);
  const { ctx, time } = scene;
  const events = new Waiters();
  const adding = vi.spyOn(EventTarget.prototype, 'addEventListener');
  await using sender = new Sender(ctx, webhookLane(ctx, { allowed: [] }), events);

  sender.start();
  for (let look = 0; look < 20; look += 1) {
    events.wake('*');
    await time.settle();
    await time.pass(1_000);
  }
  const { contexts } = adding.mock;
  const signals = [...new Set(contexts)].filter((target) => target instanceof AbortSignal);
  const listeners = signals.flatMap((signal) => getEventListeners(signal, 'abort'));
  sender.stop();
  adding.mockRestore();

  expect(contexts.length).toBeGreaterThan(20);
  expect(listeners.length).toBeLessThan(4);
});

/** Lets all consequences of a timer run. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await new Promise(setImmediate);
}

/** Builds a clock that tests advance in small steps, with all consequences of its timers. */
function timed(nature: Nature) {
  const timers = new Set<{ readonly at: number; readonly run: () => void }>();
  return {
    settle,
    clock: {
      now: () => nature.now,
      after: (ms: number, run: () => void) => {
        const timer = { at: nature.now + ms, run };
        timers.add(timer);
        return () => void timers.delete(timer);
      },
    },
    pass: async (ms: number): Promise<void> => {
      nature.now += ms;
      for (const timer of [...timers].filter(({ at }) => at <= nature.now)) {
        timers.delete(timer);
        timer.run();
      }
      await settle();
    },
  };
}

/** Builds endpoints of these names, with three messages due at each. */
async function hooked(names: readonly string[]) {
  const scene = await troubled(inMemory, ['adam']);
  const time = timed(scene.nature);
  const ctx = { ...scene.ctx, clock: time.clock };
  const { settled } = await ctx.store.followAnnouncements(null, 1);
  for (const name of names) {
    const hook = webhookEndpoint({ name, url: `https://${name}/`, cursor: settled });
    const body = { type: 'webhook.test', at: 1, actor: null, subject: { kind: 'webhook', id: hook.id, webhook: name } };
    const waiting = [0, 1, 2].map(() => webhookDelivery(hook, { body, state: 'waiting', tries: 0, nextAt: 1 }));
    await ctx.store.transaction(async (tx) => {
      await tx.insertWebhookEndpoint(hook);
      await tx.insertWebhookDeliveries(waiting);
    });
  }
  return { ctx, time, [Symbol.asyncDispose]: () => scene[Symbol.asyncDispose]() };
}

function answered(status: number, retryAfterMs: number | null = null): Sent {
  return { kind: 'answered', status, retryAfterMs };
}

/** Builds an answer that comes when the test says so. */
function answersLater<T>(value?: T) {
  const { promise, resolve } = Promise.withResolvers<T>();
  return { answer: promise, arrive: () => resolve(value as T) };
}

function dead(): Promise<never> {
  return Promise.reject(new Error('The process is dead'));
}

/** Takes the channel once, and dies before the renewal. */
function holdsOnce(store: Store): Store['holdChannel'] {
  let isDead = false;
  return (claim) => {
    if (isDead) return dead();
    isDead = true;
    return store.holdChannel(claim);
  };
}
