/**
 * Reaches the network by node:http, because Node's `fetch` takes longer to load than the rest of `drover status`
 * (bench/status).
 */
import type { ClientRequest, IncomingMessage } from 'node:http';
import { connectProven } from './listener-adapter.ts';
import type { Expected } from './listener-adapter.ts';

/** A request over HTTP. */
export interface Question {
  readonly method?: string | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly body?: string | undefined;
  /** Timeout of the whole exchange, in milliseconds. */
  readonly timeoutMs: number;
  /** The coordinator that must prove its identity before anything is sent; absent: nothing secret is sent, or TLS proves it. */
  readonly expected?: Expected | undefined;
  /** Aborts the exchange. */
  readonly signal?: AbortSignal | undefined;
}

/** The answer, with any status. */
export interface Answer {
  readonly status: number;
  readonly ok: boolean;
  /** Seconds of `Retry-After`; absent if there are none. */
  readonly retryAfterSecs?: number;
  readonly text: string;
  json(): Promise<unknown>;
}

/** Asks over HTTP. @throws {Error} if there is no whole answer in time; a status is an answer. */
export type Ask = (url: string, question: Question) => Promise<Answer>;

/** Largest answer, in bytes: far above the largest diff that a coordinator sends. */
const ANSWER_BYTES_MAX = 256 * 1024 * 1024;

/** Milliseconds that a host may take to accept a connection. Further addresses wait for the first. */
const CONNECT_MS = 5_000;

/** No connection was made, so nothing was sent. */
class UnconnectedError extends Error {
  override readonly name = 'UnconnectedError';
  readonly code = 'ETIMEDOUT';

  constructor(ms: number) {
    super(`no connection within ${ms / 1_000} s`);
  }
}

/** Asks over one connection that is closed afterwards, so that the process can end. */
export const askOverHttp: Ask = async (url, { method = 'GET', headers = {}, body, timeoutMs, expected, signal }) => {
  // `import` would read every export of the module, and some exports of node:http load `fetch`.
  const { request } = process.getBuiltinModule(url.startsWith('https:') ? 'node:https' : 'node:http');
  const late = AbortSignal.timeout(timeoutMs);
  const over = signal === undefined ? late : AbortSignal.any([late, signal]);
  try {
    using proven = expected === undefined ? null : await connectProven(url, { expected, timeoutMs, signal: over });
    return await new Promise<Answer>((resolve, reject) => {
      const sent = request(url, { method, headers, signal: over, agent: proven?.agent ?? false }, (response) => {
        readAll(response).then((text) => resolve(answerOf(response, text)), reject);
      });
      proven?.guard(sent);
      giveUpUnconnected(sent);
      sent.on('error', reject);
      sent.end(body);
    });
  } catch (error) {
    throw late.aborted ? new Error(`no answer within ${timeoutMs} ms`) : error;
  }
};

/** Gives a request up if no connection exists in time; a proven connection exists already. */
function giveUpUnconnected(sent: ClientRequest): void {
  const slow = setTimeout(() => sent.destroy(new UnconnectedError(CONNECT_MS)), CONNECT_MS).unref();
  const stop = (): void => clearTimeout(slow);
  sent.on('socket', (socket) => (socket.connecting ? void socket.once('connect', stop) : stop()));
  sent.on('close', stop);
}

async function readAll(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > ANSWER_BYTES_MAX) throw new Error(`the answer is larger than ${ANSWER_BYTES_MAX} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function answerOf({ statusCode: status = 0, headers }: IncomingMessage, text: string): Answer {
  const retryAfterSecs = Number(headers['retry-after'] ?? Number.NaN);
  return {
    status,
    ok: status >= 200 && status < 300,
    ...(Number.isFinite(retryAfterSecs) && { retryAfterSecs }),
    text,
    json: async () => JSON.parse(text) as unknown,
  };
}
