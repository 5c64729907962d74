/** `drover oncall test` in chats: a bot shows a card of its own kind, tells the result, and its button tries the way back. */
import type { TriedView } from '@drover/api';
import { expect, test } from 'vitest';
import { Waiters } from '../../src/context/waiters.ts';
import { press } from '../../src/use-cases/channels/press.ts';
import type { Context } from '../../src/context/context.ts';
import { channelWork, reportDelivery } from '../../src/use-cases/channels/work.ts';
import { createEscalationFleet } from '../../src/use-cases/escalations/fleet.ts';
import { mailLane } from '../../src/mail/lane.ts';
import { Sender } from '../../src/sending/sender.ts';
import { examineChats } from '../../src/use-cases/doctor/chats.ts';
import { showOncall } from '../../src/use-cases/oncall/show.ts';
import { testOncall } from '../../src/use-cases/oncall/try.ts';
import { person } from '../support/actors.ts';
import { withPlaces } from '../support/calls.ts';
import { inMemory } from '../support/scene.ts';

const HOLDER = 'process-1';
const ROOT = person('root');

test('given places that steps name, when they are tried, then each chat with a bot shows one card, a chat without one is named, and no question is asked', async () => {
  await using scene = await tried();
  const { ctx, call, work, given, report } = scene;
  await work();

  const outcome = tryOut(ctx);
  const shown = await given();
  const again = await work();
  await report(shown[0]?.card.escalation ?? '', { kind: 'shown', version: 1, ref: '1', pings: 1 });

  expect(shown).toMatchObject([
    {
      address: 'C012',
      ref: null,
      ping: true,
      card: { status: 'open', options: [], title: expect.stringContaining('root tests') },
    },
  ]);
  expect(again).toEqual([]);
  expect(await outcome).toEqual([
    { place: 'slack:C012', outcome: 'sent', message: 'the chat shows it; press its button to test your answers' },
    { place: 'telegram:7', outcome: 'failed', message: 'no bot serves telegram: see "drover doctor"' },
  ]);
  const button = { kind: 'ack', escalation: shown[0]?.card.escalation ?? '' } as const;
  const request = { key: '01900000-0000-7000-9000-0000000000ff', subject: 'T1:U1', button };
  const fleet = { ...createEscalationFleet(ctx), accept: () => Promise.reject(new Error('not asked')) };
  expect(await press(ctx, fleet, { call, request })).toMatchObject({
    kind: 'accepted',
    says: 'Your answer arrived: both directions work.',
    card: { status: 'resolved', resolution: { by: 'ada' } },
  });
  expect(await ctx.store.listEscalations({ limit: 10 })).toEqual([]);
});

test('given a chat that refuses, or a bot that says nothing, when it is tried, then the words of the service are told, or how long was waited', async () => {
  await using scene = await tried();
  const { ctx, nature, work, given, report } = scene;
  await work();

  const refused = tryOut(ctx);
  const [one] = await given();
  const failed = { kind: 'failed', error: 'channel_not_found', retryAfterMs: null, isFinal: true } as const;
  await report(one?.card.escalation ?? '', failed);
  const outcome = await refused;
  const silent = tryOut(ctx);
  await given();
  nature.now += 15_000;

  expect(outcome[0]).toMatchObject({ outcome: 'failed', message: 'channel_not_found' });
  expect((await silent)[0]).toMatchObject({ outcome: 'failed', message: 'its bot did not show it within 15 s' });
});

test('given one place that is named, when it is tried, then only it shows a card; another that no step names and no person linked is refused', async () => {
  await using scene = await tried();
  const { ctx, work, given, report } = scene;
  await work();

  const outcome = tryOut(ctx, 'slack:C012');
  const shown = await given();
  await report(shown[0]?.card.escalation ?? '', { kind: 'shown', version: 1, ref: '1', pings: 1 });

  expect((await outcome).map(({ place, outcome: how }) => [place, how])).toEqual([['slack:C012', 'sent']]);
  expect((await tryOut(ctx, 'telegram:7')).map(({ place }) => place)).toEqual(['telegram:7']);
  for (const place of ['email:eve@example.com', 'slack:C999', 'person:nobody'])
    expect(await testOncall(ctx, { place, by: ROOT })).toMatchObject({
      kind: 'refused',
      code: 'not-found',
      message: expect.stringContaining(`There is no place "${place}"; there are: slack:C012, telegram:7`),
    });
});

