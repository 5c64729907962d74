/** `drover doctor` reports chats: whether a bot serves them, and where questions do not arrive. */
import type { Actor, BotCall } from '@drover/api';
import { expect, test } from 'vitest';
import { Waiters } from '../../src/context/waiters.ts';
import { channelWork, reportDelivery } from '../../src/use-cases/channels/work.ts';
import { examineChats } from '../../src/use-cases/doctor/chats.ts';
import { unservedChats } from '../../src/facts/people/chats.ts';
import { person } from '../support/actors.ts';
import { asked } from '../support/questions.ts';
import { inMemory } from '../support/scene.ts';

const BOT: Actor = { ...person('bot'), kind: 'bot', role: 'responder', channels: ['telegram'] };
const CALL: BotCall = { channel: 'telegram', by: BOT };

test('given a chat, when no bot asks for its work, one does, and one is thrown out there, then the doctor says each', async () => {
  await using scene = await asked(inMemory);
  const { ctx, id, nature } = scene;
  const none = [...(await examineChats(ctx)), ...(await unservedChats(ctx))];
  await ctx.store.transaction((tx) =>
    tx.savePlace({ channel: 'telegram', address: '7', personId: null, projectId: null, createdAt: 1 }),
  );
  await ctx.store.wantEverywhere('telegram', 1);

  const unserved = [await examineChats(ctx), await unservedChats(ctx)] as const;
  const asks = { holder: 'process-1', waitMs: 0, events: new Waiters(), signal: undefined };
  await channelWork(ctx, CALL, asks);
  const served = [...(await examineChats(ctx)), ...(await unservedChats(ctx))];
  const error = 'sendMessage: 403 Forbidden: bot was blocked by the user';
  const report = {
    kind: 'failed',
    holder: 'process-1',
    address: '7',
    error,
    retryAfterMs: null,
    isFinal: false,
  } as const;
  await reportDelivery(ctx, CALL, { escalation: id, report });
  const failing = await examineChats(ctx);
  nature.now += 60_000;
  const [dead, notYet] = [await examineChats(ctx), await unservedChats(ctx)];
  nature.now += 120_000;
  const missed = await unservedChats(ctx);

  expect(none).toEqual([]);
  expect(unserved[1]).toEqual([{ channel: 'telegram', places: 1, servedUntil: null }]);
  expect(unserved[0]).toMatchObject([{ about: 'telegram', level: 'problem', help: 'drover up' }]);
  expect(served).toMatchObject([{ about: 'telegram', level: 'ok' }]);
  expect(failing).toMatchObject([{ level: 'ok' }, { about: 'telegram:7', level: 'problem' }]);
  expect(failing[1]?.says).toContain('1 question(s) could not be shown there: sendMessage: 403 Forbidden');
  expect(notYet).toEqual([]);
  expect(missed).toMatchObject([{ channel: 'telegram', places: 1, servedUntil: expect.any(Number) }]);
  expect(dead[0]).toMatchObject({ about: 'telegram', level: 'problem' });
});
