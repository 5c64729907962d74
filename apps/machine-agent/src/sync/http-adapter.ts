/** How is one request sent over HTTP, with JSON or with bytes? */

/** What came back; a status is an answer, not an error. */
interface HttpAnswer {
  readonly status: number;
  readonly text: string;
  /** What `Retry-After` says, in milliseconds, if it does. */
  readonly retryAfterMs?: number;
}

/** Posts JSON to a URL. @throws when there is no answer, or the signal fired. */
export type Post = (
  url: string,
  request: { readonly body: unknown; readonly token: string | undefined; readonly signal: AbortSignal },
) => Promise<HttpAnswer>;

/** Posts over the network. */
export const postByFetch: Post = async (url, { body, token, signal }) => {
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify(body),
    signal,
    // A token in the body would go along to wherever an answer points.
    redirect: 'error',
  });
  const retryAfterMs = afterMs(response.headers.get('retry-after'));
  return { status: response.status, text: await response.text(), ...(retryAfterMs !== undefined && { retryAfterMs }) };
};

/** What came back for a request of bytes. */
interface BytesAnswer {
  readonly status: number;
  readonly bytes: Uint8Array;
  /** The value of a header; null: it has none. */
  readonly header: (name: string) => string | null;
  readonly retryAfterMs: number | undefined;
}

/** Sends and gets bytes that are no JSON. @throws when there is no answer, or the signal fired. */
export type TransferBytes = (
  url: string,
  request: {
    readonly method: 'GET' | 'PUT' | 'POST';
    readonly body?: Uint8Array<ArrayBuffer>;
    readonly headers: Readonly<Record<string, string>>;
    readonly token: string;
    readonly signal: AbortSignal;
  },
) => Promise<BytesAnswer>;

/** Over the network. */
export const transferByFetch: TransferBytes = async (url, { method, body, headers, token, signal }) => {
  const response = await fetch(url, {
    method,
    headers: { ...headers, authorization: `Bearer ${token}` },
    ...(body === undefined ? {} : { body }),
    signal,
    redirect: 'error',
  });
  return {
    status: response.status,
    bytes: new Uint8Array(await response.arrayBuffer()),
    header: (name) => response.headers.get(name),
    retryAfterMs: afterMs(response.headers.get('retry-after')),
  };
};

/** Longest pause that somebody else may ask of the agent, in milliseconds. */
export const RETRY_AFTER_MAX_MS = 60_000;

/** `Retry-After` in seconds, as milliseconds. @returns undefined for anything else. */
export function afterMs(header: string | null | undefined): number | undefined {
  if (header === null || header === undefined || !/^\d{1,9}$/u.test(header)) return undefined;
  return Math.min(RETRY_AFTER_MAX_MS, Number(header) * 1_000);
}
