/** How the public API answers: JSON, or a problem. */
import { problemOf } from '@drover/api';
import type { ProblemExtras } from '@drover/api';

/** An answer before it is sent: it can be kept with a key. */
export interface Answer {
  readonly status: number;
  readonly body: unknown;
}

/** The answer of a refusal. */
export function refusedWith(code: string, message: string, extras: ProblemExtras = {}): Answer {
  const body = problemOf({ code, message, extras });
  return { status: body.status, body };
}

/** Answers are of their caller alone, and never of a cache. */
export function responseOf({ status, body }: Answer): Response {
  return new Response(JSON.stringify(body), {
    status,
    headers: {
      'content-type': status < 400 ? 'application/json' : 'application/problem+json',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      ...(status === 401 && { 'www-authenticate': 'Bearer' }),
    },
  });
}
