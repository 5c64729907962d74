/** Formats answers of the public API: JSON, or a problem. */
import { problemOf } from '@drover/api';
import type { ProblemExtras } from '@drover/api';
import type { Context as Http } from 'hono';

/** An answer before it is sent: it can be kept with a key. */
export interface Answer {
  readonly status: number;
  readonly body: unknown;
}

/** Builds the answer of a refusal. */
export function refusedWith(code: string, message: string, extras: ProblemExtras = {}): Answer {
  const body = problemOf({ code, message, extras });
  return { status: body.status, body };
}

/** Sends an answer for its caller alone, and never for a cache. `isSecret`: no proxy compresses it together with other people's text. */
export function responseOf(
  http: Http,
  { status, body }: Answer,
  {
    headers = {},
    isSecret = false,
  }: { readonly headers?: Readonly<Record<string, string>>; readonly isSecret?: boolean } = {},
): Response {
  const isProblem = status >= 400;
  const text = JSON.stringify(isProblem ? { ...(body as object), requestId: http.get('requestId') } : body);
  return new Response(text, {
    status,
    headers: {
      'content-type': isProblem ? 'application/problem+json' : 'application/json',
      'content-length': String(Buffer.byteLength(text)),
      'cache-control': isSecret ? 'no-store, no-transform' : 'no-store',
      'x-content-type-options': 'nosniff',
      ...(status === 401 && { 'www-authenticate': 'Bearer' }),
      ...headers,
    },
  });
}
