import { expect, test } from 'vitest';
import type { Surroundings } from '../surroundings.ts';
import { CallError, createClient } from './calls.ts';
import { ask } from './client.ts';
import type { Ask } from './http-adapter.ts';

function client(answer: unknown): { asked: Parameters<Ask>[]; client: ReturnType<typeof createClient> } {
  const asked: Parameters<Ask>[] = [];
  const http: Ask = async (...question) => {
    asked.push(question);
    return { status: 200, ok: true, text: '', json: async () => answer };
  };
  return {
    asked,
    client: createClient({ url: 'http://c', token: 't', http, timeoutMs: 1_000, pause: async () => {} }),
  };
}

const headers = { authorization: 'Bearer t', 'content-type': 'application/json' };

test('given a query, when it is called, then it is a GET with the input in the address', async () => {
  const { asked, client: it } = client({ result: { data: [] } });

  expect(await it.events.query({ waitMs: 0, limit: 1 })).toEqual([]);

  const [url, options] = asked[0] ?? [];
  expect(decodeURIComponent(url ?? '')).toBe('http://c/trpc/events?input={"waitMs":0,"limit":1}');
  expect(options).toEqual({ headers, timeoutMs: 1_000 });
});

test('given a mutation, when it is called, then it is a POST with the input as its body', async () => {
  const { asked, client: it } = client({ result: { data: 'done' } });

  await it.fleet.up.mutate({ requestId: 'o' });

  expect(asked[0]).toEqual([
    'http://c/trpc/fleet.up',
    { method: 'POST', headers, body: '{"requestId":"o"}', timeoutMs: 1_000 },
  ]);
});

test('given a refusal, when it comes, then its reason and words are kept', async () => {
  const { client: it } = client({ error: { message: 'There is none', code: -32004, data: { reason: 'not-found' } } });

  const error: unknown = await it.workers.list.query().catch((reason: unknown) => reason);

  expect(error).toBeInstanceOf(CallError);
  expect(error).toMatchObject({ reason: 'not-found', message: 'There is none' });
});

test.each([null, 'hello', {}, { error: 'x' }])(
  'given the answer %j of something else, when it comes, then no reason is made up',
  async (answer) => {
    const { client: it } = client(answer);

    await expect(it.workers.list.query()).rejects.toMatchObject({ reason: null });
  },
);

test.each<[string, number, (it: ReturnType<typeof createClient>) => Promise<unknown>]>([
  ['a question', 2, (it) => it.workers.list.query()],
  ['a request with its id', 2, (it) => it.fleet.up.mutate({ requestId: 'o' })],
  ['a request without one', 1, (it) => it.fleet.stop.mutate()],
])('given a connection that breaks, when %s was sent, then it is sent %d times in all', async (_, times, call) => {
  let asked = 0;
  const http: Ask = () => {
    asked += 1;
    return Promise.reject(Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' }));
  };

  const failed = call(createClient({ url: 'http://c', token: 't', http, timeoutMs: 1_000, pause: async () => {} }));

  await expect(failed).rejects.toMatchObject({ reason: null, message: 'the connection broke' });
  expect(asked).toBe(times);
});

test.each([
  [2, 'done', 2],
  [9, 'too-many-requests', 4],
])(
  'given %d answers that it is asked too often, when a call is made, then it pauses as told and gives up in the end',
  async (busy, end, times) => {
    let asked = 0;
    const pauses: number[] = [];
    const http: Ask = async () => {
      asked += 1;
      const refused = { code: 'too-many-requests', message: 'This token asks too often' };
      if (asked < busy) return { status: 429, ok: false, retryAfterSecs: 2, text: '', json: async () => refused };
      return { status: 200, ok: true, text: '', json: async () => ({ result: { data: 'done' } }) };
    };
    const pause = async (ms: number): Promise<void> => void pauses.push(ms);
    const it = createClient({ url: 'http://c', token: 't', http, timeoutMs: 1_000, pause });

    const answer: unknown = await it.fleet.stop.mutate().catch((error: CallError) => error.reason);

    expect({ answer, asked, pauses }).toEqual({ answer: end, asked: times, pauses: Array(times - 1).fill(2_000) });
  },
);

test.each<[string, unknown, number, (it: ReturnType<typeof createClient>) => Promise<unknown>]>([
  ['a question', 'done', 3, (it) => it.workers.list.query()],
  ['a request with its id', 'done', 3, (it) => it.fleet.up.mutate({ requestId: 'o' })],
  ['a request without one', 'status 502', 1, (it) => it.fleet.stop.mutate()],
])(
  'given a proxy that finds no coordinator twice, when %s is sent, then it ends with "%s" after %d tries',
  async (_, end, times, call) => {
    let asked = 0;
    const whys: string[] = [];
    const http: Ask = async () => {
      asked += 1;
      if (asked < 3) return { status: 502, ok: false, text: '', json: async () => JSON.parse('') as unknown };
      return { status: 200, ok: true, text: '', json: async () => ({ result: { data: 'done' } }) };
    };
    const pause = async (_ms: number, why: string): Promise<void> => void whys.push(why);
    const it = createClient({ url: 'http://c', token: 't', http, timeoutMs: 1_000, pause });

    const answer: unknown = await call(it).catch((error: CallError) => error.message);

    expect({ answer, asked, whys }).toEqual({ answer: end, asked: times, whys: Array(times - 1).fill('away') });
  },
);

test.each<[string, string, (it: ReturnType<typeof createClient>) => Promise<unknown>, readonly string[]]>([
  ['is not reached', 'ECONNREFUSED', (it) => it.fleet.stop.mutate(), ['http://a', 'http://b']],
  [
    'breaks, and the call may be repeated',
    'ECONNRESET',
    (it) => it.workers.list.query(),
    ['http://a', 'http://a', 'http://b'],
  ],
  ['breaks, and the call may not be repeated', 'ECONNRESET', (it) => it.fleet.stop.mutate(), ['http://a']],
])(
  'given two coordinators, when the first one %s, then the second is asked only where that is safe',
  async (_, code, call, want) => {
    const asked: string[] = [];
    const http: Ask = async (url, { headers: sent }) => {
      asked.push(url.slice(0, 'http://a'.length));
      if (url.startsWith('http://a')) throw Object.assign(new Error('it failed'), { code });
      expect(sent).toMatchObject({ authorization: 'Bearer tb' });
      return { status: 200, ok: true, text: '', json: async () => ({ result: { data: [] } }) };
    };
    const others = [{ url: 'http://b', token: 'tb', expected: undefined }];

    await call(
      createClient({ url: 'http://a', token: 'ta', others, http, timeoutMs: 1_000, pause: async () => {} }),
    ).catch(() => {});

    expect(asked).toEqual(want);
  },
);

test('given two addresses in DROVER_URL, when the first is not reached, then a command asks the second', async () => {
  const asked: string[] = [];
  const http: Ask = async (url) => {
    asked.push(new URL(url).hostname);
    if (asked.length === 1) throw Object.assign(new Error('refused'), { code: 'ECONNREFUSED' });
    return { status: 200, ok: true, text: '', json: async () => ({ result: { data: 'done' } }) };
  };
  const environment = { url: 'https://a.example, https://b.example', token: 't' };
  const surroundings = { environment, paths: null, worker: null, http, sleep: async () => {} };

  const answer = await ask(surroundings as unknown as Surroundings, (it) => it.fleet.stop.mutate());

  expect({ answer, asked }).toEqual({ answer: 'done', asked: ['a.example', 'b.example'] });
});
