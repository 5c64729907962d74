import { once } from 'node:events';
import { createServer } from 'node:net';
import { systemClock } from '@drover/base';
import { expect, test } from 'vitest';
import { listen } from '../../src/connection/listen.ts';
import { openTestDatabase } from '../../src/testing/index.ts';
import { eventually, logLines, query } from '@drover/embedded-postgres/testing';

const END_ALL = `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'drover-listen' and datname = current_database()`;

/** Listens on `given_channel` and keeps what it hears. */
function listening(connectionString: string): {
  listener: AsyncDisposable;
  heard: string[];
  resyncs: () => number;
  lines: string[];
} {
  const heard: string[] = [];
  const { lines, log } = logLines();
  let resyncs = 0;
  const onNotify = (channel: string, payload: string) => heard.push(`${channel}:${payload}`);
  const onResync = () => void (resyncs += 1);
  const listener = listen(connectionString, ['given_channel'], { onNotify, log, onResync, random: Math.random });
  return { listener, heard, resyncs: () => resyncs, lines };
}

const atLeast = (count: number, have: () => number) => async () => (have() >= count ? true : undefined);

test('given a listener, when its connection is ended three times, then each time it asks for a look and hears again', async () => {
  await using database = await openTestDatabase();
  const given = listening(database.connectionString);
  await using held = new AsyncDisposableStack();
  held.use(given.listener);

  for (const round of [1, 2, 3]) {
    await eventually('a look at the tables', atLeast(round, given.resyncs));
    await query(database.connectionString, `notify given_channel, 'round ${round}'`);
    await eventually(
      'the notification',
      atLeast(round, () => given.heard.length),
    );
    await query(database.connectionString, END_ALL);
  }
  await eventually('a look at the tables', atLeast(4, given.resyncs));

  expect(given.heard).toEqual(['given_channel:round 1', 'given_channel:round 2', 'given_channel:round 3']);
  expect(given.lines.length).toBeGreaterThanOrEqual(3);
});

test('given no server, when a listener is closed, then it closes at once although it never heard anything', async () => {
  const given = listening('postgres://nobody@127.0.0.1:1/nothing');
  await eventually(
    'a failed attempt',
    atLeast(2, () => given.lines.length),
  );

  await given.listener[Symbol.asyncDispose]();

  expect(given.resyncs()).toBe(0);
});

test('given a server that takes the connection and says nothing, when the listener is closed, then it closes at once', async () => {
  await using mute = createServer(() => {});
  await once(mute.listen(0, '127.0.0.1'), 'listening');
  const address = mute.address();
  const connected = once(mute, 'connection');
  const port = typeof address === 'object' ? address?.port : 0;
  const given = listening(`postgres://nobody@127.0.0.1:${port}/nothing`);
  const [socket] = await connected;
  const started = systemClock.now();

  await given.listener[Symbol.asyncDispose]();

  expect(systemClock.now() - started).toBeLessThan(5_000);
  socket.destroy();
});

test('given a channel that Postgres would fold, when it is listened to, then it is refused', () => {
  expect(() =>
    listen('postgres://x', ['Upper'], { onNotify: () => {}, log: () => {}, onResync: () => {}, random: () => 0 }),
  ).toThrow('Not a channel name in lower case: "Upper"');
});
