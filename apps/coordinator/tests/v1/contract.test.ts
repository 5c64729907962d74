/**
 * The public API against its own document: whatever is sent, the document promises every answer, and none is a fault. Each code that the
 * document names is reached.
 */
import { randomUUID } from 'node:crypto';
import { PROBLEMS } from '@drover/api';
import type { Problem, ProblemCode } from '@drover/api';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fleetOfTwo } from '../support/fleet-of-two.ts';
import type { Caller, Scene, Sent } from '../support/fleet-of-two.ts';
import { settled } from './client/asked.ts';
import { operationsOf, resolved, textOf, undocumented, valuesOf } from '../support/openapi.ts';
import type { Document, Operation } from '../support/openapi.ts';

const { document, text: DOCUMENT_TEXT } = await readDocument();
const OPERATIONS = operationsOf(document);

async function readDocument(): Promise<{ readonly document: Document; readonly text: string }> {
  const scene = await fleetOfTwo();
  const response = await scene.send('/v1/openapi.json', { method: 'GET', caller: 'none' });
  const text = await response.text();
  return { document: JSON.parse(text) as Document, text };
}

test('given the document, when it is read, then it is OpenAPI 3.1, each operation has an id of its own, and every reference leads somewhere', () => {
  const ids = OPERATIONS.map(({ operation }) => operation.operationId);

  expect(document.openapi).toBe('3.1.0');
  expect(new Set(ids).size).toBe(ids.length);
  expect(() => resolved(document, JSON.parse(DOCUMENT_TEXT) as object)).not.toThrow();
});

