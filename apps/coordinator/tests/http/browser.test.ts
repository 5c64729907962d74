/** Web pages at the port: a page of an allowed origin uses `/v1` with a token, and no other page does. */
import { openTestDatabase } from '@drover/store/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { TOKEN_RATE } from '../../src/door/limits.ts';
import type { Coordinator } from '../../src/index.ts';
import { call, replica, SECRET } from '../support/coordinator.ts';
import { requestOf, sendRaw, upgradeTo } from '../support/raw-socket.ts';

const PAGE = 'https://board.example.com';
const AUTHORIZATION = { authorization: `Bearer ${SECRET}` };

let coordinator: Coordinator;
const logged: string[] = [];
const stack = new AsyncDisposableStack();
beforeAll(async () => {
  const { connectionString } = stack.use(await openTestDatabase());
  coordinator = stack.use(
    await replica(connectionString, {
      allowedOrigins: [PAGE, 'http://localhost:5173'],
      log: (_level, message) => void logged.push(message),
    }),
  );
});
afterAll(() => stack.disposeAsync());

/** Reads the answer to a request, with its headers in small letters. */
async function ask(line: string, headers: Readonly<Record<string, string>> = {}) {
  const answer = await sendRaw(
    coordinator.url,
    requestOf(line, { host: 'localhost', connection: 'close', ...headers }),
  );
  const [head = '', body = ''] = answer.split('\r\n\r\n');
  const lines = head.split('\r\n').slice(1);
  const of = (name: string): string | undefined =>
    lines.find((one) => one.toLowerCase().startsWith(`${name}: `))?.slice(name.length + 2);
  return { status: Number(head.slice(9, 12)), of, head, body };
}

function preflight(origin: string) {
  return {
    origin,
    'access-control-request-method': 'POST',
    'access-control-request-headers': 'authorization,content-type,idempotency-key',
  };
}

async function ticket(token = SECRET): Promise<string> {
  const response = await fetch(`${coordinator.url}/v1/events/tickets`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
  });
  const answer = (await response.json()) as { readonly ticket: string };
  return answer.ticket;
}

/** Returns the status of a stream, and leaves the stream at once. */
async function opened(given: string, headers: Readonly<Record<string, string>> = {}): Promise<number> {
  const stop = new AbortController();
  const url = `${coordinator.url}/v1/events/stream?ticket=${given}`;
  const { status } = await fetch(url, { headers, signal: stop.signal });
  stop.abort();
  return status;
}

test('given a page of an allowed origin, when its browser asks first without a token, then the answer names that origin and no cookie', async () => {
  for (const origin of [PAGE, 'http://localhost:5173']) {
    const { status, of } = await ask('OPTIONS /v1/escalations/1/resolve', preflight(origin));

    expect([status, of('access-control-allow-origin')]).toEqual([204, origin]);
    expect(of('access-control-allow-headers')?.toLowerCase()).toContain('authorization');
    expect(of('access-control-allow-methods')).toContain('POST');
    expect(of('access-control-allow-credentials')).toBeUndefined();
    expect(of('vary')).toContain('Origin');
  }
});

test.each([
  ['an answer', 'GET /v1/me', AUTHORIZATION, 200],
  ['a missing token', 'GET /v1/me', {}, 401],
  ['nothing there', 'GET /v1/nothing', AUTHORIZATION, 404],
  ['a refusal of the door', 'POST /v1/tasks', { ...AUTHORIZATION, 'transfer-encoding': 'chunked' }, 411],
] as const)(
  'given a page of an allowed origin, when it gets %s, then it may read it and its headers',
  async (_what, line, headers, status) => {
    const answer = await ask(line, { ...headers, origin: PAGE, 'sec-fetch-site': 'cross-site' });

    expect([answer.status, answer.of('access-control-allow-origin')]).toEqual([status, PAGE]);
    expect(answer.of('access-control-expose-headers')).toContain('X-Request-Id');
    expect(answer.of('vary')).toContain('Origin');
    expect(answer.of('x-request-id')).toBeTruthy();
  },
);

test.each([
  'https://board.example.com.evil.example',
  'https://evil.example/https://board.example.com',
  'https://evil-board.example.com',
  'https://boardXexample.com',
  'http://board.example.com',
  'https://board.example.com:8443',
  'https://board.example.com:443',
  'https://board.example.com/',
  'https://user@board.example.com',
  'https://BOARD.example.com',
  'http://localhost:3000',
  'null',
  '*',
  'https://board.example.com, https://evil.example',
])('given a page of %s, when it or its browser asks, then it is refused and named nowhere', async (origin) => {
  for (const [line, headers] of [
    ['OPTIONS /v1/me', preflight(origin)],
    ['GET /v1/me', { ...AUTHORIZATION, origin }],
  ] as const) {
    const answer = await ask(line, headers);

    expect(answer.status).toBe(403);
    expect(answer.head.toLowerCase()).not.toContain('access-control-allow-origin');
    expect(answer.body).toContain('origin-not-allowed');
  }
});

test('given a page of an allowed origin, when it asks for anything but the public API, then it is refused', async () => {
  for (const path of ['/trpc/info', '/agent/join', '/metrics', '/v1', '//v1/me', '/x/../v1/me'])
    expect([path, (await ask(`GET ${path}`, { ...AUTHORIZATION, origin: PAGE })).status]).toEqual([path, 403]);
  expect(await sendRaw(coordinator.url, upgradeTo('/terminal', { ...AUTHORIZATION, origin: PAGE }))).toMatch(
    /^HTTP\/1\.1 403 /u,
  );
});

