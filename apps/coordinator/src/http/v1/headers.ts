/** Sets headers of the public API: the id of the request, and headers that let a page of an allowed origin read the answer. */
import { cors } from 'hono/cors';
import { requestId } from 'hono/request-id';
import type { MiddlewareHandler } from 'hono';
import type { RateLeft } from '../../door/rates.ts';
import type { Ids } from '../../context/ports.ts';

/** Characters of an id that a client gives its request. */
const REQUEST_ID_CHARS_MAX = 128;

/** Headers of an answer that a page of another origin may read. */
const EXPOSED = [
  'Allow',
  'Idempotency-Replayed',
  'Retry-After',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'X-Request-Id',
];
/** Headers that such a page may send. */
const SENT = ['Authorization', 'Content-Type', 'Idempotency-Key', 'Last-Event-ID', 'X-Request-Id'];
const METHODS = ['GET', 'HEAD', 'POST', 'PATCH', 'DELETE'];
/** Seconds that a browser remembers the headers that a page may send. */
const REMEMBERED_S = 600;

/** Gives each request its id: the client's if valid, else a new one. */
export function requestIds({ uuid }: Pick<Ids, 'uuid'>): MiddlewareHandler {
  return requestId({ limitLength: REQUEST_ID_CHARS_MAX, generator: () => uuid() });
}

/**
 * Lets pages of these origins use the API. Such a page shows a token, which no other page has: a browser is never told to send cookies
 * (`Access-Control-Allow-Credentials`), and no answer is for all origins.
 */
export function allowedPages(origins: readonly string[]): MiddlewareHandler {
  return cors({
    origin: [...origins],
    allowMethods: METHODS,
    allowHeaders: SENT,
    exposeHeaders: EXPOSED,
    maxAge: REMEMBERED_S,
  });
}

/** Sets the same headers on an answer of the door, which comes before the routes. */
export function headersOfRefusal(
  { origin, 'x-request-id': given }: { readonly origin?: string | undefined; readonly 'x-request-id'?: unknown },
  { origins, ids }: { readonly origins: readonly string[]; readonly ids: Pick<Ids, 'uuid'> },
): Readonly<Record<string, string>> & { readonly 'x-request-id': string } {
  const isId = typeof given === 'string' && given.length <= REQUEST_ID_CHARS_MAX && /^[\w\-=]+$/u.test(given);
  const isAllowed = origin !== undefined && origins.includes(origin);
  return {
    'x-request-id': isId ? given : ids.uuid(),
    vary: 'Origin',
    ...(isAllowed && { 'access-control-allow-origin': origin }),
    ...(isAllowed && { 'access-control-expose-headers': EXPOSED.join(',') }),
  };
}

/** Builds headers that tell how often the caller may still ask. */
export function rateHeaders({ limit, left, wholeInS }: RateLeft): Readonly<Record<string, string>> {
  return {
    'x-ratelimit-limit': String(limit),
    'x-ratelimit-remaining': String(left),
    'x-ratelimit-reset': String(wholeInS),
  };
}
