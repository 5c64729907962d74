/** Checks that everything that comes over a WebSocket is read, from the first byte on. */
import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '@drover/base';
import { expect, test } from 'vitest';
import type { SyncAnswer } from '@drover/protocol';
import { AgentDatabase, openDirectory } from '../src/store/database.ts';
import { Outbox } from '../src/store/outbox.ts';
import { CoordinatorApi } from '../src/sync/api.ts';
import { Exchange } from '../src/sync/exchange.ts';
import { postOverHttp } from '../src/sync/http-adapter.ts';
import { runSocket } from '../src/sync/socket-link.ts';

const NO_PROFILES = { revision: 0, documents: [] };

test('given a coordinator that speaks in the same packet as it opens, when the agent connects, then it hears that too', async () => {
  await using stack = new AsyncDisposableStack();
  const url = await eagerCoordinator(stack, { ackThrough: 7 });
  const dir = mkdtempSync(join(tmpdir(), 'dma-'));
  stack.defer(() => rmSync(dir, { recursive: true, force: true }));
  const db = stack.use(new AgentDatabase(openDirectory(dir)));
  const outbox = new Outbox(db, systemClock);
  const known = { publicKey: 'k', rotate: false, workers: [], profiles: NO_PROFILES, lacks: [] };
  const hello = { accessToken: 't', expiresAt: 0, epoch: 1, serverTime: 0, ...known };
  const deaf = { now: () => 0, profilesRevision: () => 0, onProfiles: () => {}, receive: () => {} };
  const exchange = new Exchange({ outbox, agentEpoch: randomUUID(), hello, ...deaf });
  const stop = new AbortController();
  const { signal } = stop;

  const heard = Promise.withResolvers<SyncAnswer>();
  const link = {
    url,
    token: 't',
    api: new CoordinatorApi(url, { post: postOverHttp, clock: systemClock, signal }),
    exchange,
    clock: systemClock,
    intervalMs: 60_000,
    signal,
    onHeard: heard.resolve,
  };
  const running = runSocket(link);
  const answer = await heard.promise;
  stop.abort();
  await running;

  expect(answer.ackThrough).toBe(7);
});

/** Opens every WebSocket with one write that holds the upgrade and a first message. */
async function eagerCoordinator(stack: AsyncDisposableStack, said: { ackThrough: number }): Promise<string> {
  const server = createServer();
  server.on('upgrade', (request, socket) => {
    const key = `${request.headers['sec-websocket-key']}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`;
    const accept = createHash('sha1').update(key).digest('base64');
    const head = `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`;
    socket.on('error', () => {});
    socket.write(Buffer.concat([Buffer.from(head), textFrame(JSON.stringify(answerOf(said)))]));
    stack.defer(() => void socket.destroy());
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  stack.defer(() => void server.close());
  const address = server.address();
  return `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`;
}

function answerOf(said: { ackThrough: number }): SyncAnswer {
  const versions = { serverVersion: '2.0', minVersion: '2.0' };
  return {
    ...said,
    ...versions,
    profiles: null,
    commands: [],
    nextIntervalMs: 5_000,
    registered: true,
    reason: null,
    epoch: 1,
    serverTime: 0,
  };
}

/** Encodes an unmasked text frame of 126 bytes or more. Source: RFC 6455, section 5.2. */
function textFrame(text: string): Buffer {
  const body = Buffer.from(text);
  const head = Buffer.from([0x81, 126, body.length >> 8, body.length & 0xff]);
  return Buffer.concat([head, body]);
}