test('X10: given a stranger, when they press the button of a test, then they are told that Drover does not know them', async () => {
  await using scene = await tried();
  const { ctx, call, nature, work, given } = scene;
  await work();
  const outcome = tryOut(ctx);
  const [one] = await given();

  const button = { kind: 'ack', escalation: one?.card.escalation ?? '' } as const;
  const request = { key: '01900000-0000-7000-9000-0000000000ff', subject: 'T1:STRANGER', button };
  const fleet = { ...createEscalationFleet(ctx), accept: () => Promise.reject(new Error('not asked')) };

  expect(await press(ctx, fleet, { call, request })).toMatchObject({ kind: 'not-allowed' });
  nature.now += 15_000;
  await outcome;
});

test('given a chat that no bot serves, when who is on call is shown, then it is named until a bot asks for its work', async () => {
  await using scene = await tried();
  const { ctx, work } = scene;
  const problems = async () => (await showOncall(ctx, ROOT)).flatMap((one) => one.problems);

  const before = await problems();
  await work();
  const after = await problems();

  const words = 'No bot serves slack, so its 1 place(s) get no questions: see "drover doctor"';
  expect([before.includes(words), after.includes(words)]).toEqual([true, false]);
});

test('given addresses of mail, a step names one of them, when no coordinator has a mail server, then who is on call and the doctor say so', async () => {
  await using scene = await withPlaces(inMemory, ['adam'], {
    steps: [{ afterMs: 0, notify: ['email:a@example.com'] }],
  });
  const { ctx } = scene;
  await ctx.store.transaction((tx) =>
    tx.savePlace({ channel: 'email', address: 'b@example.com', personId: null, projectId: null, createdAt: 1 }),
  );
  const said = async () => [
    ...(await showOncall(ctx, ROOT)).flatMap(({ problems }) => problems),
    ...(await examineChats(ctx)).map(({ about, level, says }) => `${about} ${level}: ${says}`),
  ];
  const without = await said();
  const mailer = { send: () => Promise.resolve() };
  await new Sender(ctx, mailLane(ctx, mailer)).round();

  const words = 'No mail server is configured, so 2 address(es) get no mail: set email.smtp_url in drover.toml';
  const found =
    'mail problem: no mail server is configured, so 1 address(es) get no mail: set email.smtp_url in drover.toml';
  expect(without).toEqual(expect.arrayContaining([words, found]));
  expect(await said()).toContain('mail ok: Drover sends mail to 1 address(es)');
  expect(await said()).not.toContain(words);
});

/** Runs the tests. @returns the result of each. */
async function tryOut(ctx: Context, place?: string): Promise<readonly TriedView[]> {
  const outcome = await testOncall(ctx, { place, by: ROOT });
  if (outcome.kind !== 'ok') throw new Error(outcome.message);
  return outcome.value;
}

/** Builds a bot for Slack. A waiting call checks again at once, and time passes when the test says so. */
async function tried() {
  const scene = await withPlaces(inMemory, ['adam'], {});
  const { nature } = scene;
  const clock = {
    now: () => nature.now,
    after: (_ms: number, run: () => void) => {
      const soon = setImmediate(run);
      return () => clearImmediate(soon);
    },
  };
  const ctx = { ...scene.ctx, clock };
  const ada = { id: '01900000-0000-7000-9000-00000000cccc', name: 'ada', role: 'responder', projectId: null } as const;
  await ctx.store.transaction(async (tx) => {
    await tx.insertPerson({ ...ada, createdAt: 1 });
    await tx.saveIdentity({ channel: 'slack', subject: 'T1:U1', personId: ada.id, linkedAt: 1 });
  });
  const bot = person('bot', { kind: 'bot', role: 'responder', channels: ['slack'] });
  const call = { channel: 'slack', by: bot } as const;
  /** Checks once for work, without waiting. */
  const work = async () => {
    const parts = { holder: HOLDER, waitMs: 0, events: new Waiters(), signal: undefined };
    const answer = await channelWork(ctx, call, parts);
    return answer.kind === 'work' ? answer.deliveries : [];
  };
  return {
    ...scene,
    ctx,
    call,
    work,
    /** Checks for work until there is some. */
    given: async () => {
      for (let looks = 0; looks < 1_000; looks += 1) {
        const found = await work();
        if (found.length > 0) return found;
        await new Promise((resolve) => setImmediate(resolve));
      }
      throw new Error('A test of a place was given to no bot');
    },
    report: (escalation: string, end: object) =>
      reportDelivery(ctx, call, { escalation, report: { holder: HOLDER, address: 'C012', ...end } as never }),
  };
}
