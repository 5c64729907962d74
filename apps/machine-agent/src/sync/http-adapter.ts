/**
 * Sends one request over HTTP, with JSON or with bytes. By node:http: `fetch` takes 13 MB of an agent
 * (docs/adr/0027-one-package-and-small-processes.md).
 */
// oxlint-disable-next-line no-restricted-imports -- the coordinator is asked from where the agent runs
import type { IncomingMessage } from 'node:http';

/** Answer to a request; a status is an answer, not an error. */
interface HttpAnswer {
  readonly status: number;
  readonly text: string;
  /** Pause of `Retry-After`, in milliseconds, if there is one. */
  readonly retryAfterMs?: number;
}

/** Posts JSON to a URL. @throws when there is no answer, or the signal fired. */
export type Post = (
  url: string,
  request: { readonly body: unknown; readonly token: string | undefined; readonly signal: AbortSignal },
) => Promise<HttpAnswer>;

/** Posts over the network. */
export const postOverHttp: Post = async (url, { body, token, signal }) => {
  const headers = {
    'content-type': 'application/json',
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
  };
  const { status, bytes, header } = await exchange(url, {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
    signal,
  });
  const retryAfterMs = afterMs(header('retry-after'));
  return { status, text: bytes.toString('utf8'), ...(retryAfterMs !== undefined && { retryAfterMs }) };
};

/** Answer to a request of bytes. */
interface BytesAnswer {
  readonly status: number;
  readonly bytes: Uint8Array;
  /** Finds the value of a header; null: there is none. */
  readonly header: (name: string) => string | null;
  readonly retryAfterMs: number | undefined;
}

/** Sends and gets bytes that are no JSON. @throws when there is no answer, or the signal fired. */
export type TransferBytes = (
  url: string,
  request: {
    readonly method: 'GET' | 'PUT' | 'POST';
    readonly body?: Uint8Array;
    readonly headers: Readonly<Record<string, string>>;
    readonly token: string;
    readonly signal: AbortSignal;
  },
) => Promise<BytesAnswer>;

/** Transfers over the network. */
export const transferOverHttp: TransferBytes = async (url, { method, body, headers, token, signal }) => {
  const asked = { method, headers: { ...headers, authorization: `Bearer ${token}` }, body, signal };
  const answer = await exchange(url, asked);
  return { ...answer, retryAfterMs: afterMs(answer.header('retry-after')) };
};

interface Exchange {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array | undefined;
  readonly signal: AbortSignal;
}

type Exchanged = Pick<BytesAnswer, 'status' | 'header'> & { readonly bytes: Buffer };

async function exchange(url: string, { method, headers, body, signal }: Exchange): Promise<Exchanged> {
  signal.throwIfAborted();
  // An `import` reads every export of node:http, and some of them load `fetch`.
  const { request } = process.getBuiltinModule(url.startsWith('https:') ? 'node:https' : 'node:http');
  try {
    return await new Promise((resolve, reject) => {
      const sent = request(url, { method, headers, signal }, (response) => {
        readAll(url, response).then(resolve, reject);
      });
      sent.on('error', reject);
      sent.end(body);
    });
  } catch (error) {
    // The signal's reason says why; Node's own error says only that it was aborted.
    signal.throwIfAborted();
    throw firstOf(error);
  }
}

async function readAll(url: string, response: IncomingMessage): Promise<Exchanged> {
  const { statusCode: status = 0, headers } = response;
  const target = headers.location;
  // A redirect is not followed: the token in the request would go to the other server, too.
  if (status >= 300 && status <= 399 && target !== undefined) {
    response.destroy();
    throw new Error(`"${url}" redirects to ${JSON.stringify(target.slice(0, TARGET_MAX))}: use that address`);
  }
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > ANSWER_BYTES_MAX) throw new Error(`the answer of "${url}" is larger than ${ANSWER_BYTES_MAX} bytes`);
    chunks.push(chunk);
  }
  const header = (name: string): string | null => headers[name.toLowerCase()]?.toString() ?? null;
  return { status, bytes: Buffer.concat(chunks), header };
}

/** Characters of the other server's address in a message. */
const TARGET_MAX = 200;

/** Largest answer, in bytes: far above a chunk of a parcel, and above all commands of a machine. */
const ANSWER_BYTES_MAX = 64 * 1024 * 1024;

/** Finds the error of the first address: for a name with several addresses Node throws an AggregateError without a message. */
function firstOf(error: unknown): unknown {
  return error instanceof AggregateError ? (error.errors[0] as unknown) : error;
}

/** Longest pause that somebody else may ask of the agent, in milliseconds. */
export const RETRY_AFTER_MAX_MS = 60_000;

/** Converts `Retry-After` in seconds to milliseconds. @returns undefined for anything else. */
export function afterMs(header: string | null | undefined): number | undefined {
  if (header === null || header === undefined || !/^\d{1,9}$/u.test(header)) return undefined;
  return Math.min(RETRY_AFTER_MAX_MS, Number(header) * 1_000);
}
