/** Routes of the public API, as operations write them: input, answer and use case of each. */
import { z } from 'zod';
import type { Fleet } from '../fleet.ts';
import type { ListPlace, Outcome } from '../outcome.ts';
import type { Actor } from '../people.ts';
import type { Route } from '../routes.ts';
import type { ProblemCode, V1Refusal } from './problems.ts';

/** Bytes of a body: far more than an answer or a name takes. */
export const BODY_BYTES_MAX = 64 * 1024;
/** Bytes of a body with a prompt of 1 MiB: JSON writes many of its characters as two bytes, and line ends too. */
export const PROMPT_BODY_BYTES_MAX = 3 * 1_048_576;

/** The input of a route. */
export interface V1Call<P, Q, B> {
  readonly fleet: Fleet;
  readonly actor: Actor;
  readonly params: P;
  readonly query: Q;
  readonly body: B;
  /** The id of the request: the same for the same `Idempotency-Key` of the same token, else a new one. */
  readonly requestId: string;
  /** Fires when the caller disconnects, or the process stops. */
  readonly signal: AbortSignal;
}

/** The answer of a route. */
export type V1Outcome<A> = Outcome<A> | V1Refusal;

const NOTHING = z.strictObject({});
type Nothing = typeof NOTHING;

/** A route as its subject writes it. A missing part is empty. */
export interface V1Spec<P extends z.ZodObject, Q extends z.ZodObject, B extends z.ZodType, A extends z.ZodType> {
  /** A sentence for the documentation. */
  readonly summary: string;
  readonly params?: P;
  readonly query?: Q;
  readonly body?: B;
  /** Bytes of the body; absent: `BODY_BYTES_MAX`. */
  readonly bytesMax?: number;
  readonly answer: A;
  /** Refusals of this route, for the documentation: those of every route are added. */
  readonly problems?: readonly ProblemCode[];
  /** Codes of conflicts of its use case, with 409. Absent: there are none. */
  readonly conflicts?: readonly string[];
  /** True if the answer holds a secret: the answer is given once, is not kept with its key, and is not redacted. */
  readonly isSecret?: boolean;
  /**
   * Schema of each event of a stream. With a schema the route answers no page, but the items of one page after the
   * other, by `after` and `wait`, also to the holder of a `ticket`.
   */
  readonly stream?: z.ZodType;
  /** Handles a call; absent: the route asks its operation with its parameters, query and body, and the id of the request. */
  readonly handle?: (call: V1Call<z.output<P>, z.output<Q>, z.output<B>>) => Promise<V1Outcome<z.input<A>>>;
}

/** A method, and a path with the names of its parameters in braces. */
export type V1Name = `${'GET' | 'POST' | 'DELETE' | 'PATCH'} /v1/${string}`;

/** A route with the access of its operation. */
export interface V1Route extends Omit<V1Definition, 'handle'> {
  readonly access: Route;
  readonly handle: NonNullable<V1Definition['handle']>;
}

/** A route of an operation. */
export interface V1Definition {
  readonly summary: string;
  readonly params: z.ZodObject;
  readonly query: z.ZodObject;
  /** Schema of the body; null: the route takes no body. */
  readonly body: z.ZodType | null;
  readonly bytesMax: number;
  readonly answer: z.ZodType;
  readonly problems: readonly ProblemCode[];
  readonly conflicts: readonly string[];
  readonly isSecret: boolean;
  readonly stream: z.ZodType | null;
  readonly handle: ((call: V1Call<unknown, unknown, unknown>) => Promise<V1Outcome<unknown>>) | null;
}

export function defineV1<
  A extends z.ZodType,
  P extends z.ZodObject = Nothing,
  Q extends z.ZodObject = Nothing,
  B extends z.ZodType = Nothing,
>(spec: V1Spec<P, Q, B, A>): V1Definition {
  const { summary, answer, isSecret = false, bytesMax = BODY_BYTES_MAX, problems = [], conflicts = [] } = spec;
  return {
    summary,
    params: spec.params ?? NOTHING,
    query: spec.query ?? NOTHING,
    body: spec.body ?? null,
    bytesMax,
    answer,
    problems,
    conflicts,
    isSecret,
    stream: spec.stream ?? null,
    // The route's own schemas have validated the input.
    handle: (spec.handle ?? null) as V1Definition['handle'],
  };
}

