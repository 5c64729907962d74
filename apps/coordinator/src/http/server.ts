/** The listening socket: HTTP by Hono, WebSockets of agents beside it. */
import type { IncomingMessage, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { serve } from '@hono/node-server';
import { MESSAGE_BYTES_MAX } from '@drover/protocol';
import type { Machine } from '@drover/store';
import type { Hono } from 'hono';
import { WebSocketServer } from 'ws';
import { bearerSha256 } from '../agent/routes.ts';
import { CLOSE, serveSocket } from '../agent/socket.ts';
import type { Waiters } from '../agent/waiters.ts';
import type { Context } from '../use-cases/context.ts';

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
  readonly host: string;
  /** 0 takes a free one. */
  readonly port: number;
}

/** @throws {ListenError} when it cannot listen. Disposing says goodbye to agents and waits for open requests. */
export async function startServer(parts: ServerParts): Promise<HttpServer> {
  const { ctx, app, commands, host, port } = parts;
  const sockets = new WebSocketServer({ noServer: true, maxPayload: MESSAGE_BYTES_MAX, perMessageDeflate: false });
  const server = await listening(parts, app);
  const upgrade = async (request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> => {
    const path = new URL(request.url ?? '/', 'http://localhost').pathname;
    const token = path === '/agent/ws' ? bearerSha256(request.headers.authorization) : null;
    const machine = await admit(parts, token);
    if (machine === null) socket.end('HTTP/1.1 401 Unauthorized\r\nconnection: close\r\n\r\n');
    else sockets.handleUpgrade(request, socket, head, (line) => serveSocket({ ctx, socket: line, machine }, commands));
  };
  server.on('upgrade', (request, socket, head) => {
    // Until it is a WebSocket nobody else listens: an agent that died meanwhile must not end this process.
    socket.on('error', (error: Error) => ctx.log('debug', `A connection broke before it was open: ${error.message}`));
    void upgrade(request, socket, head);
  });
  // A stopping server closes connections that are idle; one whose last answer is still on its way becomes idle later.
  server.on('request', (_request, response) => {
    response.once('close', () => {
      if (!server.listening) server.closeIdleConnections();
    });
  });
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

/** Who holds this token? Nobody, also when the database cannot say. */
async function admit({ ctx }: ServerParts, token: string | null): Promise<Machine | null> {
  if (token === null) return null;
  return ctx.store.machineByToken(token, ctx.clock.now()).catch(() => null);
}

/** How long open requests may take to end when the process stops, in milliseconds. */
const GRACE_MS = 2_000;

function listening({ host, port }: ServerParts, app: Hono): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = serve({ fetch: app.fetch, hostname: host, port }, () => resolve(server)) as Server;
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
