/** Answers of the public API beside their bodies: ids, methods, sizes, replays. On a store in memory, without a socket. */
import { gunzipSync } from 'node:zlib';
import { v1Document } from '@drover/api';
import { expect, test } from 'vitest';
import { fleetOfTwo } from '../support/fleet-of-two.ts';
import type { Sent } from '../support/fleet-of-two.ts';

const GET = { method: 'GET', caller: 'admin+fleet' } as const;

test.each([
  ['a uuid', '01900000-0000-7000-8000-000000000001'],
  ['a word', 'board_7=x'],
  ['128 letters', 'a'.repeat(128)],
])(
  'given a request with an id that is %s, when it is answered, then the answer and its problem have that id',
  async (_what, id) => {
    const scene = await fleetOfTwo();
    const sent = { ...GET, headers: { 'x-request-id': id } };

    const [good, bad] = [await scene.send('/v1/me', sent), await scene.send('/v1/workers/nobody', sent)];

    expect([good.headers.get('x-request-id'), bad.headers.get('x-request-id')]).toEqual([id, id]);
    expect(await bad.json()).toMatchObject({ code: 'not-found', requestId: id });
  },
);

test.each([
  ['none', undefined],
  ['129 letters', 'a'.repeat(129)],
  ['a second header in it', 'a%0d%0aset-cookie: x=1'],
  ['markup', '<script>'],
  ['a tab', 'a\tb'],
  ['a letter of another script', 'é'],
])('given a request with an id that is %s, when it is answered, then it has a new id', async (_what, id) => {
  const scene = await fleetOfTwo();
  const headers: Readonly<Record<string, string>> = id === undefined ? {} : { 'x-request-id': id };

  const answers = [
    await scene.send('/v1/nothing', { ...GET, headers }),
    await scene.send('/v1/me', { ...GET, headers }),
  ];

  const ids = answers.map((answer) => answer.headers.get('x-request-id') ?? '');
  expect(ids.every((one) => /^[0-9a-f-]{36}$/u.test(one))).toBe(true);
  expect(new Set(ids).size).toBe(2);
  expect(await answers[0]?.json()).toMatchObject({ requestId: ids[0] });
});

test('given a call that fails, when it is logged, then the line has the id of its request', async () => {
  const scene = await fleetOfTwo();
  const lines: unknown[] = [];
  Object.assign(scene.ctx, { log: (_level: string, _message: string, fields: unknown) => void lines.push(fields) });
  Object.assign(scene.store, { listWorkers: () => Promise.reject(new Error('broken')) });

  const answer = await scene.send('/v1/workers', { ...GET, headers: { 'x-request-id': 'mine' } });

  expect(answer.status).toBe(500);
  expect(lines).toEqual([expect.objectContaining({ requestId: 'mine' })]);
});

test.each([
  ['PUT', '/v1/escalations', 'GET, HEAD'],
  ['DELETE', '/v1/tasks', 'GET, HEAD, POST'],
  ['GET', '/v1/workers/adam/message', 'POST'],
  ['PATCH', '/v1/actions', 'GET, HEAD, POST'],
  ['PUT', '/v1/channels/telegram/work', 'GET, HEAD, DELETE'],
  ['POST', '/v1/openapi.json', 'GET, HEAD'],
  ['GET', '/internal/tick', 'POST'],
] as const)('given a %s of %s, when it is sent, then 405 says that it takes %s', async (method, path, allow) => {
  const scene = await fleetOfTwo();

  const answer = await scene.send(path, { method, caller: 'admin+fleet', ...(method !== 'GET' && { body: {} }) });

  expect([answer.status, answer.headers.get('allow')]).toEqual([405, allow]);
  expect(await answer.json()).toMatchObject({ code: 'method-not-allowed' });
});

test('given a path that is none, when any method is sent, then it is 404', async () => {
  const scene = await fleetOfTwo();

  for (const method of ['GET', 'POST', 'DELETE'])
    expect((await scene.send('/v1/no-such-thing', { method, caller: 'admin+fleet' })).status).toBe(404);
});

const ZIPPED: Sent = { ...GET, headers: { 'accept-encoding': 'gzip, deflate, br' } };

