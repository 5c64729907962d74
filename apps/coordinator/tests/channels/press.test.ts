/**
 * A press in a chat is an answer like any other, by the person that the chat's identity is linked to. X1, X2, X3, X4, X10, X14, on
 * both stores.
 */
import type { Actor, BotCall } from '@drover/api';
import { workAnswer } from '@drover/protocol';
import type { Button, PressRequest } from '@drover/protocol';
import { expect, test } from 'vitest';
import { Waiters } from '../../src/context/waiters.ts';
import { createChannelFleet } from '../../src/use-cases/channels/fleet.ts';
import type { Context } from '../../src/context/context.ts';
import { createEscalationFleet } from '../../src/use-cases/escalations/fleet.ts';
import { createPeopleFleet } from '../../src/use-cases/people/people.ts';
import { person } from '../support/actors.ts';
import { asked } from '../support/questions.ts';
import { inMemory } from '../support/scene.ts';
import type { Nature } from '../support/scene.ts';

const ADMIN = person('root', { role: 'admin' });

/** Builds a bot's token for Telegram. */
function bot(patch: Partial<Actor> = {}): BotCall {
  const by: Actor = { ...person('bot'), kind: 'bot', role: 'responder', channels: ['telegram'], ...patch };
  return { channel: 'telegram', by };
}

const none = (): Promise<never> => Promise.reject(new Error('not asked in this test'));

/** Builds the use cases of bots; those of tasks are not asked here. */
function fleetOf(ctx: Context) {
  const others = { listWorkers: none, message: none, start: none, review: none, accept: none };
  const fleet = createChannelFleet(ctx, { events: new Waiters(), fleet: { ...others, ...createEscalationFleet(ctx) } });
  return { ...fleet, people: createPeopleFleet(ctx) };
}

/** Lines of a pane that a program printed without end. */
const LONG = Array.from({ length: 20 }, (_, index) => `${index} ${'x@\u001B[2J'.repeat(14_000)}`);

let codes = 0;

/** Links an identity to a person with a code of their own. */
async function link(ctx: Context, name: string, subject: string) {
  codes += 1;
  const secret = Buffer.from(String(codes).padStart(32, '0')).toString('base64url');
  const fleet = fleetOf({ ...ctx, ids: { ...ctx.ids, secret: () => secret } });
  const outcome = await fleet.people.linkPerson({ name }, ADMIN);
  if (outcome.kind === 'refused') throw new Error(outcome.message);
  return fleet.linkIdentity(bot(), { subject, address: subject, code: outcome.value.code.toLowerCase() });
}

function press(
  nature: Nature,
  { id, ...patch }: Partial<PressRequest> & { id: string; asked?: number; option?: number },
): PressRequest {
  const { asked: asking = 1, option = 0, ...rest } = patch;
  const button: Button = { kind: 'answer', escalation: id, asked: asking, option };
  return { key: nature.uuid(), subject: '7', button, ...rest };
}

test('X2, X3: given a linked person, when they press, then their answer counts with their name, and the same press again gets the same reply', async () => {
  await using scene = await asked(inMemory);
  const { ctx, id, nature } = scene;
  const fleet = fleetOf(ctx);
  await link(ctx, 'ada', '7');
  const request = press(nature, { id });

  const outcome = await fleet.press(bot(), request);
  const repeated = await fleet.press(bot(), request);
  const other = await fleet.press(bot(), press(nature, { id }));

  expect(outcome).toMatchObject({
    kind: 'accepted',
    card: { status: 'resolved', resolution: { by: 'ada', label: 'Try again' } },
  });
  expect(repeated).toEqual(outcome);
  expect(other).toMatchObject({ kind: 'over', says: 'ada already chose "Try again".' });
  expect((await ctx.store.readEscalation(id))?.resolution?.actor).toMatchObject({
    kind: 'person',
    name: 'ada',
    via: 'bot',
    place: 'telegram:7',
  });
});

