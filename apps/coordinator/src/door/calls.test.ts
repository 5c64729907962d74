/** The door counts calls: a batch of a hundred is a hundred. */
import type { IncomingMessage } from 'node:http';
import { expect, test } from 'vitest';
import { Door } from './door.ts';
import { CALLS_OF_REQUEST_MAX, CALLS_OF_TOKEN_MAX, STRANGER_RATE, TOKEN_RATE } from './limits.ts';

const AUTHORIZATION = `Bearer ${'x'.repeat(40)}`;
const FULL = `/trpc/${Array.from({ length: CALLS_OF_REQUEST_MAX }, () => 'info').join(',')}?batch=1`;

function door(): Door {
  return new Door({
    hosts: { listened: '127.0.0.1', allowed: [] },
    trustedProxies: [],
    elapsed: () => 0,
    clock: { after: () => () => {} },
    log: () => {},
  });
}

function asking(url: string, headers: Readonly<Record<string, string>> = {}): IncomingMessage {
  const request: unknown = {
    method: 'GET',
    url,
    headers: { host: 'localhost', ...headers },
    rawHeaders: ['host', 'localhost'],
    socket: { remoteAddress: '127.0.0.1' },
  };
  return request as IncomingMessage;
}

test.each([
  `${FULL.replace('?', ',info?')}`,
  `/%74rpc/${'%2C'.repeat(CALLS_OF_REQUEST_MAX)}`,
  `/trpc/${'%2c,'.repeat(CALLS_OF_REQUEST_MAX / 2)}?batch=0&batch=1`,
])('given more calls than one request may hold, as %s, when it arrives, then none of them is begun', (url) => {
  using given = door();

  expect(given.check(asking(url))).toMatchObject({ status: 400, code: 'too-many-calls' });
  expect(given.check(asking(FULL))).toBeNull();
});

test('given an input with many commas, when it arrives, then it is one call', () => {
  using given = door();

  expect(given.check(asking(`/trpc/workers.list?input=${','.repeat(1_000)}`))).toBeNull();
});

test('given batches of a caller without a token, when they hold as many calls as one may make, then the next one waits', () => {
  using given = door();
  const batches = Math.floor(STRANGER_RATE.burst / CALLS_OF_REQUEST_MAX);

  const answers = Array.from({ length: batches + 1 }, () => given.check(asking(FULL))?.status ?? 200);

  expect(answers.slice(0, -1)).toEqual(answers.slice(0, -1).map(() => 200));
  expect(answers.at(-1)).toBe(429);
});

test('given batches of a valid token, when they hold as many calls as it may make, then the next one waits', () => {
  using given = door();
  const batch = asking(FULL, { authorization: AUTHORIZATION });
  given.vouch(batch);

  const answers = Array.from(
    { length: Math.floor(TOKEN_RATE.burst / CALLS_OF_REQUEST_MAX) + 1 },
    () => given.check(batch)?.status ?? 200,
  );

  expect(new Set(answers.slice(0, -1))).toEqual(new Set([200]));
  expect(answers.at(-1)).toBe(429);
});

test('given batches of one token that are open, when they hold as many calls as it may have open, then a further call waits', () => {
  using given = door();
  const batch = asking(FULL, { authorization: AUTHORIZATION });
  const open = Array.from({ length: CALLS_OF_TOKEN_MAX / CALLS_OF_REQUEST_MAX }, () => given.enter(batch));

  expect(given.enter(asking('/trpc/info', { authorization: AUTHORIZATION }))).toMatchObject({ status: 429 });

  const [first] = open;
  if (typeof first === 'function') first();
  expect(given.enter(batch)).toBeInstanceOf(Function);
});

test('given a batch whose token is found valid, when it is vouched for, then its address gets all its calls back', () => {
  using given = door();
  const batches = Math.floor(STRANGER_RATE.burst / CALLS_OF_REQUEST_MAX);

  for (let count = 0; count < batches * 2; count += 1) {
    const batch = asking(FULL, { authorization: `Bearer ${'x'.repeat(30)}${count}` });
    expect(given.check(batch)).toBeNull();
    given.vouch(batch);
  }
});
