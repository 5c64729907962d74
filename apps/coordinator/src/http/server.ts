/** Opens the listening socket: HTTP by Hono, WebSockets of agents beside it. */
import { createServer, STATUS_CODES } from 'node:http';
import type { IncomingMessage, ServerOptions, ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { getRequestListener } from '@hono/node-server';
import type { Hono } from 'hono';
import type { Door } from '../door/door.ts';
import * as limits from '../door/limits.ts';
import { listenOn } from './listen.ts';
import { bodyOf, endWith, headersOf } from './sockets/refusal-answers.ts';
import type { Refusal } from '../door/request-check.ts';
import { createUpgrades } from './sockets/upgrades.ts';
import type { UpgradeParts } from './sockets/upgrades.ts';
import { headersOfRefusal, rateHeaders } from './v1/headers.ts';
import type { Context } from '../context/context.ts';

/** A listening socket and its address. Disposing it stops listening. */
export interface HttpServer extends AsyncDisposable {
  readonly port: number;
  readonly url: string;
}

export interface ServerParts extends UpgradeParts {
  readonly app: Hono;
  readonly host: string;
  /** Port number; 0 takes a free port. */
  readonly port: number;
  /** Ports to try in turn if another program listens on `port`. Default: none. */
  readonly otherPorts?: readonly number[];
}

/** Options of Node's server. The door answers a request without a Host more clearly than Node does. */
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
  const { ctx, door, host, port, otherPorts = [] } = parts;
  const upgrades = createUpgrades(parts);
  const server = createServer(OPTIONS, requestListener(parts));
  server.maxConnections = limits.CONNECTIONS_MAX;
  server.maxHeadersCount = limits.HEADERS_MAX + 1; // Node drops headers beyond its count: the door must see that there are more
  server.maxRequestsPerSocket = limits.REQUESTS_OF_CONNECTION_MAX;
  server.timeout = limits.SILENCE_MS;
  server.on('connection', (socket) => door.connected(socket));
  server.on('drop', () => door.note(`Refused a connection: ${limits.CONNECTIONS_MAX} are open`));
  server.on('clientError', (error, socket) => answerGarbage(door, error, socket));
  server.on('upgrade', (request, socket, head) => {
    // Until the socket is a WebSocket it has no other listener: an agent that died meanwhile must not end this process.
    socket.on('error', (error: Error) => ctx.log('debug', `A connection failed before it was open: ${error.message}`));
    upgrades.take(request, socket, head).catch((error: unknown) => {
      ctx.log('error', `An upgrade failed: ${String(error)}`, { stack: error instanceof Error ? error.stack : null });
      endWith(socket, INTERNAL);
    });
  });
  // A stopping server closes idle connections; a connection whose last answer is still on its way becomes idle later.
  server.on('request', (_request, response) => {
    response.once('close', () => {
      if (!server.listening) server.closeIdleConnections();
    });
  });
  await listenOn(server, { host, ports: [port, ...otherPorts] });
  const address = server.address() as AddressInfo;
  if (port !== 0 && address.port !== port)
    ctx.log('warn', `Another program listens on port ${port}: the coordinator takes port ${address.port}`);
  return {
    port: address.port,
    url: `http://${host.includes(':') ? `[${host}]` : host}:${address.port}`,
    [Symbol.asyncDispose]: async () => {
      upgrades.sayGoodbye();
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeIdleConnections();
      const cut = ctx.clock.after(GRACE_MS, () => {
        upgrades.terminate();
        server.closeAllConnections();
      });
      await closed;
      cut();
    },
  };
}

/** Milliseconds that open requests may take to end when the process stops. */
const GRACE_MS = 2_000;
const INTERNAL: Refusal = {
  status: 500,
  code: 'internal',
  message: 'The coordinator could not carry out the request; its log says why',
};
function requestListener({
  ctx,
  app,
  door,
}: ServerParts): (request: IncomingMessage, response: ServerResponse) => void {
  const serve = getRequestListener(app.fetch);
  return (request, response) => {
    const entered = door.check(request) ?? door.enter(request);
    const isPublic = request.url?.startsWith('/v1/') === true;
    if (isPublic) response.setHeaders(new Map(Object.entries(rateHeaders(door.leftOf(request)))));
    if (typeof entered !== 'function') {
      if (isPublic) refusePublicly(ctx, { request, response, refusal: entered });
      else response.writeHead(entered.status, headersOf(entered)).end(bodyOf(entered));
      return;
    }
    response.once('close', entered);
    serve(request, response).catch((error: unknown) => {
      ctx.log('error', `A request failed: ${String(error)}`, { stack: error instanceof Error ? error.stack : null });
      response.destroy();
    });
  };
}

/** Answers with a problem under the public API, at the door too. */
function refusePublicly(
  { ids, hosts }: Pick<Context, 'ids' | 'hosts'>,
  { request, response, refusal }: { request: IncomingMessage; response: ServerResponse; refusal: Refusal },
): void {
  const { status, code, message: detail } = refusal;
  const common = headersOfRefusal(request.headers, { origins: hosts?.origins ?? [], ids });
  const title = STATUS_CODES[status] ?? '';
  const requestId = common['x-request-id'];
  const body = JSON.stringify({ type: 'about:blank', title, status, code, detail, requestId });
  const headers = { 'content-type': 'application/problem+json', 'content-length': String(Buffer.byteLength(body)) };
  response.writeHead(status, { ...headersOf(refusal), ...common, ...headers }).end(body);
}

/** Answers input that is not HTTP, came too slowly, or broke. An answer that has begun must not be mixed with another answer. */
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
    message: `The headers of a request may have at most ${limits.HEADER_BYTES_MAX} bytes`,
  },
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, code: 'too-slow', message: 'The request did not arrive in time' },
};