test('given the page of the documentation, when it is opened, then it names every route, runs no script and asks no other host', async () => {
  const scene = await fleetOfTwo();
  const response = await scene.send('/v1/docs', { method: 'GET', caller: 'none' });
  const page = await response.text();

  for (const { name } of OPERATIONS) expect(page).toContain(`<code>${name}</code>`);
  expect(page).not.toMatch(/<script|https?:\/\//iu);
  expect(response.headers.get('content-security-policy')).toContain("default-src 'none'");
});

describe.each(OPERATIONS)('$name', ({ method, path, operation }) => {
  test('given any input, when it is sent, then the answer is one that the document promises, and no fault', async () => {
    const scene = await fleetOfTwo();
    await discussed(scene);
    await fc.assert(
      fc.asyncProperty(requestsOf(operation, scene), async ({ values, query, body, key, caller }) => {
        const place = path.replaceAll(/\{(\w+)\}/gu, (_whole, name: string) => encodeURIComponent(values[name] ?? 'x'));
        const given = Object.entries(query).flatMap(([name, value]): [string, string][] =>
          value === undefined ? [] : [[name, value]],
        );
        const search = new URLSearchParams(given).toString();
        const headers = key === null ? {} : { 'idempotency-key': key };
        const sent: Sent = { method, caller, body, headers };
        expect(await unpromised(scene, operation, { path: `${place}?${search}`, sent })).toBeNull();
      }),
      { numRuns: 15, examples: [[aboutOwnOf(operation, scene)]] },
    );
  }, 120_000);
});

/** Builds a request about existing rows within scope, which chance may miss. */
function aboutOwnOf(operation: Operation, { own }: Scene): Asked {
  const { parameters = [] } = operation;
  const names = parameters.filter((one) => one.in === 'path').map(({ name }) => name);
  const values = Object.fromEntries(names.map((name) => [name, name === 'name' ? own.worker : own.escalation]));
  return { values, query: {}, body: {}, key: null, caller: 'operator' };
}

/** Adds responses of people to a question. */
async function discussed(scene: Scene): Promise<void> {
  const { escalation: id } = scene.own;
  const said = { id, text: 'I look at it' };
  await scene.call('escalations.comment', { caller: 'responder', input: { requestId: randomUUID(), ...said } });
  await scene.call('escalations.resolve', {
    caller: 'responder',
    input: { requestId: randomUUID(), id, option: 'retry', asked: 7 },
  });
}

test('given a question of which people have said things, when it is shown, then they are in the answer, as the document promises', async () => {
  const scene = await fleetOfTwo();
  await discussed(scene);
  const response = await scene.send(`/v1/escalations/${scene.own.escalation}`, { method: 'GET', caller: 'viewer' });
  const text = await response.text();
  const operation = document.paths['/v1/escalations/{id}']?.['get'];

  expect(operation && undocumented(document, operation, { status: 200, type: 'application/json', text })).toBeNull();
  expect(JSON.parse(text)).toMatchObject({
    responses: [
      { kind: 'comment', text: 'I look at it' },
      { kind: 'answer', refused: 'changed' },
    ],
  });
});

test('given an item of the queue that is dropped, when it is dropped again, then the answer says that it is over, as the document promises', async () => {
  const scene = await fleetOfTwo();
  const sent = { method: 'POST', caller: 'operator', body: {} } as const;
  const path = `/v1/queue/${scene.own.item}/drop`;
  await scene.send(path, sent);
  const response = await scene.send(path, sent);
  const text = await response.text();
  const operation = document.paths['/v1/queue/{id}/drop']?.['post'];

  expect(JSON.parse(text)).toMatchObject({ status: 410, code: 'over' });
  expect(
    operation && undocumented(document, operation, { status: 410, type: 'application/problem+json', text }),
  ).toBeNull();
});

test.each([
  ['a zero byte', 'a\0b'],
  ['half a character', 'a\ud800'],
])('given a text with %s, when it is sent, then the field is named and nothing is changed', async (_what, text) => {
  const scene = await fleetOfTwo();
  const body = { worker: scene.own.worker, forMs: 60_000, reason: text };
  const response = await scene.send('/v1/silences', { method: 'POST', caller: 'operator', body });

  expect(await response.json()).toMatchObject({ code: 'invalid', errors: [{ path: 'body.reason' }] });
  expect(await scene.store.listSilences(1)).toHaveLength(2);
});

test('given a cursor whose id is none, when it is sent, then it is lost, and no fault of the database', async () => {
  const scene = await fleetOfTwo();
  const after = `1.${'-'.repeat(36)}`;
  for (const path of ['/v1/escalations', '/v1/tasks']) {
    const response = await scene.send(`${path}?after=${after}`, { method: 'GET', caller: 'viewer' });
    expect(await response.json()).toMatchObject({ status: 410, code: 'cursor-lost' });
  }
});

interface Asked {
  readonly values: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string | undefined>>;
  readonly body: unknown;
  readonly key: string | null;
  readonly caller: Caller;
}

/** Builds requests of an operation: about existing things, and about others. */
function requestsOf(operation: Operation, { own, other }: Scene): fc.Arbitrary<Asked> {
  const { parameters = [], requestBody } = operation;
  const things = [...Object.values(own), ...Object.values(other)];
  // A URL takes these two for directories, and then names another path.
  const word = fc.string({ minLength: 1, maxLength: 20 }).filter((text) => text !== '.' && text !== '..');
  const value = fc.oneof(fc.constantFrom(...things), word);
  const query = parameters.filter((one) => one.in === 'query');
  const body = requestBody?.content['application/json']?.schema;
  return fc.record({
    values: fc.record(
      Object.fromEntries(parameters.filter((one) => one.in === 'path').map(({ name }) => [name, value])),
    ),
    query: fc.record(
      Object.fromEntries(query.map(({ name, schema }) => [name, valuesOf(resolved(document, schema)).map(wordOf)])),
      { requiredKeys: [] },
    ),
    body: body === undefined ? fc.constant({}) : valuesOf(resolved(document, body)),
    key: fc.option(fc.constantFrom('one', 'two', 'three', 'with space')),
    // Callers of one project, and of all: routes for admins alone are reached too.
    caller: fc.constantFrom<Caller>('operator', 'admin+fleet'),
  });
}

/** Formats a value for a query. */
function wordOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

async function unpromised(
  scene: Scene,
  operation: Operation,
  { path, sent }: { readonly path: string; readonly sent: Sent },
): Promise<string | null> {
  const response = await scene.send(path, sent);
  const text = await textOf(response);
  if (response.status >= 500) return `${response.status} ${text}`;
  // A path of another route is out of scope.
  if (response.status === 404 && text.includes('There is nothing at')) return null;
  const type = response.headers.get('content-type')?.split(';')[0] ?? '';
  return undocumented(document, operation, { status: response.status, type, text });
}

/** Requests that reach each code; those of the door and `internal` are in `statuses.test.ts`. */
const REACHED: Readonly<
  Record<
    Exclude<ProblemCode, 'length-required' | 'too-many-requests' | 'internal'>,
    (scene: Scene) => Promise<Response>
  >
> = {
  'not-json': (scene) => answer(scene, '{'),
  unauthorized: (scene) => scene.send('/v1/me', { method: 'GET', caller: 'none' }),
  forbidden: (scene) => scene.send(resolveOf(scene), { method: 'POST', caller: 'viewer', body: RETRY }),
  'not-found': (scene) => scene.send('/v1/escalations/deadbeef', { method: 'GET', caller: 'viewer' }),
  'method-not-allowed': (scene) => scene.send('/v1/escalations', { method: 'DELETE', caller: 'admin+fleet' }),
  'already-resolved': async (scene) => {
    await settled(scene, {
      status: 'resolved',
      resolution: { option: 'retry', text: null, by: 'ada', requestId: randomUUID(), at: 1 },
    });
    return answer(scene, RETRY);
  },
  changed: async (scene) => {
    await settled(scene, { asked: 2 });
    return answer(scene, RETRY);
  },
  stale: (scene) => answer(scene, RETRY),
  over: async (scene) => {
    await settled(scene, { status: 'expired' });
    return answer(scene, RETRY);
  },
  'cursor-lost': (scene) => scene.send('/v1/escalations?after=nonsense', { method: 'GET', caller: 'viewer' }),
  'too-large': (scene) =>
    scene.send(`/v1/workers/${scene.own.worker}/accept`, {
      method: 'POST',
      caller: 'operator',
      body: { head: 'a'.repeat(70_000) },
    }),
  'wrong-type': (scene) => answer(scene, RETRY, { 'content-type': 'text/plain' }),
  invalid: (scene) => answer(scene, { option: 'skip' }),
  'key-reused': async (scene) => {
    await answer(scene, RETRY, { 'idempotency-key': 'k' });
    return answer(scene, { ...RETRY, option: 'other' }, { 'idempotency-key': 'k' });
  },
};

const RETRY = { option: 'retry', asked: 1 };

function resolveOf({ own }: Scene): string {
  return `/v1/escalations/${own.escalation}/resolve`;
}

function answer(scene: Scene, body: unknown, headers: Readonly<Record<string, string>> = {}): Promise<Response> {
  return scene.send(resolveOf(scene), { method: 'POST', caller: 'responder', body, headers });
}

test.each(Object.entries(REACHED))(
  'given what leads to %s, when it is asked, then the problem says so with its status',
  async (code, ask) => {
    const response = await ask(await fleetOfTwo());
    const body = (await response.json()) as Problem;

    expect(response.headers.get('content-type')).toBe('application/problem+json');
    expect(body).toMatchObject({ code, status: PROBLEMS[code as ProblemCode].status, type: 'about:blank' });
    expect(response.status).toBe(body.status);
    if (code === 'already-resolved') expect(body.winner).toEqual({ option: 'retry', by: 'ada', at: 1 });
    if (code === 'changed') expect(body.present?.asked).toBe(2);
  },
);

test('given a message with a key, when its answer is lost and it is sent again, then the worker has it once and the answer is the same', async () => {
  const scene = await fleetOfTwo();
  const path = `/v1/workers/${scene.own.worker}/message`;
  const sent = {
    method: 'POST',
    caller: 'operator',
    body: { text: 'hello' },
    headers: { 'idempotency-key': 'k' },
  } as const;

  const first = await scene.send(path, sent);
  const again = await scene.send(path, sent);
  const others = await scene.send(path, { ...sent, headers: { 'idempotency-key': 'l' } });

  expect(await withoutId(again)).toEqual(await withoutId(first));
  expect([again.status, others.status]).toEqual([first.status, first.status]);
  const replays = [first, again, others].map(({ headers }) => headers.get('idempotency-replayed'));
  expect(replays).toEqual([null, 'true', null]);
  const told = (await scene.store.listEvents({ limit: 50 })).filter(({ event }) => event.kind === 'message-requested');
  expect(told).toHaveLength(2);
});

/** Strips the id: a problem names its request, and each has its own. */
async function withoutId(response: Response): Promise<object> {
  return { ...((await response.json()) as object), requestId: 'any' };
}
