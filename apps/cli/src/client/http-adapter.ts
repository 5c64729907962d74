/**
 * Reaches the network by node:http, because Node's `fetch` takes longer to load than the rest of `drover status`
 * (bench/status).
 */
import type { IncomingMessage } from 'node:http';

/** What is sent. */
export interface Question {
  readonly method?: string | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly body?: string | undefined;
  /** How long the whole exchange may take, in milliseconds. */
  readonly timeoutMs: number;
}

/** What came back, with any status. */
export interface Answer {
  readonly status: number;
  readonly ok: boolean;
  /** What `Retry-After` says, if it does. */
  readonly retryAfterSecs?: number;
  json(): Promise<unknown>;
}

/** Asks over HTTP. @throws {Error} when there is no whole answer in time; a status is an answer. */
export type Ask = (url: string, question: Question) => Promise<Answer>;

/** Largest answer, in bytes: far above the largest diff that a coordinator sends. */
const ANSWER_BYTES_MAX = 256 * 1024 * 1024;

/** Asks over one connection that is closed afterwards, so that the process can end. */
export const askOverHttp: Ask = async (url, { method = 'GET', headers = {}, body, timeoutMs }) => {
  // Not by `import`: that reads every export of the module, and some of node:http load `fetch`.
  const { request } = process.getBuiltinModule(url.startsWith('https:') ? 'node:https' : 'node:http');
  const signal = AbortSignal.timeout(timeoutMs);
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, headers, signal, agent: false }, (response) => {
      readAll(response).then((text) => resolve(answerOf(response, text)), reject);
    });
    sent.on('error', (error) => reject(signal.aborted ? new Error(`no answer within ${timeoutMs} ms`) : error));
    sent.end(body);
  });
};

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
    json: async () => JSON.parse(text) as unknown,
  };
}
