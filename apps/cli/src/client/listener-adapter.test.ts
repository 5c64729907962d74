/** Tests that a token reaches only the coordinator that it is meant for, and no other program that listens there. Real sockets. */
import { generateKeyPairSync, sign } from 'node:crypto';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer, request } from 'node:http';
import type { IncomingMessage, RequestListener, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { readEnvironment } from '@drover/config/surroundings';
import { listenerMessage } from '@drover/protocol/loopback';
import { expect, test } from 'vitest';
import type { Surroundings } from '../surroundings.ts';
import { ask } from './client.ts';
import { writeEndpoint } from './endpoint.ts';
import { askOverHttp } from './http-adapter.ts';
import { storeToken } from './logins.ts';

const TOKEN = 't'.repeat(43);

/** Requests that a listening program got. */
interface Listener extends AsyncDisposable {
  readonly url: string;
  readonly server: Server;
  readonly tokens: string[];
}

type Answers = (incoming: IncomingMessage) => unknown;

/** Starts a program that answers with JSON, and notes the tokens in its requests. */
async function listen(answers: Answers): Promise<Listener> {
  const tokens: string[] = [];
  const serve: RequestListener = (incoming, response) => {
    if (incoming.headers.authorization !== undefined) tokens.push(incoming.headers.authorization);
    void Promise.resolve(answers(incoming)).then((body) => response.end(JSON.stringify(body)));
  };
  const server = createServer(serve).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    server,
    tokens,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** Makes a coordinator that proves its identity, as far as these tests need one. */
function coordinator(): { readonly id: string; readonly answers: Answers } {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const { x: id = '' } = publicKey.export({ format: 'jwk' });
  const answers: Answers = ({ url = '', socket }) => {
    if (!url.startsWith('/agent/listener')) return { result: { data: { version: '1' } } };
    const salt = new URL(url, 'http://x').searchParams.get('salt') ?? '';
    const at = `${socket.localAddress}:${socket.localPort}`;
    const signature = sign(null, Buffer.from(listenerMessage({ salt, at })), privateKey).toString('base64');
    return { coordinator: id, at, signature };
  };
  return { id, answers };
}

/** Forwards each question to another program, and its answer back. */
function relayTo({ url: to }: Listener): Answers {
  return ({ url, headers }) =>
    new Promise((resolve) => {
      request(`${to}${url}`, { headers }, (response) => {
        let text = '';
        response.on('data', (part: Buffer) => (text += part.toString('utf8')));
        response.on('end', () => resolve(JSON.parse(text)));
      }).end();
    });
}

/** Makes surroundings of a command: an endpoint file of this coordinator, or a person's variables. */
async function around(
  stack: AsyncDisposableStack,
  { url, id, variables = {} }: { url?: string; id?: string; variables?: Record<string, string> },
): Promise<Surroundings> {
  const home = await mkdtemp(path.join(os.tmpdir(), 'drover-listener-'));
  stack.defer(() => rm(home, { recursive: true }));
  const dataDir = path.join(home, 'data');
  await mkdir(dataDir, { mode: 0o700 });
  if (url !== undefined && id !== undefined)
    await writeEndpoint(dataDir, { url, token: TOKEN, coordinator: id, pid: process.pid });
  const environment = readEnvironment({ HOME: home, ...variables });
  return { worker: null, environment, paths: { dataDir, root: home }, http: askOverHttp } as unknown as Surroundings;
}

function info(surroundings: Surroundings): Promise<unknown> {
  return ask(surroundings, (client) => client.info.query());
}

test('given an endpoint file, when its coordinator listens there, then it is shown the token', async () => {
  await using stack = new AsyncDisposableStack();
  const { id, answers } = coordinator();
  const honest = stack.use(await listen(answers));
  const here = await around(stack, { url: honest.url, id });

  expect(await info(here)).toEqual({ version: '1' });

  expect(honest.tokens).toEqual([`Bearer ${TOKEN}`]);
});

test.each([
  ['proves nothing', () => () => ({ ok: true })],
  ['proves that it is another coordinator', () => coordinator().answers],
  ['hands the question on to the coordinator, which listens at another port', relayTo],
])(
  'given an endpoint file of an up that was killed, when a program listens there that %s, then it is shown no token',
  async (_, make) => {
    await using stack = new AsyncDisposableStack();
    const { id, answers } = coordinator();
    const honest = stack.use(await listen(answers));
    const impostor = stack.use(await listen(make(honest)));
    const here = await around(stack, { url: impostor.url, id });

    await expect(info(here)).rejects.toMatchObject({
      code: 'unreachable',
      message: expect.stringMatching(
        /^(?:The server|An unexpected coordinator listens) at 127\.0\.0\.1:\d+.*No token was sent: start "drover up" again/,
      ),
    });

    expect([...impostor.tokens, ...honest.tokens]).toEqual([]);
  },
);

test('given an endpoint file below a directory that all users may write to, when a command reads it, then it is refused and nobody is shown the token', async () => {
  await using stack = new AsyncDisposableStack();
  const { id, answers } = coordinator();
  const listener = stack.use(await listen(answers));
  const here = await around(stack, { url: listener.url, id });

  await chmod(here.environment.home, 0o777);

  await expect(info(here)).rejects.toMatchObject({ code: 'unsafe-directory' });
  expect(listener.tokens).toEqual([]);
});

test('given a connection that ends after the proof, when the token would go over another one, then it is not sent', async () => {
  await using stack = new AsyncDisposableStack();
  const { id, answers } = coordinator();
  const listener = stack.use(await listen(answers));
  listener.server.prependListener('request', (_, response) => response.setHeader('connection', 'close'));
  const here = await around(stack, { url: listener.url, id });

  await expect(info(here)).rejects.toMatchObject({ code: 'unreachable' });

  expect(listener.tokens).toEqual([]);
});

test('given a login at an address of this computer, when another coordinator answers there later, then it is shown no token until the login is forgotten', async () => {
  await using stack = new AsyncDisposableStack();
  const [first, second] = [coordinator(), coordinator()];
  const now = { answers: first.answers };
  const listener = stack.use(await listen((incoming) => now.answers(incoming)));
  const here = await around(stack, { variables: { DROVER_URL: listener.url } });
  await storeToken(here.environment, listener.url, TOKEN);
  expect(await info(here)).toEqual({ version: '1' });

  now.answers = second.answers;

  await expect(info(here)).rejects.toMatchObject({
    message: expect.stringContaining(`expected ${first.id}, but ${second.id} answers. No token was sent`),
  });
  await expect(info(here)).rejects.toThrow(`"drover auth logout ${listener.url}" forgets the previous one`);
  expect(listener.tokens).toHaveLength(1);
  expect(await readFile(path.join(here.environment.home, '.config', 'drover', 'logins.json'), 'utf8')).toContain(
    first.id,
  );
});

test('given a new address of this computer, when what listens there proves nothing, then it is shown no token and not remembered', async () => {
  await using stack = new AsyncDisposableStack();
  const impostor = stack.use(await listen(() => ({ ok: true })));
  const here = await around(stack, { variables: { DROVER_URL: impostor.url, DROVER_TOKEN: TOKEN } });

  await expect(info(here)).rejects.toMatchObject({
    code: 'unreachable',
    message: expect.stringMatching(/^The server at .* does not prove.*: check the address$/),
  });

  expect(impostor.tokens).toEqual([]);
});

test("given a worker's pane whose coordinator is gone, when another program listens at its address, then it is not shown the token of the worker", async () => {
  await using stack = new AsyncDisposableStack();
  const impostor = stack.use(await listen(coordinator().answers));
  const access = { url: impostor.url, token: TOKEN, coordinator: coordinator().id };
  const here = await around(stack, {});

  await expect(info({ ...here, worker: { worker: 'adam', access } })).rejects.toThrow('No token was sent');

  expect(impostor.tokens).toEqual([]);
});
