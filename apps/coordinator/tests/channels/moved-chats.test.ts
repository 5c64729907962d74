/** A group of Telegram that becomes a supergroup: its questions continue there, and the steps of drover.toml find it by its old number. */
import type { Actor } from '@drover/api';
import { expect, test } from 'vitest';
import { Waiters } from '../../src/context/waiters.ts';
import { moveChat } from '../../src/use-cases/channels/link.ts';
import { channelWork } from '../../src/use-cases/channels/work.ts';
import { person } from '../support/actors.ts';
import { called, showDue } from '../support/calls.ts';
import { inMemory, onPostgres } from '../support/scene.ts';

const BY: Actor = { ...person('bot'), kind: 'bot', role: 'responder', channels: ['telegram'] };
const CALL = { channel: 'telegram', by: BY } as const;
const MINUTE = 60_000;

test.each([
  ['in memory', inMemory],
  ['on Postgres', onPostgres],
])(
  'X5, X8: given a step that names a group which moved, %s, when it is told twice and the step comes again, then only the new place is called, each time once',
  async (_where, open) => {
    const steps = [{ afterMs: 0, notify: ['telegram:-4711'] }];
    await using scene = await called(open, { steps, repeat: 1, timeout: null });
    const { ctx, id, passUnshown, pings } = scene;
    await showDue(ctx, ['telegram']);
    const move = { from: '-4711', to: '-1004711' };

    await Promise.all([moveChat(ctx, CALL, move), moveChat(ctx, CALL, move)]);
    const asked = { holder: 'process-1', waitMs: 0, events: new Waiters(), signal: undefined };
    const work = await channelWork(ctx, CALL, asked);
    const before = await pings();
    await passUnshown(24 * 60 * MINUTE);

    expect(work).toMatchObject({
      deliveries: [{ address: '-1004711', ref: null, ping: false, card: { escalation: id } }],
    });
    expect(before).toEqual({ 'telegram:-1004711': 1 });
    expect(Object.keys(await pings())).toEqual(['telegram:-1004711']);
    expect((await pings())['telegram:-1004711']).toBeGreaterThan(1);
    const moves = (await ctx.store.listAudit({ limit: 50 })).filter(({ body }) => body.includes('place-moved'));
    expect(moves).toHaveLength(1);
  },
);
