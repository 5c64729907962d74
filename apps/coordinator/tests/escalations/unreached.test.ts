/**
 * X6: steps that follow when no place shows a question. `core/oncall` proves the plan; these tests prove that it hears whether places
 * show the question, and that a refusal for good counts at once.
 */
import type { Actor, BotCall } from '@drover/api';
import { DEFAULT_ONCALL } from '@drover/core';
import { expect, test } from 'vitest';
import { drainDueWork } from '../../src/due/drain.ts';
import { reportDelivery } from '../../src/use-cases/channels/work.ts';
import { showEscalation } from '../../src/use-cases/escalations/escalations.ts';
import { person } from '../support/actors.ts';
import { called, showDue } from '../support/calls.ts';
import { ANN } from '../support/questions.ts';
import { inMemory } from '../support/scene.ts';

const MINUTE = 60_000;
const BOT: Actor = { ...person('bot'), kind: 'bot', role: 'responder', channels: ['slack'] };
const CALL: BotCall = { channel: 'slack', by: BOT };

test('X6: given a chat without a bot, when a minute is over, then the next step comes; when five are, then every other place, and one error in the log', async () => {
  await using scene = await called(inMemory, { repeat: 0 });
  const { ctx, id, passUnshown, pings, errors } = scene;
  const place = { channel: 'discord', address: '9', personId: null, projectId: null, createdAt: 2 };
  await ctx.store.transaction((tx) => tx.savePlace(place));

  await passUnshown(MINUTE - 1);
  expect(await pings()).toEqual({ 'slack:C012': 1 });
  await passUnshown(1);
  expect(await pings()).toEqual({ 'slack:C012': 1, 'telegram:7': 1 });
  for (let minute = 0; minute < 10; minute += 1) await passUnshown(MINUTE);

  expect(await pings()).toEqual({ 'slack:C012': 2, 'telegram:7': 2, 'discord:9': 1 });
  expect(errors).toEqual([expect.stringContaining(`No place shows the question ${id.slice(-8)} of adam`)]);
});

test('X6: given no steps, when the first place shows the question, then the others are called after ten minutes; when it is dead, after one', async () => {
  const { steps } = DEFAULT_ONCALL;
  for (const isDead of [false, true]) {
    await using scene = await called(inMemory, { repeat: 0, steps });
    const { ctx, passUnshown, pings } = scene;
    const place = { channel: 'telegram', address: '7', personId: null, projectId: null, createdAt: 2 };
    await ctx.store.transaction((tx) => tx.savePlace(place));
    expect(await pings()).toEqual({ 'slack:C012': 1 });
    if (!isDead) await showDue(ctx, ['slack']);

    await passUnshown(MINUTE);
    expect(await pings()).toEqual({ 'slack:C012': 1, ...(isDead && { 'telegram:7': 1 }) });
    for (let minute = 0; minute < 9; minute += 1) await passUnshown(MINUTE);
    // The alarm follows too, if no place shows the question.
    expect(await pings()).toEqual({ 'slack:C012': isDead ? 2 : 1, 'telegram:7': isDead ? 2 : 1 });
  }
});

test('X6: given no steps, when the first place refuses for good, then another is called at once; with one place alone, then it is called again', async () => {
  const { steps } = DEFAULT_ONCALL;
  await using scene = await called(inMemory, { repeat: 0, steps });
  const place = { channel: 'telegram', address: '7', personId: null, projectId: null, createdAt: 2 };
  await scene.ctx.store.transaction((tx) => tx.savePlace(place));
  await refused(scene, 'C012');
  await drainDueWork(scene.ctx);
  expect(await scene.pings()).toEqual({ 'slack:C012': 1, 'telegram:7': 1 });

  await using alone = await called(inMemory, { repeat: 0, steps });
  await showDue(alone.ctx, ['slack']);
  await alone.passUnshown(10 * MINUTE);
  expect(await alone.pings()).toEqual({ 'slack:C012': 2 });
});

test('X6: given a place that shows the card, when it refuses the next one, then nothing is hurried for the first', async () => {
  await using scene = await called(inMemory, { repeat: 0 });
  await showDue(scene.ctx, ['slack']);

  for (let minute = 0; minute < 9; minute += 1) await scene.passUnshown(MINUTE);

  expect(await scene.pings()).toEqual({ 'slack:C012': 1 });
  expect(scene.errors).toEqual([]);
});

test('X6: given a place that refuses the card for good, when its bot says so, then the next step is called at once', async () => {
  await using scene = await called(inMemory, { repeat: 0 });
  await refused(scene, 'C012');
  await drainDueWork(scene.ctx);

  expect(await scene.pings()).toEqual({ 'slack:C012': 1, 'telegram:7': 1 });
});

test('X6: given a person with two places, when the first refuses the card for good, then the second is called at once, and no further step', async () => {
  const steps = [
    { afterMs: 0, notify: ['person:ada'] },
    { afterMs: 10 * MINUTE, notify: ['telegram:7'] },
  ];
  await using scene = await called(inMemory, { repeat: 0, steps }, [
    { channel: 'slack', address: 'U1' },
    { channel: 'discord', address: 'U2' },
  ]);
  expect(await scene.pings()).toEqual({ 'slack:U1': 1 });

  await refused(scene, 'U1');
  await drainDueWork(scene.ctx);
  await showDue(scene.ctx, ['discord']);

  expect(await scene.pings()).toEqual({ 'slack:U1': 1, 'discord:U2': 1 });
  const shown = await showEscalation(scene.ctx, scene.id, ANN);
  expect(shown.kind === 'ok' && shown.value.deliveries).toMatchObject([
    { place: 'discord of ada', pings: 1, isCurrent: true, error: null, isFinal: false },
    { place: 'slack of ada', pings: 0, shownAt: null, isCurrent: false, error: 'is_archived', isFinal: true },
  ]);
});

/** Reports that the bot could not show the question, and never will. */
async function refused({ ctx, id }: Awaited<ReturnType<typeof called>>, address: string): Promise<void> {
  const now = ctx.clock.now();
  await ctx.store.claimDeliveries({ channel: 'slack', holder: 'a bot', until: now + 1_000, now }, 10);
  const end = { error: 'is_archived', retryAfterMs: null, isFinal: true } as const;
  const report = { kind: 'failed', holder: 'a bot', address, ...end } as const;
  expect(await reportDelivery(ctx, CALL, { escalation: id, report })).toMatchObject({ kind: 'ok' });
}