test('given somebody who is not linked, a viewer, or a bot for viewers, when they press, then nothing changes', async () => {
  await using scene = await asked(inMemory);
  const { ctx, id, nature } = scene;
  const fleet = fleetOf(ctx);
  await fleet.people.addPerson({ name: 'vic', role: 'viewer' }, ADMIN);
  await link(ctx, 'vic', '8');
  await link(ctx, 'ada', '7');
  const before = await ctx.store.readEscalation(id);

  const outcomes = [
    await fleet.press(bot(), press(nature, { id, subject: '9' })),
    await fleet.press(bot(), press(nature, { id, subject: '8' })),
    await fleet.press(bot({ role: 'viewer' }), press(nature, { id })),
    await fleet.press(bot({ project: nature.uuid() }), press(nature, { id })),
  ];

  expect(outcomes.map(({ kind }) => kind)).toEqual(['not-allowed', 'not-allowed', 'not-allowed', 'over']);
  expect(await ctx.store.readEscalation(id)).toEqual(before);
});

test('given an option that needs words, when it is pressed, then the words are asked for, and count when they come', async () => {
  await using scene = await asked(inMemory);
  const { ctx, id, nature } = scene;
  const fleet = fleetOf(ctx);
  await link(ctx, 'ada', '7');

  const bare = await fleet.press(bot(), press(nature, { id, option: 1 }));
  const full = await fleet.press(bot(), press(nature, { id, option: 1, text: 'Use the other port' }));

  expect(bare).toMatchObject({ kind: 'needs-text', card: { status: 'open' } });
  expect(full).toMatchObject({ kind: 'accepted', card: { status: 'resolved' } });
  expect((await ctx.store.readEscalation(id))?.resolution?.text).toBe('Use the other port');
});

test('X3: given a press that says "I look", when a chat delivers it again after the question was open again, then it stays open; a new press counts', async () => {
  await using scene = await asked(inMemory);
  const { ctx, id, nature } = scene;
  const fleet = fleetOf(ctx);
  await link(ctx, 'ada', '7');
  const acknowledging = (): PressRequest => ({
    key: nature.uuid(),
    subject: '7',
    button: { kind: 'ack', escalation: id },
  });
  const first = acknowledging();
  const statusNow = async (): Promise<string | undefined> => (await ctx.store.readEscalation(id))?.status;

  const told = await fleet.press(bot(), first);
  const seen = [await statusNow()];
  await createEscalationFleet(ctx).escalateEscalation({ id, requestId: nature.uuid() }, ADMIN);
  const again = await fleet.press(bot(), first);
  seen.push(await statusNow());
  await fleet.press(bot(), acknowledging());
  seen.push(await statusNow());

  expect(seen).toEqual(['acked', 'open', 'acked']);
  expect([told.kind, again.kind]).toEqual(['accepted', 'accepted']);
});

test('X4: given a card of an earlier asking, an option that is not there or a question that is gone, when it is pressed, then the present question is told', async () => {
  await using scene = await asked(inMemory);
  const { ctx, id, nature } = scene;
  const fleet = fleetOf(ctx);
  await link(ctx, 'ada', '7');
  await ctx.store.transaction(async (tx) => {
    const row = await tx.lockEscalation(id);
    if (row !== null) await tx.saveEscalation({ ...row, asked: 2, title: 'May I delete it?' });
  });

  const outcomes = [
    await fleet.press(bot(), press(nature, { id })),
    await fleet.press(bot(), press(nature, { id, asked: 2, option: 9 })),
    await fleet.press(bot(), press(nature, { id: nature.uuid() })),
  ];

  expect(outcomes).toMatchObject([
    { kind: 'over', says: 'The screen changed; the question is now: May I delete it?', card: { asked: 2 } },
    { kind: 'over', card: { status: 'open' } },
    { kind: 'over', says: 'This question no longer exists.', card: null },
  ]);
  expect(await ctx.store.readEscalation(id)).toMatchObject({ status: 'open' });
});

