/** The listening socket: HTTP by Hono, WebSockets of agents beside it. */
import { createServer, STATUS_CODES } from 'node:http';
import type { IncomingMessage, Server, ServerOptions, ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { getRequestListener } from '@hono/node-server';
import { MESSAGE_BYTES_MAX } from '@drover/protocol';
import type { Machine } from '@drover/store';
import type { Hono } from 'hono';
import { WebSocketServer } from 'ws';
import type { WebSocket } from 'ws';
import { AGENT_SOCKET } from './check-routes.ts';
import { AccessWatch } from '../agent/access-watch.ts';
import { CLOSE, serveSocket } from '../agent/socket.ts';
import type { Waiters } from '../agent/waiters.ts';
import type { Context } from '../use-cases/context.ts';
import { bearerSha256 } from './bearer.ts';
import type { Door } from './door/door.ts';
import * as limits from './door/limits.ts';
import type { Refusal } from './door/request-check.ts';

/** The port is taken, or the address cannot be listened on. */
export class ListenError extends Error {
  override readonly name = 'ListenError';
  readonly code: 'port-in-use' | 'not-listening';

  constructor(code: 'port-in-use' | 'not-listening', message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** A socket that listens, and where. Disposing it stops listening. */
export interface HttpServer extends AsyncDisposable {
  readonly port: number;
  readonly url: string;
}

/** What is served, and on which address. */
export interface ServerParts {
  readonly ctx: Context;
  readonly app: Hono;
  readonly commands: Waiters;
  readonly door: Door;
  readonly host: string;
  /** 0 takes a free one. */
  readonly port: number;
}

/** The door gives a clearer answer to a request without a Host than Node does. */
const OPTIONS: ServerOptions = {
  headersTimeout: limits.HEADERS_MS,
  requestTimeout: limits.REQUEST_MS,
  keepAliveTimeout: limits.KEEP_ALIVE_MS,
  connectionsCheckingInterval: limits.CHECK_EVERY_MS,
  maxHeaderSize: limits.HEADER_BYTES_MAX,
  requireHostHeader: false,
};

/** @throws {ListenError} when it cannot listen. Disposing says goodbye to agents and waits for open requests. */
export async function startServer(parts: ServerParts): Promise<HttpServer> {
  const { ctx, door, host, port } = parts;
  const sockets = new WebSocketServer({ noServer: true, maxPayload: MESSAGE_BYTES_MAX, perMessageDeflate: false });
  const server = createServer(OPTIONS, requestListener(parts));
  server.maxConnections = limits.CONNECTIONS_MAX;
  server.maxHeadersCount = limits.HEADERS_MAX + 1; // Node leaves out what is beyond: the door must see that there is more
  server.maxRequestsPerSocket = limits.REQUESTS_OF_CONNECTION_MAX;
  server.timeout = limits.SILENCE_MS;
  server.on('connection', (socket) => door.connected(socket));
  server.on('drop', () => door.note(`Refused a connection: ${limits.CONNECTIONS_MAX} are open`));
  server.on('clientError', (error, socket) => answerGarbage(door, error, socket));
  const upgrade = upgradeListener(parts, sockets);
  server.on('upgrade', (request, socket, head) => {
    // Until it is a WebSocket it has no other listener: an agent that died meanwhile must not end this process.
    socket.on('error', (error: Error) => ctx.log('debug', `A connection broke before it was open: ${error.message}`));
    upgrade(request, socket, head).catch((error: unknown) => {
      ctx.log('error', `An upgrade failed: ${String(error)}`, { stack: error instanceof Error ? error.stack : null });
      endWith(socket, INTERNAL);
    });
  });
  // A stopping server closes connections that are idle; one whose last answer is still on its way becomes idle later.
  server.on('request', (_request, response) => {
    response.once('close', () => {
      if (!server.listening) server.closeIdleConnections();
    });
  });
  await listening(server, { host, port });
  const address = server.address() as AddressInfo;
  return {
    port: address.port,
    url: `http://${host.includes(':') ? `[${host}]` : host}:${port === 0 ? address.port : port}`,
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets.clients) socket.close(CLOSE.stopping, 'the coordinator is stopping');
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeIdleConnections();
      const cut = ctx.clock.after(GRACE_MS, () => {
        for (const socket of sockets.clients) socket.terminate();
        server.closeAllConnections();
      });
      await closed;
      cut();
    },
  };
}

/** How long open requests may take to end when the process stops, in milliseconds. */
const GRACE_MS = 2_000;
const INTERNAL: Refusal = {
  status: 500,
  code: 'internal',
  message: 'The coordinator could not carry this out; its log says why',
};
const BUSY: Refusal = {
  status: 503,
  code: 'busy',
  message: 'Too many connections are being opened: try again in 1 s',
  retryAfterMs: 1_000,
};

function requestListener({
  ctx,
  app,
  door,
}: ServerParts): (request: IncomingMessage, response: ServerResponse) => void {
  const serve = getRequestListener(app.fetch);
  return (request, response) => {
    const entered = door.check(request) ?? door.enter(request);
    if (typeof entered !== 'function') return refuse(response, entered, request.url);
    response.once('close', entered);
    serve(request, response).catch((error: unknown) => {
      ctx.log('error', `A request failed: ${String(error)}`, { stack: error instanceof Error ? error.stack : null });
      response.destroy();
    });
  };
}

function upgradeListener(
  { ctx, commands, door }: ServerParts,
  sockets: WebSocketServer,
): (request: IncomingMessage, socket: Duplex, head: Buffer) => Promise<void> {
  const byMachine = new Map<string, Set<WebSocket>>();
  const shared = { waiters: commands, access: new AccessWatch(ctx) };
  let waiting = 0;
  return async (request, socket, head) => {
    // The server's own times do not apply to it any more.
    (socket as Socket).setTimeout(limits.UPGRADE_MS, () => socket.destroy());
    const refusal =
      door.check(request) ?? notForAgents(request) ?? (waiting >= limits.UPGRADES_WAITING_MAX ? BUSY : null);
    if (refusal !== null) return endWith(socket, refusal);
    waiting += 1;
    const machine = await admit(ctx, request).finally(() => (waiting -= 1));
    if (machine === null) return endWith(socket, UNKNOWN_TOKEN);
    if (socket.destroyed) return;
    door.vouch(request);
    sockets.handleUpgrade(request, socket, head, (line) => {
      keepFew(byMachine, machine.id, line);
      serveSocket({ ctx, socket: line, machine }, shared);
    });
  };
}

const UNKNOWN_TOKEN: Refusal = {
  status: 401,
  code: 'unauthorized',
  message: 'The token is wrong or has expired: say hello again',
};

function notForAgents({ url = '', headers }: IncomingMessage): Refusal | null {
  if (headers.upgrade?.toLowerCase() !== 'websocket')
    return { status: 426, code: 'bad-upgrade', message: 'The only upgrade here is to a WebSocket' };
  if (url.split('?', 1)[0] === AGENT_SOCKET) return null;
  return { status: 404, code: 'not-found', message: 'WebSockets are at /agent/ws' };
}

/** The owner of the token; null for an unknown one, and when the database does not answer. */
async function admit(ctx: Context, request: IncomingMessage): Promise<Machine | null> {
  const token = bearerSha256(request.headers.authorization);
  if (token === null) return null;
  return ctx.store.machineByToken(token, ctx.clock.now()).catch(() => null);
}

/** A machine with too many connections loses the oldest. */
function keepFew(byMachine: Map<string, Set<WebSocket>>, machineId: string, socket: WebSocket): void {
  const own = byMachine.get(machineId) ?? new Set();
  byMachine.set(machineId, own.add(socket));
  socket.once('close', () => {
    own.delete(socket);
    if (own.size === 0 && byMachine.get(machineId) === own) byMachine.delete(machineId);
  });
  const [oldest] = own;
  if (own.size > limits.SOCKETS_OF_MACHINE_MAX) oldest?.terminate();
}

/** The public API answers with problems, at the door too. */
function refuse(response: ServerResponse, refusal: Refusal, url = ''): void {
  if (!url.startsWith('/v1/')) {
    response.writeHead(refusal.status, headersOf(refusal)).end(bodyOf(refusal));
    return;
  }
  const { status, code, message: detail } = refusal;
  const title = STATUS_CODES[status] ?? '';
  const body = JSON.stringify({ type: 'about:blank', title, status, code, detail });
  const headers = { 'content-type': 'application/problem+json', 'content-length': String(Buffer.byteLength(body)) };
  response.writeHead(status, { ...headersOf(refusal), ...headers }).end(body);
}

/** The same where there is no response yet. What the peer does with it is not waited for. */
function endWith(socket: Duplex, refusal: Refusal): void {
  if (socket.destroyed || !socket.writable) {
    socket.destroy();
    return;
  }
  const lines = Object.entries(headersOf(refusal)).map(([name, value]) => `${name}: ${value}\r\n`);
  const { status } = refusal;
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${lines.join('')}\r\n${bodyOf(refusal)}`);
  (socket as Socket).destroySoon();
}

function headersOf(refusal: Refusal): Readonly<Record<string, string>> {
  return {
    connection: 'close',
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(bodyOf(refusal))),
    ...(refusal.retryAfterMs !== undefined && { 'retry-after': String(Math.ceil(refusal.retryAfterMs / 1_000)) }),
  };
}

function bodyOf({ code, message }: Refusal): string {
  return JSON.stringify({ code, message });
}

/** Answers what is not HTTP, came too slowly, or broke. An answer that has begun must not be mixed with another one. */
function answerGarbage(door: Door, error: NodeJS.ErrnoException, socket: Duplex): void {
  const { _httpMessage: current } = socket as { readonly _httpMessage?: { readonly headersSent?: boolean } | null };
  if (error.code === 'ECONNRESET' || current?.headersSent === true) {
    socket.destroy();
    return;
  }
  const refusal = GARBAGE[error.code ?? ''] ?? NO_HTTP;
  door.note(`Refused a connection of ${(socket as Socket).remoteAddress ?? 'an unknown address'}: ${refusal.message}`);
  endWith(socket, refusal);
}

const NO_HTTP: Refusal = { status: 400, code: 'bad-request', message: 'This is not HTTP' };
const GARBAGE: Readonly<Record<string, Refusal>> = {
  HPE_HEADER_OVERFLOW: {
    status: 431,
    code: 'headers-too-large',
    message: `The headers of a request hold at most ${limits.HEADER_BYTES_MAX} bytes`,
  },
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, code: 'too-slow', message: 'The request did not arrive in time' },
};

function listening(server: Server, { host, port }: { readonly host: string; readonly port: number }): Promise<void> {
  return new Promise((resolve, reject) => {
    server.listen(port, host, resolve);
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') {
        const message = `Port ${port} on ${host} is in use: stop what listens there, or choose another with --port or "coordinator.port"`;
        reject(new ListenError('port-in-use', message, { cause: error }));
        return;
      }
      reject(new ListenError('not-listening', `Cannot listen on ${host}:${port}: ${error.message}`, { cause: error }));
    });
  });
}
