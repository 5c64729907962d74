/** Reaches every status that the document promises for a route, by a client that knows the document alone; a new one fails until a call does. */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { checkpoint } from '@drover/store/testing';
import { describe, expect, test } from 'vitest';
import { Door } from '../../src/door/door.ts';
import { startServer } from '../../src/http/server.ts';
import { tokenOf } from '../../src/facts/escalations/link.ts';
import { DEFAULT_QUEUE } from '../../src/context/queue-settings.ts';
import { ADA, fleetOfTwo, once, type Scene, type Sent } from '../support/fleet-of-two.ts';
import { noTerminals } from '../support/no-terminals.ts';
import { operationsOf, type Document } from '../support/openapi.ts';
import { settled } from './client/asked.ts';
import { CALLS, linkTo, type Call } from './client/calls.ts';
import { clientOf, type V1Client } from './client/client.ts';
import { REFUSED_RUNS } from './client/refused-runs.ts';

const untouched = once(fleetOfTwo);
const document = await readDocument();
const OPERATIONS = operationsOf(document);
const ADMIN = { path: { name: 'admin+fleet' } };

async function readDocument(): Promise<Document> {
  const scene = await untouched();
  const response = await scene.send('/v1/openapi.json', { method: 'GET', caller: 'none' });
  return (await response.json()) as Document;
}

/** Spoils a good call on its way, so that it is refused. */
type Spoil = (sent: Sent & { readonly path: string }) => Sent & { readonly path: string };

/** Builds a client of the scene, whose requests are spoiled on their way. */
function apiOf(scene: Scene, spoil: Spoil = (sent) => sent): V1Client {
  return clientOf(document, async (request) => {
    const { pathname, search } = new URL(request.url);
    const key = request.headers.get('idempotency-key');
    const body = await request.text();
    const { path, ...sent } = spoil({
      path: `${pathname}${search}`,
      method: request.method,
      caller: 'admin+fleet',
      ...(body !== '' && { body }),
      ...(key !== null && { headers: { 'idempotency-key': key } }),
    });
    return scene.send(path, sent);
  });
}

/** Spoiled calls by the status of their refusal; `template` is the path of the route. */
const SPOILT: Readonly<Record<number, (template: string) => Spoil>> = {
  400: () => (sent) => ({ ...sent, body: '{' }),
  401: () => (sent) => ({ ...sent, caller: 'none' }),
  403: () => (sent) => ({ ...sent, caller: 'bot' }),
  404: (template) => (sent) => ({ ...sent, path: template.replaceAll(/\{\w+\}/gu, 'abcdef0123') }),
  410: (template) => (sent) => ({ ...sent, path: `${template}?after=nonsense` }),
  413: () => (sent) => ({ ...sent, body: 'x'.repeat(3_200_000) }),
  415: () => (sent) => ({ ...sent, headers: { 'content-type': 'text/plain' } }),
  422: () => (sent) =>
    sent.body === undefined
      ? { ...sent, path: `${sent.path}${sent.path.includes('?') ? '&' : '?'}no-such-field=1` }
      : { ...sent, body: '{"no such field":1}' },
};

