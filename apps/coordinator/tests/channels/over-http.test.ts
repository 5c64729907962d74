/** A bot over HTTP: its token opens the routes of its channels and nothing else, and hostile bodies change nothing. X10. */
import { randomUUID } from 'node:crypto';
import type { Database } from '@drover/store';
import { openTestDatabase } from '@drover/store/testing';
import { expect, test } from 'vitest';
import { replica, SECRET } from '../../src/testing/replica.ts';

test('given a token of a bot, when it calls, then the routes of its channels answer and all others refuse; bad bodies are told apart', async () => {
  await using database = await openTestDatabase<Database>();
  await using server = await replica(database.connectionString);
  const call = async (
    path: string,
    { token, body, method = body === undefined ? 'GET' : 'POST' }: Call,
  ): Promise<Answer> => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const answer = await fetch(`${server.url}${path}`, { method, headers, ...(body !== undefined && { body }) });
    return { status: answer.status, json: (await answer.json()) as Record<string, unknown> };
  };
  const made = await call('/trpc/tokens.create', {
    token: SECRET,
    body: JSON.stringify({ name: 'bot', role: 'responder', channels: ['telegram'] }),
  });
  const { result } = made.json as { result: { data: { secret: string } } };
  const token = result.data.secret;
  const press = { key: randomUUID(), subject: '7', button: { kind: 'ack', escalation: randomUUID() } };
  const statusOf = async (path: string, body?: unknown, raw?: string): Promise<number> =>
    (await call(path, { token, ...(body !== undefined && { body: raw ?? JSON.stringify(body) }) })).status;

  expect(await call('/v1/channels/telegram/work?wait=0&holder=process-1', { token })).toEqual({
    status: 200,
    json: { kind: 'work', deliveries: [] },
  });
  expect(await call('/v1/channels/telegram/press', { token, body: JSON.stringify(press) })).toMatchObject({
    status: 200,
    json: { kind: 'not-allowed' },
  });
  expect({
    anotherChannel: await statusOf('/v1/channels/slack/work?wait=0&holder=process-1'),
    noChannel: await statusOf('/v1/channels/pigeon/work?wait=0&holder=process-1'),
    shortHolder: await statusOf('/v1/channels/telegram/work?wait=0&holder=x'),
    tRPC: await statusOf('/trpc/workers.list'),
    move: await statusOf('/v1/channels/telegram/move', { from: '-1', to: '-1001' }),
    moveOfAnother: await statusOf('/v1/channels/slack/move', { from: '-1', to: '-1001' }),
    moveNowhere: await statusOf('/v1/channels/telegram/move', { from: '-1', to: '' }),
    notJson: await statusOf('/v1/channels/telegram/press', press, '{"key"'),
    noKey: await statusOf('/v1/channels/telegram/press', { ...press, key: 'x' }),
    tooLarge: await statusOf('/v1/channels/telegram/press', press, ' '.repeat(70_000)),
    notHeld: await statusOf(`/v1/channels/telegram/work/${randomUUID()}`, {
      kind: 'shown',
      holder: 'process-1',
      address: '7',
      version: 1,
      ref: '1',
      pings: 1,
    }),
  }).toEqual({
    anotherChannel: 403,
    noChannel: 404,
    shortHolder: 422,
    tRPC: 403,
    move: 200,
    moveOfAnother: 403,
    moveNowhere: 422,
    notJson: 400,
    noKey: 422,
    tooLarge: 413,
    notHeld: 409,
  });
  const admin = { name: 'boss', role: 'admin', channels: ['telegram'] };
  expect((await call('/trpc/tokens.create', { token: SECRET, body: JSON.stringify(admin) })).status).toBe(400);
});

interface Call {
  readonly token: string;
  readonly body?: string;
  readonly method?: string;
}

interface Answer {
  readonly status: number;
  readonly json: Record<string, unknown>;
}