test('given a reader who takes gzip, when an answer is large, then it is compressed and the same', async () => {
  const scene = await fleetOfTwo();

  const [plain, zipped] = [await scene.send('/v1/openapi.json', GET), await scene.send('/v1/openapi.json', ZIPPED)];

  expect(zipped.headers.get('content-encoding')).toBe('gzip');
  expect(zipped.headers.get('vary')).toContain('Accept-Encoding');
  const bytes = Buffer.from(await zipped.arrayBuffer());
  const text = await plain.text();
  expect(gunzipSync(bytes).toString()).toBe(text);
  expect(bytes.length).toBeLessThan(text.length / 4);
});

test.each([
  ['a small answer', '/v1/me', ZIPPED],
  ['an answer for a reader who takes none', '/v1/openapi.json', { ...GET, headers: { 'accept-encoding': 'gzip;q=0' } }],
  ['the answer to HEAD', '/v1/openapi.json', { ...ZIPPED, method: 'HEAD' }],
  ['a new secret', '/v1/webhook-endpoints/hook/rotate-secret', { ...ZIPPED, method: 'POST', body: {} }],
] as const)('given %s, when it is sent, then it is not compressed', async (_what, path, sent) => {
  const scene = await fleetOfTwo();

  const answer = await scene.send(path, sent);

  expect([answer.status, answer.headers.get('content-encoding')]).toEqual([200, null]);
  if (path.includes('secret')) expect(answer.headers.get('cache-control')).toContain('no-transform');
});

test.each(['nonsense', 'escalation,nonsense', 'escalation.nonsense', 'Escalation', '', 'worker.', 'toString'])(
  'given the event types "%s", when they are followed or a webhook wants them, then they are refused by name',
  async (types) => {
    const scene = await fleetOfTwo();
    const query = new URLSearchParams({ types }).toString();
    const body = { name: 'pager', url: 'https://example.com/', types: types.split(',') };

    const answers = [
      await scene.send(`/v1/events?${query}`, GET),
      await scene.send(`/v1/events/stream?${query}`, GET),
      await scene.send('/v1/webhook-endpoints', { method: 'POST', caller: 'admin+fleet', body }),
    ];

    for (const answer of answers) {
      expect(answer.status).toBe(422);
      expect(await answer.text()).toContain('take one of escalation.opened');
    }
  },
);

test('given types that there are, when they are followed, then they are taken', async () => {
  const scene = await fleetOfTwo();

  expect((await scene.send('/v1/events?types=escalation,%20worker.status', GET)).status).toBe(200);
});

test('given the document, when its arrays are read, then each says what its items are', () => {
  const without: string[] = [];
  const walk = (value: unknown, place: string): void => {
    if (typeof value !== 'object' || value === null) return;
    const { type, items } = value as { readonly type?: unknown; readonly items?: unknown };
    if (type === 'array' && (typeof items !== 'object' || items === null)) without.push(place);
    for (const [name, inner] of Object.entries(value)) walk(inner, `${place}/${name}`);
  };
  walk(v1Document('0'), '');

  expect(without).toEqual([]);
});

interface Responses {
  readonly responses: Readonly<Record<string, { readonly content: object }>>;
}

test('given the document, when its events are read, then a route has one content type, and each type of event one form of its subject', () => {
  const { paths, components } = v1Document('0') as {
    readonly paths: Readonly<Record<string, { readonly get?: Responses }>>;
    readonly components: { readonly schemas: Readonly<Record<string, object>> };
  };

  const typesOf = (path: string) => Object.keys(paths[path]?.get?.responses['200']?.content ?? {});
  expect([typesOf('/v1/events'), typesOf('/v1/events/stream')]).toEqual([['application/json'], ['text/event-stream']]);
  const { oneOf, discriminator } = components.schemas['Event'] as {
    readonly oneOf: readonly object[];
    readonly discriminator: { readonly propertyName: string; readonly mapping: Readonly<Record<string, string>> };
  };
  expect(discriminator.propertyName).toBe('type');
  expect(Object.keys(discriminator.mapping)).toHaveLength(oneOf.length);
  expect(components.schemas['EventWorkerStatus']).toMatchObject({
    properties: { type: { const: 'worker.status' }, subject: { required: expect.arrayContaining(['status', 'from']) } },
  });
});
