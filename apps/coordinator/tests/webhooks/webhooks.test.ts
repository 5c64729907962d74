/**
 * Webhooks on a coordinator with a real database: a receiver verifies them with the library of the specification. X13: a slow or dead
 * endpoint delays no other. X14: nothing goes to a refused address.
 */
import { createServer } from 'node:http';
import type { IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { expect, test } from 'vitest';
import { call, newId, scene } from '../support/coordinator.ts';
import { waitFor } from '../support/wait-for.ts';

interface Heard {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

interface Receiver extends AsyncDisposable {
  readonly url: string;
  readonly heard: Heard[];
  /** Status of the answer by path; `null`: no answer. */
  readonly answers: Record<string, number | null>;
}

async function receiver(): Promise<Receiver> {
  const heard: Heard[] = [];
  const answers: Record<string, number | null> = {};
  const server = createServer((request: IncomingMessage, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const path = request.url ?? '';
      const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
      heard.push({ path, headers, body: Buffer.concat(parts).toString() });
      const status = answers[path];
      if (status === null) return;
      response.writeHead(status ?? 204, status === 302 ? { location: '/elsewhere' } : {}).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    heard,
    answers,
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

interface Made {
  readonly secret: string;
}

test('given webhooks of which one never answers and one fails, when something happens, then the good one has it signed, with both secrets after a rotation, and the others delay nothing', async () => {
  await using given = await scene({ webhookHosts: ['127.0.0.1'] });
  // Ends before the coordinator, which else waits for the webhook that never answers.
  await using hooks = await receiver();
  const { url } = given.coordinator;
  const add = (name: string, more: object = {}) =>
    call(url, 'webhooks.add', { name, url: `${hooks.url}/${name}`, types: ['worker'], ...more }) as Promise<Made>;
  hooks.answers['/dead'] = null;
  hooks.answers['/bad'] = 500;
  hooks.answers['/moved'] = 302;
  const { secret } = await add('good');
  await add('dead');
  await add('bad');
  await add('moved');
  await add('chat', { format: 'text' });
  const rotated = (await call(url, 'webhooks.rotate', { name: 'good' })) as Made;

  await call(url, 'workers.add', { requestId: newId(), name: 'adam' });
  await waitFor(() => hooks.heard.some(({ path, body }) => path === '/good' && body.includes('worker.status')));
  await waitFor(() =>
    ['/dead', '/bad', '/moved', '/chat'].every((path) => hooks.heard.some((one) => one.path === path)),
  );

  const [first] = hooks.heard.filter(({ path }) => path === '/good');
  for (const one of [secret, rotated.secret])
    expect(new Webhook(one).verify(first?.body ?? '', first?.headers ?? {})).toMatchObject({
      type: 'worker.added',
      data: { subject: { kind: 'worker', worker: 'adam' } },
    });
  expect(() => new Webhook(secret).verify(`${first?.body} `, first?.headers ?? {})).toThrow('No matching signature');
  expect(hooks.heard.some(({ path }) => path === '/elsewhere')).toBe(false);
  expect(JSON.parse(hooks.heard.find(({ path }) => path === '/chat')?.body ?? '{}')).toEqual({
    text: 'Drover: worker.added adam, now offline',
  });
  // The good endpoint had taken everything while the dead one still held its first two requests: it holds each for 15 s.
  const isTold = hooks.heard.findIndex(({ path, body }) => path === '/good' && body.includes('worker.status'));
  expect(hooks.heard.slice(0, isTold).filter(({ path }) => path === '/dead').length).toBeLessThanOrEqual(2);
  await waitFor(async () => {
    const listed = (await call(url, 'webhooks.list')) as { name: string; state: string }[];
    const states = Object.fromEntries(listed.map(({ name, state }) => [name, state]));
    return states['good'] === 'good' && states['bad'] === 'failing';
  });
});

test('given a delivery that failed, when it is replayed, then it is told again with the same id, and 410 switches the webhook off', async () => {
  await using hooks = await receiver();
  await using given = await scene({ webhookHosts: ['127.0.0.1'] });
  const { url } = given.coordinator;
  hooks.answers['/'] = 500;
  await call(url, 'webhooks.add', { name: 'pager', url: `${hooks.url}/` });
  const { id } = (await call(url, 'webhooks.test', { name: 'pager' })) as { id: string };
  // After five seconds the delivery is retried by itself.
  await waitFor(async () => (await deliveries(url)).every(({ attempts }) => attempts.length > 0));
  hooks.answers['/'] = 200;

  await call(url, 'webhooks.replay', { name: 'pager', delivery: id.slice(-8) });
  await waitFor(async () => (await deliveries(url)).every(({ state }) => state === 'delivered'));
  hooks.answers['/'] = 410;
  await call(url, 'webhooks.test', { name: 'pager' });
  await waitFor(async () => ((await call(url, 'webhooks.list')) as { state: string }[])[0]?.state === 'disabled');

  expect(hooks.heard.slice(0, 2).map(({ headers }) => headers['webhook-id'])).toEqual([id, id]);
  await expect(call(url, 'webhooks.test', { name: 'pager' })).rejects.toThrow('disabled');
});

async function deliveries(
  url: string,
): Promise<readonly { readonly state: string; readonly attempts: readonly object[] }[]> {
  return (await call(url, 'webhooks.deliveries', { name: 'pager', limit: 10 })) as never;
}

test('given addresses inside of the network, when they are added or turn out to be there, then nothing is sent (X14)', async () => {
  await using hooks = await receiver();
  await using given = await scene({});
  const { url } = given.coordinator;
  const port = new URL(hooks.url).port;

  await expect(call(url, 'webhooks.add', { name: 'plain', url: hooks.url })).rejects.toThrow('https');
  for (const [name, host] of [
    ['loop', '127.0.0.1'],
    ['short', '127.1'],
    ['number', '2130706433'],
    ['six', '[::1]'],
    ['mapped', '[::ffff:127.0.0.1]'],
    ['named', 'localhost'],
  ] as const) {
    await call(url, 'webhooks.add', { name, url: `https://${host}:${port}/`, types: ['webhook.test'] });
    await call(url, 'webhooks.test', { name });
    await waitFor(async () => {
      const [told] = (await call(url, 'webhooks.deliveries', { name, limit: 1 })) as {
        attempts: { error: string }[];
      }[];
      return told?.attempts[0]?.error.includes('not public') ?? false;
    });
  }
  expect(hooks.heard).toEqual([]);
});