test.each(['bearer', 'BEARER', 'Bearer '])(
  'given a token behind the word "%s", when it asks, then it is known',
  async (word) => {
    expect((await ask('GET /v1/me', { authorization: `${word} ${SECRET}` })).status).toBe(200);
  },
);

test.each([
  ['no word', SECRET],
  ['another word', `Basic ${SECRET}`],
  ['a word that goes on', `Bearers ${SECRET}`],
])('given a token behind %s, when it asks, then it is unknown', async (_what, authorization) => {
  expect((await ask('GET /v1/me', { authorization })).status).toBe(401);
});

test('given a ticket, when an EventSource opens a stream by it, then it is served once, and its token stands in no address', async () => {
  const given = await ticket();
  const stop = new AbortController();
  const first = await fetch(`${coordinator.url}/v1/events/stream?ticket=${given}`, {
    headers: { origin: PAGE, accept: 'text/event-stream', 'accept-encoding': 'gzip' },
    signal: stop.signal,
  });
  const again = await Promise.all([opened(given), opened(given), opened(given, AUTHORIZATION)]);
  stop.abort();

  expect([first.status, first.headers.get('content-type'), first.headers.get('content-encoding')]).toEqual([
    200,
    'text/event-stream',
    null,
  ]);
  expect(first.headers.get('access-control-allow-origin')).toBe(PAGE);
  expect(again).toEqual([401, 401, 401]);
});

test('given one ticket and many streams at once, when they open, then one of them is served', async () => {
  const given = await ticket();

  const statuses = await Promise.all(Array.from({ length: 10 }, () => opened(given)));

  expect(statuses.toSorted((one, other) => one - other)).toEqual([200, ...Array.from({ length: 9 }, () => 401)]);
});

test('given a ticket, when it is used elsewhere, changed, or its token is revoked, then it opens nothing', async () => {
  const made = (await call(coordinator.url, 'tokens.create', { name: 'board', role: 'viewer' })) as {
    readonly secret: string;
  };
  const [good, late] = [await ticket(), await ticket(made.secret)];
  const turned = `${good.slice(0, 4)}${good[4] === 'A' ? 'B' : 'A'}${good.slice(5)}`;
  await call(coordinator.url, 'tokens.revoke', { name: 'board', own: false, force: false });

  for (const path of ['/v1/me', '/v1/events', '/v1/escalations'])
    expect((await fetch(`${coordinator.url}${path}?ticket=${good}`)).status).toBe(401);
  expect((await fetch(`${coordinator.url}/v1/me`, { headers: { authorization: `Bearer ${good}` } })).status).toBe(401);
  expect([await opened(turned), await opened(''), await opened(late), await opened(good)]).toEqual([
    401, 401, 401, 200,
  ]);
});

test('given a stream by a ticket, when its token is revoked, then the stream ends with the reason', async () => {
  const made = (await call(coordinator.url, 'tokens.create', { name: 'short', role: 'viewer' })) as {
    readonly secret: string;
  };
  const url = `${coordinator.url}/v1/events/stream?ticket=${await ticket(made.secret)}`;
  const stream = await fetch(url);
  await call(coordinator.url, 'tokens.revoke', { name: 'short', own: false, force: false });

  const text = await stream.text();

  expect(text).toContain('event: problem');
  expect(text).toContain('"code":"unauthorized"');
});

test('given a ticket in a request that the door refuses, when that is logged, then the ticket is not in the log', async () => {
  await ask('GET /v1/events/stream?ticket=secret-of-a-page', { origin: 'https://evil.example' });

  // The last of several refusals within a second is logged at its end.
  await expect.poll(() => logged.some((line) => line.includes('/v1/events/stream'))).toBe(true);
  expect(logged.join('\n')).not.toContain('secret-of-a-page');
});

test.each(['gzip', 'GZIP', 'identity, gzip', 'x-anything', 'br'])(
  'given a body that is compressed as %s, when it arrives, then it is refused unread',
  async (encoding) => {
    const headers = { ...AUTHORIZATION, 'content-type': 'application/json', 'content-length': '4000000' };
    const answer = await ask('POST /v1/tasks', { ...headers, 'content-encoding': encoding });

    expect([answer.status, answer.body.includes('without Content-Encoding')]).toEqual([415, true]);
  },
);

test('given a caller, when it asks again and again, then each answer says how often it still may', async () => {
  const startedAt = performance.now();
  const answers = [await ask('GET /v1/me', AUTHORIZATION), await ask('GET /v1/me', AUTHORIZATION)];
  const cameBack = ((performance.now() - startedAt) / 1_000) * TOKEN_RATE.perSecond;
  const foreign = await ask('GET /healthz', AUTHORIZATION);

  for (const { of } of answers) {
    const [limit = 0, left = 0, reset = 0] = ['limit', 'remaining', 'reset'].map((name) =>
      Number(of(`x-ratelimit-${name}`)),
    );
    expect(limit).toBe(TOKEN_RATE.burst);
    expect(left).toBeGreaterThan(0);
    expect(left).toBeLessThanOrEqual(Math.min(limit, limit - 1 + cameBack));
    expect(reset > 0).toBe(left < limit);
  }
  expect(foreign.of('x-ratelimit-limit')).toBeUndefined();
});
