/** Checks requests and answers over HTTP, against real servers: the request, the answer, and the error for each bad answer. */
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { postOverHttp, transferOverHttp } from './http-adapter.ts';

/** Starts a server with this listener. */
async function serve(listener: RequestListener): Promise<AsyncDisposable & { readonly url: string }> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const { signal } = new AbortController();
const ask = (url: string) => postOverHttp(url, { body: { one: 1 }, token: 'secret', signal });

test('given a body and a token, when it is posted, then both arrive, and status, text and pause come back', async () => {
  await using server = await serve((request, response) => {
    const { method, headers } = request;
    request.setEncoding('utf8').once('data', (text: string) => {
      response.writeHead(429, { 'retry-after': '2' });
      response.end(JSON.stringify([method, headers.authorization, headers['content-type'], JSON.parse(text)]));
    });
  });

  const answer = await ask(server.url);

  expect(answer).toMatchObject({ status: 429, retryAfterMs: 2_000 });
  expect(JSON.parse(answer.text)).toEqual(['POST', 'Bearer secret', 'application/json', { one: 1 }]);
});

test('given bytes, when they are sent, then they arrive, and bytes and headers come back', async () => {
  const sent = Uint8Array.of(0, 255, 128, 10);
  await using server = await serve((request, response) => {
    response.writeHead(200, { 'x-of': `${request.method} ${String(request.headers['x-a'])}` });
    request.pipe(response);
  });

  const answer = await transferOverHttp(server.url, {
    method: 'PUT',
    body: sent,
    headers: { 'x-a': 'b' },
    token: 'secret',
    signal,
  });

  expect([...answer.bytes]).toEqual([...sent]);
  expect(answer.header('X-Of')).toBe('PUT b');
  expect(answer.header('x-none')).toBeNull();
});

test('given a server that redirects, when it is asked, then the token stays with it and the error names the other address', async () => {
  const asked: string[] = [];
  await using other = await serve((request, response) => {
    asked.push(String(request.headers.authorization));
    response.end('{}');
  });
  await using server = await serve((_request, response) => {
    response.writeHead(308, { location: `${other.url}/agent` });
    response.end();
  });

  await expect(ask(server.url)).rejects.toThrow(`"${server.url}" redirects to "${other.url}/agent": use that address`);
  expect(asked).toEqual([]);
});

test('given a server that closes the connection in its answer, when it is asked, then the request fails', async () => {
  await using server = await serve((_request, response) => {
    response.writeHead(200, { 'content-length': '100' });
    response.write('{"a":', () => response.destroy());
  });

  await expect(ask(server.url)).rejects.toThrow(/aborted/u);
});

test('given a server that does not end its answer, when the signal aborts, then the error is its reason', async () => {
  const over = new AbortController();
  await using server = await serve((_request, response) => {
    response.write('{', () => over.abort(new Error('no answer in 5 ms')));
  });

  const asking = postOverHttp(server.url, { body: {}, token: undefined, signal: over.signal });

  await expect(asking).rejects.toThrow('no answer in 5 ms');
});

test('given an endless answer, when it is read, then the request fails at 64 MiB', async () => {
  const piece = Buffer.alloc(4 * 1024 * 1024);
  let sent = 0;
  await using server = await serve((_request, response) => {
    const more = (error?: Error | null): void => {
      if (error) return;
      sent += piece.length;
      response.write(piece, more);
    };
    more();
  });

  await expect(ask(server.url)).rejects.toThrow(`the answer of "${server.url}" is larger than 67108864 bytes`);
  expect(sent).toBeLessThan(2 * 67_108_864);
});

test('given a name without a server, when it is asked, then the error says that the connection is refused', async () => {
  const { url } = await serve(() => {}).then(async (server) => {
    await server[Symbol.asyncDispose]();
    return server;
  });

  await expect(ask(url.replace('127.0.0.1', 'localhost'))).rejects.toThrow(/ECONNREFUSED/u);
});

test('given an invalid address, when it is asked, then the error says what is wrong', async () => {
  await expect(ask('http://')).rejects.toThrow(/Invalid URL/u);
  await expect(ask('gopher://127.0.0.1/')).rejects.toThrow(/"http:"/u);
});

test('given a process that sent a request, when its modules are listed, then "fetch" was not loaded', async () => {
  await using server = await serve((_request, response) => response.end('{}'));
  const adapter = JSON.stringify(new URL('http-adapter.ts', import.meta.url).href);
  const program = `
    import { postOverHttp } from ${adapter};
    await postOverHttp('${server.url}', { body: {}, token: undefined, signal: new AbortController().signal });
    console.log(JSON.stringify(process.moduleLoadList.filter((name) => name.includes('undici/undici'))));
    process.exit(0);
  `;

  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', program]);

  expect(JSON.parse(stdout)).toEqual([]);
});
