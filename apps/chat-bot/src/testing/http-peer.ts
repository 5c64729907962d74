/** A test server on loopback that reads whole requests. */
import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { WebSocketServer } from 'ws';
import type { WebSocket } from 'ws';

export interface PeerRequest {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingMessage['headers'];
  readonly text: string;
  /** Fires when the caller disconnects. */
  readonly gone: AbortSignal;
}

/** The answer of a peer; `cut` ends the connection instead. */
export type PeerAnswer =
  | 'cut'
  | {
      readonly status: number;
      readonly json: unknown;
      readonly headers?: Readonly<Record<string, string>>;
      /** `json` is sent unchanged. */ readonly isText?: boolean;
    };

/** A running server. */
export interface HttpPeer extends AsyncDisposable {
  readonly url: string;
  readonly server: Server;
  /** Cuts every connection, also later ones, until called with false. */
  goAway(isAway: boolean): void;
}

/** Starts a server at a free port. */
export async function startHttpPeer(
  answer: (request: PeerRequest) => Promise<PeerAnswer> | PeerAnswer,
): Promise<HttpPeer> {
  let isGone = false;
  const server = createServer((request, response) => {
    if (isGone) request.socket.destroy();
    else void serve(request, response, answer);
  });
  server.prependListener('upgrade', (request: IncomingMessage) => {
    if (isGone) request.socket.destroy();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    server,
    goAway: (isAway) => {
      isGone = isAway;
      if (isAway) server.closeAllConnections();
    },
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Starts a server with WebSockets beside its requests; it cuts and ends both. `path`: the path of WebSockets, or any. */
export async function startSocketPeer(
  answer: (request: PeerRequest) => Promise<PeerAnswer> | PeerAnswer,
  { connect, path }: { readonly connect: (socket: WebSocket) => void; readonly path?: string },
): Promise<HttpPeer> {
  const peer = await startHttpPeer(answer);
  const sockets = new WebSocketServer({ server: peer.server, ...(path !== undefined && { path }) });
  sockets.on('connection', connect);
  const cut = (): void => {
    for (const socket of sockets.clients) socket.terminate();
  };
  return {
    ...peer,
    goAway: (isAway) => {
      peer.goAway(isAway);
      cut();
    },
    [Symbol.asyncDispose]: async () => {
      cut();
      sockets.close();
      await peer[Symbol.asyncDispose]();
    },
  };
}

async function serve(
  request: IncomingMessage,
  response: ServerResponse,
  answer: (request: PeerRequest) => Promise<PeerAnswer> | PeerAnswer,
): Promise<void> {
  const gone = new AbortController();
  response.on('close', () => gone.abort());
  try {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const url = new URL(request.url ?? '/', 'http://peer');
    const answered = await answer({
      method: request.method ?? 'GET',
      path: url.pathname,
      query: url.searchParams,
      headers: request.headers,
      text: Buffer.concat(chunks).toString('utf8'),
      gone: gone.signal,
    });
    if (answered === 'cut') request.socket.destroy();
    else
      response
        .writeHead(answered.status, { 'content-type': 'application/json', ...answered.headers })
        .end(answered.isText === true ? String(answered.json) : JSON.stringify(answered.json));
  } catch {
    request.socket.destroy();
  }
}
