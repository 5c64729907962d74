/** Answers to refused calls of the public API: `application/problem+json` (RFC 9457) with a stable code. */
import { z } from 'zod';
import type { Refusal } from '../outcome.ts';

/** Codes of the API itself, each with its status and meaning. A use case adds codes of its own, always with 409. */
export const PROBLEMS = {
  'not-json': { status: 400, title: 'The body is not JSON' },
  unauthorized: { status: 401, title: 'The token is missing, wrong, revoked or expired' },
  forbidden: { status: 403, title: 'The token does not allow this' },
  'not-found': { status: 404, title: 'There is no such thing within the reach of the token' },
  'method-not-allowed': { status: 405, title: 'The path takes other methods: Allow has them' },
  'already-resolved': { status: 409, title: 'Somebody has already answered' },
  changed: { status: 409, title: 'The question has changed since' },
  stale: { status: 409, title: 'No worker is waiting for this answer any more' },
  over: { status: 410, title: 'It has ended: there is nothing left to do' },
  'cursor-lost': { status: 410, title: 'The events after this cursor are no longer kept' },
  'length-required': { status: 411, title: 'The request has no Content-Length' },
  'too-large': { status: 413, title: 'The body is too large' },
  'wrong-type': { status: 415, title: 'The body is not application/json' },
  invalid: { status: 422, title: 'The input does not fit the schema or the question' },
  'key-reused': { status: 422, title: 'The key was used for another request' },
  'too-many-requests': { status: 429, title: 'The token has exceeded its rate limit' },
  internal: { status: 500, title: 'The coordinator could not carry out the request' },
} as const satisfies Readonly<Record<string, { readonly status: number; readonly title: string }>>;

export type ProblemCode = keyof typeof PROBLEMS;

/** A problem as it is sent. */
export const problem = z
  .object({
    type: z.string().meta({ description: 'Always about:blank: the code says what it is' }),
    title: z.string(),
    status: z.number().int(),
    code: z
      .string()
      .meta({ description: 'Stays the same in later versions. Treat a code that you do not know by its status' }),
    detail: z.string().meta({ description: 'For people: what was expected, and what to do' }),
    requestId: z.string().optional().meta({ description: 'As in X-Request-Id: the log of the coordinator has it' }),
    errors: z
      .array(z.object({ path: z.string(), message: z.string() }))
      .optional()
      .meta({ description: 'With the code invalid: what is wrong with which field' }),
    winner: z
      .object({ option: z.string(), by: z.string(), at: z.number().int() })
      .optional()
      .meta({ description: 'With the code already-resolved: the answer that won' }),
    present: z
      .object({ asked: z.number().int(), title: z.string(), options: z.array(z.string()) })
      .optional()
      .meta({ description: 'With the code changed: the question as it is now' }),
  })
  .meta({ id: 'Problem' });

export type Problem = z.infer<typeof problem>;

/** Fields of a problem beside its code. */
export type ProblemExtras = Pick<Problem, 'errors' | 'winner' | 'present'>;

/** The refusal of a call, with what helps the caller to go on. */
export interface V1Refusal extends Refusal {
  readonly extras?: ProblemExtras;
}

/** Makes the problem of a refusal. The codes of use cases are conflicts, except those that say that a question is over. */
export function problemOf({ code, message, extras = {} }: Omit<V1Refusal, 'kind'>): Problem {
  const known = code === 'already-expired' || code === 'already-cancelled' ? 'over' : code;
  const listed = isProblemCode(known) ? PROBLEMS[known] : CONFLICT;
  return { type: 'about:blank', title: listed.title, status: listed.status, code: known, detail: message, ...extras };
}

const CONFLICT = { status: 409, title: 'The present state does not allow this' };

function isProblemCode(code: string): code is ProblemCode {
  return Object.hasOwn(PROBLEMS, code);
}