/** Calls that only this route refuses, or refuses otherwise than the rest. */
const OWN: Readonly<Record<string, Readonly<Record<number, Call>>>> = {
  'GET /v1/escalations': { 404: (api) => api.GET('/v1/escalations', { params: { query: { project: 'none' } } }) },
  'GET /v1/checkpoints': { 404: (api) => api.GET('/v1/checkpoints', { params: { query: { worker: 'nobody' } } }) },
  'GET /v1/report': { 404: (api) => api.GET('/v1/report', { params: { query: { worker: 'nobody' } } }) },
  'POST /v1/tasks': {
    404: (api) => api.POST('/v1/tasks', { body: { worker: 'nobody', prompt: 'x' } }),
    409: (api) => api.POST('/v1/tasks', { body: { project: 'shop', prompt: 'x' } }),
  },
  'POST /v1/workers/{name}/message': atWorker((api, path) =>
    api.POST('/v1/workers/{name}/message', { params: { path }, body: { text: 'hello' } }),
  ),
  'POST /v1/workers/{name}/cancel': atWorker((api, path) =>
    api.POST('/v1/workers/{name}/cancel', { params: { path } }),
  ),
  'POST /v1/workers/{name}/reject': atWorker((api, path) =>
    api.POST('/v1/workers/{name}/reject', { params: { path }, body: { text: 'not so' } }),
  ),
  'POST /v1/workers/{name}/accept': atWorker((api, path) =>
    api.POST('/v1/workers/{name}/accept', { params: { path }, body: { head: 'b'.repeat(40) } }),
  ),
  'POST /v1/escalations/{id}/ack': afterwards('ack'),
  'POST /v1/escalations/{id}/snooze': afterwards('snooze'),
  'POST /v1/escalations/{id}/escalate': afterwards('escalate'),
  'POST /v1/escalations/{id}/resolve': afterwards('resolve'),
  'POST /v1/queue': {
    404: (api) => api.POST('/v1/queue', { body: { priority: 'S3', prompt: 'x', project: 'nothing' } }),
    409: async (api, { store, own }) => {
      const item = await store.readQueueItem(own.item);
      if (item === null) throw new Error('The item is gone');
      await store.transaction(async (tx) => {
        for (let at = 0; at < DEFAULT_QUEUE.itemsMax; at += 1)
          await tx.insertQueueItem({ ...item, id: randomUUID(), dedupeKey: `many ${at}` });
      });
      return api.POST('/v1/queue', { body: { priority: 'S3', prompt: 'x', project: 'shop' } });
    },
  },
  'POST /v1/queue/{id}/drop': {
    409: async (api, scene) => {
      await taken(scene);
      return good('POST /v1/queue/{id}/drop')(api, scene);
    },
    410: async (api, scene) => {
      await good('POST /v1/queue/{id}/drop')(api, scene);
      return good('POST /v1/queue/{id}/drop')(api, scene);
    },
  },
  'POST /v1/queue/{id}/retry': {
    409: async (api, scene) => {
      await taken(scene);
      return api.POST('/v1/queue/{id}/retry', { params: { path: { id: scene.own.item } } });
    },
  },
  'POST /v1/checkpoints': { 404: (api) => api.POST('/v1/checkpoints', { body: { worker: 'none' } }) },
  'POST /v1/checkpoints/{id}/check': {
    409: async (api, scene) => {
      const { store, own } = scene;
      const row = (await store.listWorkers()).find(({ name }) => name === own.worker);
      if (row === undefined) throw new Error('The worker is gone');
      const kept = checkpoint(row, { id: randomUUID(), commit: 'c'.repeat(40) });
      await store.transaction((tx) => tx.insertCheckpoint(kept));
      return api.POST('/v1/checkpoints/{id}/check', { params: { path: { id: kept.id } } });
    },
  },
  'POST /v1/tokens': {
    404: (api) => api.POST('/v1/tokens', { body: { name: 'pager', role: 'viewer', project: 'nothing' } }),
    409: (api) => api.POST('/v1/tokens', { body: { name: 'viewer', role: 'viewer' } }),
  },
  'PATCH /v1/tokens/{name}': {
    409: (api) => api.PATCH('/v1/tokens/{name}', { params: ADMIN, body: { expiresInMs: 60_000 } }),
  },
  'DELETE /v1/tokens/{name}': { 409: (api) => api.DELETE('/v1/tokens/{name}', { params: ADMIN }) },
  'POST /v1/people': {
    404: (api) => api.POST('/v1/people', { body: { name: 'ben', role: 'viewer', project: 'nothing' } }),
    409: (api) => api.POST('/v1/people', { body: { name: 'ada', role: 'viewer' } }),
  },
  'POST /v1/people/{name}/mail': {
    409: async (api, scene) => {
      await good('POST /v1/people')(api, scene);
      const ben = { path: { name: 'ben' } };
      await api.POST('/v1/people/{name}/mail', { params: ben, body: { address: 'ada@example.com' } });
      return good('POST /v1/people/{name}/mail')(api, scene);
    },
  },
  'POST /v1/silences': {
    404: (api) => api.POST('/v1/silences', { body: { worker: 'nobody', forMs: 60_000, reason: 'x' } }),
  },
  'POST /v1/webhook-endpoints': {
    404: (api) =>
      api.POST('/v1/webhook-endpoints', { body: { name: 'pager', url: 'https://example.com/', project: 'nothing' } }),
    409: (api) => api.POST('/v1/webhook-endpoints', { body: { name: 'hook', url: 'https://example.com/' } }),
  },
  'POST /v1/webhook-endpoints/{name}/test': { 409: whenDisabled('POST /v1/webhook-endpoints/{name}/test') },
  'POST /v1/webhook-endpoints/{name}/deliveries/{delivery}/replay': {
    409: whenDisabled('POST /v1/webhook-endpoints/{name}/deliveries/{delivery}/replay'),
  },
  ...REFUSED_RUNS,
  'GET /v1/actions': byLink((api, token) => api.GET('/v1/actions', { params: { query: { token } }, parseAs: 'text' })),
  'POST /v1/actions': byLink((api, token) => api.POST('/v1/actions', { body: { token, option: 'retry' } })),
};

function good(name: string): Call {
  const call = CALLS[name];
  if (call === undefined) throw new Error(`${name} has no call in tests/v1/client/calls.ts`);
  return call;
}

/** Calls a worker whose machine has never connected: nothing is asked of the worker. */
function atWorker(call: (api: V1Client, path: { name: string }) => ReturnType<Call>): Readonly<Record<number, Call>> {
  return { 409: (api, { own }) => call(api, { name: own.worker }) };
}

