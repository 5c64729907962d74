/** Browsers at the port: the files of the dashboard, sign-in by ticket or token, and what a cookie may do from which page. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { openTestDatabase } from '@drover/store/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import type { Coordinator } from '../../src/index.ts';
import { callAs, replica, SECRET } from '../support/coordinator.ts';
import { requestOf, sendRaw } from '../support/raw-socket.ts';
import { waitFor } from '../support/wait-for.ts';

let first: Coordinator;
/** Another replica of the same database, without a build. */
let second: Coordinator;
const stack = new AsyncDisposableStack();
beforeAll(async () => {
  const directory = await mkdtemp(path.join(os.tmpdir(), 'dashboard-'));
  stack.defer(() => rm(directory, { recursive: true, force: true }));
  await mkdir(path.join(directory, 'assets'));
  await writeFile(path.join(directory, 'index.html'), '<!doctype html><title>pages</title>');
  await writeFile(path.join(directory, 'assets/index-1.js'), 'export {};');
  await writeFile(path.join(directory, 'secret.js'), 'secret');
  const { connectionString } = stack.use(await openTestDatabase());
  first = stack.use(await replica(connectionString, { dashboardDir: directory }));
  second = stack.use(await replica(connectionString, { project: null }));
});
afterAll(() => stack.disposeAsync());

interface Asked {
  readonly method?: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly at?: Coordinator;
}