test('given a code, when it is used, used again or guessed, then it links once; who is linked is asked in that chat', async () => {
  await using scene = await asked(inMemory);
  const { ctx, id } = scene;
  const fleet = fleetOf(ctx);

  const guessed = await fleet.linkIdentity(bot(), { subject: '7', address: '7', code: 'AAAAA-AAAAA' });
  const linked = await link(ctx, 'ada', '7');
  const again = await fleet.linkIdentity(bot(), { subject: '7', address: '7', code: 'AAAAA-AAAAA' });
  const work = await fleet.channelWork(bot(), { holder: 'process-1', waitMs: 0 }, undefined);

  expect([guessed.isDone, linked.isDone, again.isDone]).toEqual([false, true, true]);
  expect(work).toMatchObject({
    kind: 'work',
    deliveries: [{ address: '7', ping: true, ref: null, card: { escalation: id } }],
  });
  expect(await fleet.people.listPeople(ADMIN)).toMatchObject([
    { name: 'ada', identities: ['telegram:7'], places: ['telegram:7'] },
  ]);
  expect((await ctx.store.listAudit({ limit: 9 })).map(({ body }) => JSON.parse(body).action)).toEqual(
    expect.arrayContaining(['link-code-made', 'identity-linked']),
  );
});

test('X8: given a card that is shown, when somebody answers elsewhere, then it is due again without a ping; another process stands by meanwhile', async () => {
  await using scene = await asked(inMemory);
  const { ctx, id, nature } = scene;
  const fleet = fleetOf(ctx);
  await link(ctx, 'ada', '7');
  const work = () => fleet.channelWork(bot(), { holder: 'process-1', waitMs: 0 }, undefined);
  const report = { kind: 'shown', holder: 'process-1', address: '7', version: 1, ref: '42', pings: 1 } as const;
  await work();

  const reported = await fleet.reportDelivery(bot(), id, report);
  const nothing = await work();
  const other = await fleet.channelWork(bot(), { holder: 'process-2', waitMs: 0 }, undefined);
  await createEscalationFleet(ctx).resolveEscalation(
    { id, option: 'retry', asked: 1, requestId: nature.uuid() },
    person('ben'),
  );
  const edit = await work();

  expect(reported).toEqual({ kind: 'ok', value: null });
  expect([nothing, other]).toEqual([{ kind: 'work', deliveries: [] }, { kind: 'stand-by' }]);
  expect(edit).toMatchObject({
    deliveries: [{ ref: '42', ping: false, card: { status: 'resolved', resolution: { by: 'ben' } } }],
  });
});

test('X14: given a question with a secret, control sequences and lines of 100 KB of a pane, when a bot asks for it, then its card has none of them, and is as large as a card may be', async () => {
  await using scene = await asked(inMemory);
  const { ctx, id } = scene;
  const fleet = fleetOf(ctx);
  await link(ctx, 'ada', '7');
  const secret = `ghp_${'a1B2c3D4'.repeat(5)}`.slice(0, 40);
  await ctx.store.transaction(async (tx) => {
    const row = await tx.lockEscalation(id);
    const hostile = `\u001B[31m${secret}\u202E`;
    const context =
      row === null ? {} : { ...(row.context as object), pane: [...LONG, hostile], project: hostile, machine: hostile };
    if (row !== null) await tx.saveEscalation({ ...row, title: hostile, body: `${hostile}${LONG.join('')}`, context });
  });

  const work = await fleet.channelWork(bot(), { holder: 'process-1', waitMs: 0 }, undefined);
  const text = JSON.stringify(work);

  expect(() => workAnswer.parse(work)).not.toThrow();
  expect(text.length).toBeLessThan(8_000);
  expect(text).toContain('⟨U+001B⟩');
  expect(text).not.toContain(secret);
  expect(text).not.toMatch(/\\u001b|\u202E/iu);
});
