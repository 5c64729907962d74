/** A stranger at the coordinator's port cannot end it, delay it, or use it through a browser. */
import { randomBytes } from 'node:crypto';
import { systemClock } from '@drover/base';
import { openTestDatabase } from '@drover/store/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Coordinator } from '../../src/index.ts';
import * as limits from '../../src/door/limits.ts';
import { call, replica, SECRET } from '../support/coordinator.ts';
import { openRaw, requestOf, sendRaw, upgradeTo } from '../support/raw-socket.ts';
import type { RawLine } from '../support/raw-socket.ts';
import { ScriptedMachine } from '../support/scripted-machine.ts';

const AUTHORIZATION = { authorization: `Bearer ${SECRET}` };

let coordinator: Coordinator;
let databaseUrl = '';
const logged: { readonly message: string; readonly at: number }[] = [];
const stack = new AsyncDisposableStack();
beforeAll(async () => {
  databaseUrl = stack.use(await openTestDatabase()).connectionString;
  coordinator = stack.use(
    await replica(databaseUrl, {
      allowedHosts: ['drover.example.com', 'door.example.com:8443'],
      log: (level, message) => void (level !== 'debug' && logged.push({ message, at: systemClock.elapsed() })),
    }),
  );
});
afterAll(() => stack.disposeAsync());

/** Sends requests more often than a stranger may, until the coordinator closes the connection. */
async function flood(line: RawLine, text: (count: number) => string): Promise<void> {
  for (let count = 0; count < limits.STRANGER_RATE.burst + 1_000; count += 1) line.socket.write(text(count));
  await line.closed;
}

function forwarded(address: string): string {
  return requestOf('GET /healthz', { host: 'localhost', 'x-forwarded-for': `10.0.0.1, ${address}` });
}

function badToken(count: number): string {
  return requestOf('GET /agent/nothing', { host: 'localhost', authorization: `Bearer ${'x'.repeat(30)}${count}` });
}

/** Builds headers of a request that a page of another host makes. */
function foreign(mode: string, dest: string) {
  const site = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': mode, 'sec-fetch-dest': dest };
  return { host: 'localhost', ...site };
}

function ofV1(count: number): string {
  return requestOf('GET /v1/me', { host: 'localhost', authorization: `Bearer ${'y'.repeat(30)}${count}` });
}

async function proveItServes(): Promise<void> {
  expect(await call(coordinator.url, 'info')).toMatchObject({ version: 'test' });
}

test.each(['//', '///', '/\\', '//[', '/agent/ws%', 'http://[', '*', '/agent/ws/../ws', '/%ff%00'])(
  'given an upgrade to %s without a token, when it arrives, then it is refused and the coordinator serves on',
  async (path) => {
    const answer = await sendRaw(coordinator.url, upgradeTo(path));

    expect(answer).toMatch(/^HTTP\/1\.1 4\d\d /);
    await proveItServes();
  },
);

test.each([
  ['/trpc/', {}],
  ['/trpc/', AUTHORIZATION],
  ['/trpc/info,', AUTHORIZATION],
  ['/', {}],
  ['/v1/', AUTHORIZATION],
  ['/agent/', {}],
])(
  'given a request for %sNAME that no route has, when it is refused, then the answer does not repeat the name',
  async (path, headers) => {
    const [name, closing] = ['eyJ-'.repeat(400), { host: 'localhost', connection: 'close' }];

    const answers = [
      await sendRaw(coordinator.url, requestOf(`GET ${path}${name}`, { ...closing, ...headers })),
      await sendRaw(coordinator.url, requestOf(`GET ${path}${name}?batch=1`, { ...closing, ...headers })),
    ];

    for (const answer of answers) {
      expect(answer).toMatch(/^HTTP\/1\.1 [24]\d\d /);
      expect(answer).not.toContain('eyJ-');
    }
  },
);

test('given a link of a question in a mail that a web page shows, when a person follows it, then it is served; a form or a picture of that page is not', async () => {
  const evil = { origin: 'https://evil.example', 'content-length': '0' };
  const answers = [
    await sendRaw(coordinator.url, requestOf('GET /v1/actions?token=x', foreign('navigate', 'document'))),
    await sendRaw(coordinator.url, requestOf('GET /v1/actions?token=x', foreign('navigate', 'iframe'))),
    await sendRaw(coordinator.url, requestOf('GET /v1/actions?token=x', foreign('no-cors', 'image'))),
    await sendRaw(coordinator.url, requestOf('GET /v1/me', foreign('navigate', 'document'))),
    await sendRaw(coordinator.url, requestOf('POST /v1/actions?x', { ...foreign('navigate', 'document'), ...evil })),
  ];

  expect(answers.map((answer) => answer.slice(9, 12))).toEqual(['404', '403', '403', '403', '403']);
});