/** Asks as a page of the coordinator itself does, unless the headers say otherwise. */
function ask(target: string, { method = 'GET', body, headers = {}, at = first }: Asked = {}): Promise<Response> {
  return fetch(`${at.url}${target}`, {
    method,
    headers: { 'content-type': 'application/json', origin: at.url, ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
}

function signIn(body: unknown, more: Omit<Asked, 'body' | 'method'> = {}): Promise<Response> {
  return ask('/session', { ...more, method: 'POST', body });
}

async function ticket(): Promise<string> {
  const made = (await callAs({ url: first.url, token: SECRET }, 'session.ticket')) as { readonly ticket: string };
  return made.ticket;
}

/** Returns the cookie of a browser that signs in with a token, as it sends it. */
async function cookieBy(token: string): Promise<string> {
  const response = await signIn({ token });
  expect(response.status).toBe(200);
  return (response.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
}

async function personToken(name: string, role: string): Promise<string> {
  const input = { name, role, expiresInMs: null };
  const made = await callAs({ url: first.url, token: SECRET }, 'tokens.create', input);
  return (made as { readonly secret: string }).secret;
}

/** Returns the status with which an upgrade is answered; 101: it was not refused. */
function upgrade(target: string, headers: Readonly<Record<string, string>>): Promise<number> {
  const socket = new WebSocket(`${first.url.replace('http', 'ws')}${target}`, { headers });
  return new Promise((resolve) => {
    socket.on('error', () => {});
    socket.on('open', () => {
      socket.terminate();
      resolve(101);
    });
    socket.on('unexpected-response', (_request, response) => resolve(response.statusCode ?? 0));
  });
}

test.each([
  '/',
  '/sign-in',
  '/workers/shop/adam',
  '/review',
  '/review/shop/adam',
  '/panes',
  '/machines',
  '/runs',
  '/runs/1a2b3c4d',
])(
  'given a build, when a browser opens %s, then it gets the page, under a policy that allows its own files alone',
  async (page) => {
    const response = await ask(page);

    expect([response.status, await response.text()]).toEqual([200, '<!doctype html><title>pages</title>']);
    const policy = response.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toMatch(/unsafe|\*|https?:/u);
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    expect(response.headers.get('referrer-policy')).toBe('no-referrer');
  },
);

test('given a link in a mail that another web page shows, when a person follows it, then the page opens', async () => {
  const headers = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' };
  const opened = async (target: string): Promise<number> => {
    const request = requestOf(`GET ${target}`, { host: 'localhost', connection: 'close', ...headers });
    return Number((await sendRaw(first.url, request)).slice(9, 12));
  };

  expect([await opened('/workers/shop/adam'), await opened('/trpc/info'), await opened('/session')]).toEqual([
    200, 403, 403,
  ]);
});

test.each([
  ['/assets/index-1.js', 200],
  ['/assets/..%2Fsecret.js', 404],
  ['/assets/%2e%2e%2fsecret.js', 404],
  ['/assets/none.js', 404],
  ['/assets/index-1.html', 404],
  ['/assets/.hidden.js', 404],
])('given a build, when %s is asked for, then the status is %d', async (target, status) => {
  expect((await ask(target)).status).toBe(status);
});

test('given no build, when a browser opens a page, then it is told in words what to do', async () => {
  const response = await ask('/', { at: second });

  expect([response.status, response.headers.get('content-type')]).toEqual([503, 'text/plain; charset=UTF-8']);
  expect(await response.text()).toContain('npm run build:dashboard');
});

test('given a ticket, when browsers at two replicas use it at once, then one of them is signed in', async () => {
  const given = await ticket();

  const answers = await Promise.all([
    signIn({ ticket: given }),
    signIn({ ticket: given }, { at: second }),
    signIn({ ticket: given }),
  ]);

  expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 401, 401]);
  expect(answers.filter(({ headers }) => headers.has('set-cookie'))).toHaveLength(1);
  expect(await answers.find(({ status }) => status === 401)?.text()).toContain('This link was used already');
});

test('given a person who signs in, then no script reads the cookie, no other site sends it, and TLS alone carries it where there is TLS', async () => {
  const plain = (await signIn({ token: SECRET })).headers.get('set-cookie') ?? '';
  const host = new URL(first.url).host;
  const secure = (await signIn({ token: SECRET }, { headers: { origin: `https://${host}` } })).headers.get(
    'set-cookie',
  );

  expect(plain).toMatch(/^drover-[\w-]{12}=[\w-]+; Max-Age=\d+; Path=\/; HttpOnly; SameSite=Strict$/u);
  expect(secure).toContain('; Secure');
  expect(plain).not.toContain(SECRET);
});

test.each([
  ['another page', { origin: 'https://evil.example' }, 403],
  ['another port of this computer', { origin: 'http://127.0.0.1:1' }, 403],
  ['a page without a name', { origin: 'null' }, 403],
])('given a token, when %s signs in with it, then it is refused', async (_, headers, status) => {
  expect((await signIn({ token: SECRET }, { headers })).status).toBe(status);
});

/** Sends a request as a program does, which names no page. */
function send(method: 'POST' | 'DELETE'): Promise<Response> {
  const body = method === 'POST' && { body: JSON.stringify({ token: SECRET }) };
  return fetch(`${first.url}/session`, { method, ...body });
}

test('given a program that names no page, when it signs in or out, then it is refused: a browser always names one', async () => {
  expect([(await send('POST')).status, (await send('DELETE')).status]).toEqual([403, 403]);
});

test.each([
  [{}, 400],
  [{ ticket: 'x' }, 401],
  [{ token: 'x'.repeat(43) }, 401],
  [{ ticket: 'x', token: 'y' }, 400],
  ['text', 400],
])(
  'given the proof %j, when a browser signs in, then the status is %d, and no cookie is set',
  async (proof, status) => {
    const response = await signIn(proof);

    expect([response.status, response.headers.has('set-cookie')]).toEqual([status, false]);
  },
);

test('given a bot, when it signs in, then it is refused: a page is for people', async () => {
  const input = { name: 'bot-1', role: 'responder', expiresInMs: null, channels: ['telegram'] };
  const { secret } = (await callAs({ url: first.url, token: SECRET }, 'tokens.create', input)) as { secret: string };

  expect((await signIn({ token: secret })).status).toBe(401);
});

test('given a cookie, when its page reads and orders, then both are served, at every replica', async () => {
  const cookie = await cookieBy(SECRET);

  expect((await ask('/trpc/session.show', { headers: { cookie } })).status).toBe(200);
  expect((await ask('/trpc/session.show', { headers: { cookie }, at: second })).status).toBe(200);
  const ordered = await ask('/trpc/fleet.up', {
    method: 'POST',
    body: { requestId: crypto.randomUUID() },
    headers: { cookie },
  });
  expect(ordered.status).toBe(200);
});

test.each([
  ['a foreign page', { origin: 'https://evil.example' }, 403],
  ['a page of another port', { origin: 'http://localhost:1' }, 403],
])('given a cookie, when %s orders, reads or opens a line with it, then it is refused', async (_, headers, status) => {
  const cookie = await cookieBy(SECRET);
  const asked = { headers: { cookie, ...headers } };

  expect((await ask('/trpc/fleet.stop', { ...asked, method: 'POST', body: {} })).status).toBe(status);
  expect((await ask('/trpc/workers.list', asked)).status).toBe(status);
  expect(await upgrade('/live', asked.headers)).toBe(status);
  expect(await upgrade('/terminal?ticket=x', asked.headers)).toBe(status);
});

test('given a cookie without a page, when it orders or opens a line, then nobody is known by it', async () => {
  const cookie = await cookieBy(SECRET);
  const headers = { cookie, 'content-type': 'application/json' };

  expect((await fetch(`${first.url}/trpc/fleet.stop`, { method: 'POST', headers, body: '{}' })).status).toBe(401);
  expect(await upgrade('/live', { cookie })).toBe(401);
  expect(await upgrade('/terminal?ticket=x', { cookie })).toBe(401);
});

test('given a cookie, when the public API or the agents are asked with it, then nobody is known by it', async () => {
  const cookie = await cookieBy(SECRET);

  for (const target of ['/v1/me', '/v1/workers'])
    expect([target, (await ask(target, { headers: { cookie } })).status]).toEqual([target, 401]);
});

test('given a viewer in a browser, when the viewer orders, then it is refused by the role', async () => {
  const cookie = await cookieBy(await personToken('viewer-1', 'viewer'));
  const asked = { method: 'POST', headers: { cookie }, body: { requestId: crypto.randomUUID() } };

  expect((await ask('/trpc/fleet.down', asked)).status).toBe(403);
  expect((await ask('/trpc/workers.list', { headers: { cookie } })).status).toBe(200);
});

test('given a signed-in browser with an open line, when its token is revoked, then the line says so and ends, and the cookie is worth nothing', async () => {
  const cookie = await cookieBy(await personToken('leaver', 'operator'));
  const socket = new WebSocket(`${first.url.replace('http', 'ws')}/live`, { headers: { cookie, origin: first.url } });
  const heard: { readonly kind: string }[] = [];
  socket.on('message', (data) => heard.push(JSON.parse(String(data)) as { readonly kind: string }));
  await waitFor(() => heard.length > 0);
  expect(heard[0]).toMatchObject({ kind: 'snapshot', workers: [], questions: [] });

  await callAs({ url: first.url, token: SECRET }, 'tokens.revoke', { name: 'leaver', own: false, force: false });

  await waitFor(() => socket.readyState === WebSocket.CLOSED);
  expect(heard.at(-1)?.kind).toBe('over');
  expect((await ask('/trpc/workers.list', { headers: { cookie } })).status).toBe(401);
});

test('given no cookie, when a page asks or opens a line, then nobody is known', async () => {
  expect((await ask('/trpc/workers.list')).status).toBe(401);
  expect(await upgrade('/live', { origin: first.url })).toBe(401);
});

test('given a person who signs out, then the browser forgets its cookie', async () => {
  const cookie = await cookieBy(SECRET);

  const response = await ask('/session', { method: 'DELETE', headers: { cookie } });

  expect([response.status, response.headers.get('set-cookie')]).toEqual([200, expect.stringContaining('Max-Age=0')]);
});