/** Size of a page, and the cursor after which it begins. */
export const page = {
  limit: z.coerce
    .number()
    .int()
    .min(1)
    .max(500)
    .default(100)
    .meta({ description: 'Maximum number of entries, 1 to 500' }),
  after: z.string().min(1).max(200).optional().meta({ description: 'The `next` of the page before' }),
};

/** A switch in a query; absent: off. */
export function flag(description: string) {
  return z
    .enum(['true', 'false'])
    .default('false')
    .transform((given) => given === 'true')
    .meta({ description });
}

/** A span that ends now, in milliseconds: ten years at most. */
export const sinceMs = z.coerce
  .number()
  .int()
  .min(1)
  .max(3_650 * 86_400_000)
  .meta({ description: 'Only the last so many milliseconds' });

const NEWEST_FIRST = /^(?<at>\d{1,15})\.(?<id>[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/u;

/** The place after which a page begins: undefined at the start of the list. */
export type Cursor<P> = { readonly kind: 'cursor'; readonly place: P | undefined } | V1Refusal;

/** Parses the cursor of a list that is sorted by time: the time and the id of its last item. */
export function newestFirstCursor(after: string | undefined): Cursor<ListPlace> {
  return cursorBy(after, NEWEST_FIRST, ({ at, id = '' }) => ({ at: Number(at), id }));
}

/** Parses a cursor with the pattern of the list's cursors. */
export function cursorBy<P>(
  after: string | undefined,
  pattern: RegExp,
  placeOf: (found: Readonly<Record<string, string>>) => P,
): Cursor<P> {
  if (after === undefined) return { kind: 'cursor', place: undefined };
  const found = pattern.exec(after)?.groups;
  if (found !== undefined) return { kind: 'cursor', place: placeOf(found) };
  return {
    kind: 'refused',
    code: 'cursor-lost',
    message: '"after" is not a cursor of this list: read the list from the start',
  };
}

/** Formats a place of such a list as a cursor. */
export function cursorOf({ at, id }: ListPlace): string {
  return `${at}.${id}`;
}

/** Makes a page of such a list. `listed` has one more item than the page if there is a further page. */
export function newestFirstPage<T extends { readonly createdAt: number; readonly id: string }>(
  listed: readonly T[],
  limit: number,
): { items: T[]; next: string | null } {
  return pageUpTo(listed, limit, ({ createdAt: at, id }) => cursorOf({ at, id }));
}

/** Makes a page of a list that was read one item beyond the page. The cursor of an item marks the start of the next page. */
export function pageUpTo<T>(
  listed: readonly T[],
  limit: number,
  cursorOf: (item: T) => string,
): { items: T[]; next: string | null } {
  const items = listed.slice(0, limit);
  const last = items.at(-1);
  return { items, next: listed.length > limit && last !== undefined ? cursorOf(last) : null };
}

/** A page of a list. */
export function listOf<T extends z.ZodType>(item: T) {
  return z.object({
    items: z.array(item),
    next: z.string().nullable().meta({ description: 'Where the next page begins; null: there is none' }),
  });
}

export function ok<T>(value: T): { readonly kind: 'ok'; readonly value: T } {
  return { kind: 'ok', value };
}

/** Makes a page of a list that is small enough to be read whole: the cursor is the key of the last item. */
export function pageOf<T>(
  all: readonly T[],
  {
    limit,
    after,
    key,
  }: { readonly limit: number; readonly after: string | undefined; readonly key: (item: T) => string },
): V1Outcome<{ items: T[]; next: string | null }> {
  const at = after === undefined ? -1 : all.findIndex((item) => key(item) === after);
  if (after !== undefined && at === -1)
    return { kind: 'refused', code: 'cursor-lost', message: 'The list has changed: read it again without "after"' };
  const items = all.slice(at + 1, at + 1 + limit);
  const last = items.at(-1);
  return ok({ items, next: last === undefined || at + 1 + limit >= all.length ? null : key(last) });
}

/** Schema of a body that names changes: a request without a change is a slip. */
export function changesOf<S extends z.ZodRawShape>(input: z.ZodObject<S>) {
  return z
    .strictObject(input.shape)
    .refine((body) => Object.keys(body).length > 0, 'The body changes nothing: give at least one field');
}