test.each([
  ['no protocol at all', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03', 400],
  ['an unknown method', requestOf('FETCH /trpc/info', { host: 'localhost' }), 400],
  ['an absolute address', requestOf('GET http://evil.example/', { host: 'localhost' }), 400],
  ['no Host', requestOf('GET /healthz', {}), 400],
  ['a Host that is none', requestOf('GET /healthz', { host: 'a b' }), 400],
  ['two Hosts', 'GET /healthz HTTP/1.1\r\nhost: localhost\r\nhost: localhost\r\n\r\n', 400],
  ['an upgrade to something else', upgradeTo('/agent/ws', { upgrade: 'h2c' }), 426],
  ['an upgrade to elsewhere', upgradeTo('/trpc/info'), 404],
  ['an upgrade without a token', upgradeTo('/agent/ws'), 401],
  ['a chunked body', requestOf('POST /trpc/x', { host: 'localhost', 'transfer-encoding': 'chunked' }), 411],
  ['a body that is too large', requestOf('POST /trpc/x', { host: 'localhost', 'content-length': '99999999' }), 413],
  ['a large hello', requestOf('POST /agent/hello', { host: 'localhost', 'content-length': '100000' }), 413],
  ['a long address', requestOf(`GET /${'a'.repeat(limits.URL_CHARS_MAX)}`, { host: 'localhost' }), 414],
  ['a giant header', requestOf('GET /healthz', { host: 'localhost', x: 'a'.repeat(100_000) }), 431],
  ['many headers', `GET /healthz HTTP/1.1\r\nhost: localhost\r\n${'a: b\r\n'.repeat(1_000)}\r\n`, 431],
])('given %s, when it arrives, then it is refused with the status that says why', async (_what, text, status) => {
  const answer = await sendRaw(coordinator.url, text);

  expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
  await proveItServes();
});

test.each([
  'localhost',
  '127.0.0.1:1',
  '[::1]',
  'drover.example.com',
  'DROVER.example.com:99',
  'door.example.com:8443',
])('given the Host %s, when it asks, then it is served', async (host) => {
  expect(await sendRaw(coordinator.url, requestOf('GET /healthz', { host, connection: 'close' }))).toContain('200 OK');
});

test.each(['evil.example', 'localhost.evil.example', 'door.example.com', '127.0.0.1.evil.example', '203.0.113.7'])(
  'given the Host %s, when it asks or upgrades, then it is told which option names it',
  async (host) => {
    for (const text of [requestOf('GET /healthz', { host, ...AUTHORIZATION }), upgradeTo('/agent/ws', { host })]) {
      const answer = await sendRaw(coordinator.url, text);
      expect(answer).toMatch(/^HTTP\/1\.1 403 /);
      expect(answer).toContain('coordinator.allowed_hosts');
    }
  },
);

test.each([
  [{ origin: 'https://evil.example' }],
  [{ origin: 'null' }],
  [{ origin: 'http://localhost:3000' }],
  [{ origin: 'https://evil.example, http://localhost' }],
  [{ 'sec-fetch-site': 'cross-site' }],
])('given a web page that sends %j, when it asks or upgrades with a token, then it is refused', async (headers) => {
  const asked = requestOf('GET /trpc/info', { host: 'localhost', ...AUTHORIZATION, ...headers });
  for (const text of [asked, upgradeTo('/agent/ws', { ...AUTHORIZATION, ...headers })]) {
    const answer = await sendRaw(coordinator.url, text);
    expect(answer).toMatch(/^HTTP\/1\.1 403 /);
    expect(answer).toContain('origin-not-allowed');
  }
});

test.each([
  ['localhost:4680', 'http://localhost:4680'],
  ['127.0.0.1', 'https://drover.example.com'],
])('given the Host %s and a page of %s, when it asks, then it is served', async (host, origin) => {
  const text = requestOf('GET /healthz', { host, origin, connection: 'close' });

  expect(await sendRaw(coordinator.url, text)).toContain('200 OK');
});

test('given more half-open connections than may stay, when a person asks, then the oldest are closed and the person is served', async () => {
  const lines = [];
  for (let count = 0; count < limits.STRANGERS_OF_ADDRESS_MAX + 200; count += 1) {
    const line = await openRaw(coordinator.url);
    line.socket.write('GET /healthz HTTP/1.1\r\nhost: lo');
    lines.push(line);
  }
  await proveItServes();
  await Promise.all(lines.slice(0, 200).map(({ closed }) => closed));
  const open = lines.filter(({ socket }) => !socket.closed).length;
  for (const { socket } of lines) socket.destroy();

  expect(open).toBeLessThanOrEqual(limits.STRANGERS_OF_ADDRESS_MAX);
});

test('given a machine with a valid token, when it sends frames that are none, then only its connection ends', async () => {
  await using machine = new ScriptedMachine(coordinator.url);
  await machine.join(await coordinator.invite());
  await machine.hello();
  for (const frame of [Buffer.from([0x83, 0x80, 0, 0, 0, 0]), Buffer.from([0x8f, 0xff]), randomBytes(64)]) {
    const line = await openRaw(coordinator.url);
    line.socket.write(upgradeTo('/agent/ws', { authorization: `Bearer ${machine.accessToken}` }));
    await line.until(/101 Switching Protocols/);
    line.socket.write(frame);
    line.socket.end();
    await line.closed;
  }

  await proveItServes();
});

test('given a machine that opens many connections, when it has too many, then the oldest is closed', async () => {
  await using machine = new ScriptedMachine(coordinator.url);
  await machine.join(await coordinator.invite(), 'many');
  await machine.hello();
  const lines = [];
  for (let count = 0; count <= limits.SOCKETS_OF_MACHINE_MAX; count += 1) {
    const line = await openRaw(coordinator.url);
    line.socket.write(upgradeTo('/agent/ws', { authorization: `Bearer ${machine.accessToken}` }));
    await line.until(/101 Switching Protocols/);
    lines.push(line);
  }
  await lines[0]?.closed;

  expect(lines.slice(1).filter(({ socket }) => socket.closed)).toEqual([]);
  for (const { socket } of lines) socket.destroy();
});

test('given a trusted proxy, when one caller behind it asks too often, then that one waits and another is served', async () => {
  await using behind = await replica(databaseUrl, { trustedProxies: ['127.0.0.1'] });
  // The budget that returns each second may let a batch through on a loaded machine: the next one meets the limit.
  let [busy, other] = [false, ''];
  for (let tries = 0; !busy && tries < 50; tries += 1) {
    await flood(await openRaw(behind.url), () => forwarded('203.0.113.7'));
    const [answers, served] = await Promise.all([
      Promise.all(Array.from({ length: 100 }, () => sendRaw(behind.url, `${forwarded('203.0.113.7')}no HTTP`))),
      sendRaw(behind.url, `${forwarded('203.0.113.8')}no HTTP`),
    ]);
    busy = answers.some((answer) => answer.startsWith('HTTP/1.1 429'));
    other = served;
  }

  expect(busy).toBe(true);
  expect(other).toMatch(/^HTTP\/1\.1 200 /);
});

test('given bad tokens without end from one address, when they are too many, then they wait and a known token does not', async () => {
  await proveItServes();
  // The budget that returns each second may let a batch through on a loaded machine: the next one meets the limit.
  let [refused, problem] = ['', ''];
  for (let tries = 0; (refused === '' || problem === '') && tries < 50; tries += 1) {
    await flood(await openRaw(coordinator.url), badToken);
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, count) =>
        sendRaw(coordinator.url, `${(count % 2 === 0 ? badToken : ofV1)(count)}no HTTP`),
      ),
    );
    const late = answers.filter((answer) => answer.startsWith('HTTP/1.1 429'));
    refused = late.find((answer) => !answer.includes('problem+json')) ?? refused;
    problem = late.find((answer) => answer.includes('problem+json')) ?? problem;
  }

  expect(refused).toMatch(/^HTTP\/1\.1 429 Too Many Requests\r\n[^{]*retry-after: 1\r\n/i);
  expect(refused).toContain('retry in 1 s');
  // The public API words the refusal its own way.
  expect(problem).toMatch(/retry-after: 1\r\n/i);
  expect(JSON.parse(problem.slice(problem.indexOf('{')))).toMatchObject({
    type: 'about:blank',
    title: 'Too Many Requests',
    status: 429,
    code: 'too-many-requests',
  });
  await proveItServes();
});

test('given refusals without end, when they are logged, then there is at most one line a second, with a count', async () => {
  const lines = logged.filter(({ message }) => /^(Refused|Closed)/.test(message));
  const gaps = lines.slice(1).map(({ at }, index) => at - (lines[index]?.at ?? 0));

  expect(lines.length).toBeGreaterThan(1);
  expect(Math.min(...gaps)).toBeGreaterThanOrEqual(990);
  expect(lines.some(({ message }) => /\(and \d+ more in the previous second\)$/.test(message))).toBe(true);
});
