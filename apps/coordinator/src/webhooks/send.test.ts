/** Refused addresses stay unreachable. X14: no name, however it changes its addresses, leads to a refused one. */
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { systemClock } from '@drover/base';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { send } from './send.ts';

const heard: string[] = [];
let server: Server;
let port: number;
beforeAll(async () => {
  server = createServer((request, response) => {
    heard.push(`${request.headers.host} ${request.url}`);
    request.resume();
    if (request.url === '/endless') {
      response.writeHead(200).write('.');
      return;
    }
    response.writeHead(request.url === '/moved' ? 307 : 204, { location: `http://127.0.0.1:${port}/inside` }).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  ({ port } = server.address() as AddressInfo);
});
afterAll(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});
beforeEach(() => heard.splice(0));

/** Makes one attempt by a resolver that answers in turn, and notes the names that it was asked. */
function attempts(url: string, answers: readonly (readonly string[])[], allowed: readonly string[] = []) {
  const asked: string[] = [];
  const resolve = (host: string): Promise<readonly string[]> => {
    asked.push(host);
    return Promise.resolve(answers[asked.length - 1] ?? []);
  };
  return { asked, attempt: () => send({ clock: systemClock, allowed, resolve }, { url, headers: {}, body: '{}' }) };
}

test.each([
  ['a private one', ['10.0.0.7']],
  ['a public and a private one', ['2606:4700::1111', '192.168.1.1']],
  ['one of this computer, mapped into IPv6', ['::ffff:127.0.0.1']],
  ['one of this computer, translated', ['64:ff9b::7f00:1']],
  ['the one of cloud metadata', ['169.254.169.254']],
  ['something that is no address', ['localhost']],
])('given a name whose addresses are %s, when it is called, then nothing is sent', async (_what, addresses) => {
  const { attempt } = attempts('https://hook.example/', [addresses]);

  expect(await attempt()).toMatchObject({ kind: 'failed', error: expect.stringContaining('is not public') });
});

test.each(['2130706433', '0x7f000001', '0177.0.0.1', '127.1', '[::1]', '[::ffff:7f00:1]', '[::ffff:127.0.0.1]'])(
  'given the host %s, when it is called, then it is known as an address of this computer, and nothing is sent',
  async (host) => {
    const { asked, attempt } = attempts(`https://${host}:${port}/`, [['8.8.8.8']]);

    expect(await attempt()).toMatchObject({ kind: 'failed', error: expect.stringContaining('is not public') });
    expect([asked, heard]).toEqual([[], []]);
  },
);

test('given a name that has no address at first and a private one then, when it is called twice, then it is resolved each time and refused', async () => {
  const { asked, attempt } = attempts(`https://hook.example:${port}/`, [[], ['127.0.0.1']]);

  expect(await attempt()).toMatchObject({ error: '"hook.example" has no address' });
  expect(await attempt()).toMatchObject({ error: expect.stringContaining('127.0.0.1, which is not public') });
  expect([asked, heard]).toEqual([['hook.example', 'hook.example'], []]);
});

test('given a host that is allowed, when it is called, then the connection goes to the address that was resolved once, and a redirect is an answer', async () => {
  const { asked, attempt } = attempts(
    `http://hook.example:${port}/moved`,
    [['127.0.0.1'], ['203.0.113.1']],
    ['hook.example'],
  );

  expect(await attempt()).toEqual({ kind: 'answered', status: 307, retryAfterMs: null });
  expect([asked, heard]).toEqual([['hook.example'], [`hook.example:${port} /moved`]]);
});

test('given a receiver whose answer has no end, when it has sent its status, then the message counts as delivered', async () => {
  const { attempt } = attempts(`http://hook.example:${port}/endless`, [['127.0.0.1']], ['hook.example']);

  expect(await attempt()).toMatchObject({ kind: 'answered', status: 200 });
});