/** Calls about a question that was answered, or no longer needs an answer. */
function afterwards(verb: 'ack' | 'snooze' | 'escalate' | 'resolve'): Readonly<Record<number, Call>> {
  const call = good(`POST /v1/escalations/{id}/${verb}`);
  return {
    409: async (api, scene) => {
      const resolution = { option: 'retry', text: null, by: 'ada', requestId: randomUUID(), at: 1 };
      await settled(scene, { status: 'resolved', resolution });
      return call(api, scene);
    },
    410: async (api, scene) => {
      await settled(scene, { status: 'expired' });
      return call(api, scene);
    },
  };
}

async function taken({ store, own }: Scene): Promise<void> {
  await store.transaction(async (tx) => {
    const item = await tx.lockQueueItem(own.item);
    if (item !== null) await tx.saveQueueItem({ ...item, status: 'taken' });
  });
}

function whenDisabled(name: string): Call {
  return async (api, scene) => {
    await scene.store.transaction(async (tx) => {
      const [hook] = await scene.store.listWebhookEndpoints();
      if (hook !== undefined) await tx.saveWebhookEndpoint({ ...hook, disabledAt: 1, disabledWhy: 'It is gone.' });
    });
    return good(name)(api, scene);
  };
}

/** Calls by a closed link, of readers and of users. */
function byLink(use: (api: V1Client, token: string) => ReturnType<Call>): Readonly<Record<number, Call>> {
  return {
    403: async (api, { ctx, own }) => use(api, tokenOf(ctx, { escalation: own.escalation, asked: 1, person: ADA })),
    404: (api) => use(api, 'no-link'),
    422: (api) => use(api, ''),
    409: async (api, scene) => {
      await settled(scene, { asked: 2 });
      return use(api, await linkTo(scene));
    },
    410: async (api, scene) => {
      await settled(scene, { status: 'expired' });
      return use(api, await linkTo(scene));
    },
  };
}

/** Statuses that need a machine, which never connects here: `tests/tasks/from-start-to-merge.test.ts` and `apps/cli/tests/runs` test them. */
const NEEDS_MACHINE =
  /^(?:GET \S+\/conversation|POST \S+\/review|POST \/v1\/checkpoints|POST \/v1\/runs(?:\/\{id\}\/retry)?) 200$/u;

describe.each(OPERATIONS)('$name', ({ name, path, operation }) => {
  const statuses = Object.keys(operation.responses)
    .map(Number)
    .filter((status) => status !== 411 && status !== 429 && !NEEDS_MACHINE.test(`${name} ${status}`));

  test.each(statuses)('gives %i as the document promises', async (status) => {
    const own = OWN[name]?.[status];
    // A read changes nothing, and shares its scene.
    const scene = await (own === undefined && status !== 500 && name.startsWith('GET ') ? untouched() : fleetOfTwo());
    const losing: Spoil = (sent) => {
      scene.loseDatabase();
      return sent;
    };
    const spoil = own === undefined ? SPOILT[status]?.(path) : undefined;
    const { response } = await (own ?? good(name))(apiOf(scene, status === 500 ? losing : spoil), scene);

    expect(response.status).toBe(status);
  });
});

/** Serves the routes behind a real port. */
async function atDoor(call: (parts: { readonly url: string; readonly door: Door }) => Promise<void>): Promise<void> {
  const { ctx, app, commands } = await fleetOfTwo();
  using door = new Door({
    hosts: { listened: '127.0.0.1', allowed: [] },
    trustedProxies: [],
    elapsed: () => 0,
    clock: ctx.clock,
    log: () => {},
  });
  await using server = await startServer({ ctx, app, commands, door, ...noTerminals(ctx), host: '127.0.0.1', port: 0 });
  await call({ url: server.url, door });
}

describe('at the door', () => {
  const BODIES = OPERATIONS.filter(({ operation }) => operation.requestBody !== undefined);

  test('given a body without its length, when it is sent to any route, then it is refused, as the document promises', async () => {
    await atDoor(async ({ url }) => {
      for (const { name } of BODIES) {
        // A body that is a stream is sent in chunks.
        const api = clientOf(document, (request) => fetch(new Request(url + new URL(request.url).pathname, request)));
        const { response } = await good(name)(api, await untouched());
        expect([name, response.status]).toEqual([name, 411]);
      }
    });
  });

  test('given a caller who asks too often, when it calls any route, then it is told when to come again, as the document promises', async () => {
    await atDoor(async ({ url, door }) => {
      const flood = {
        method: 'GET',
        url: '/healthz',
        headers: { host: '127.0.0.1' },
        rawHeaders: ['host', '127.0.0.1'],
        socket: { remoteAddress: '127.0.0.1' },
      };
      while (door.check(flood as unknown as IncomingMessage) === null) continue;
      const api = clientOf(document, async (request) => {
        const { method, headers } = request;
        const body = await request.text();
        return fetch(url + new URL(request.url).pathname, { method, headers, ...(body !== '' && { body }) });
      });
      for (const { name } of OPERATIONS) {
        const { response } = await good(name)(api, await untouched());
        expect([name, response.status, response.headers.get('retry-after')]).toEqual([name, 429, '1']);
      }
    });
  });
});
