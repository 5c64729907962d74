/**
 * Operations of people's API, in one definition each: role, input and use case. The tRPC procedure, its entry in
 * `ROUTES`, its routes of `/v1` with their documentation, and the test of all callers follow from it.
 */
import type { z } from 'zod';
import type { Fleet } from '../fleet.ts';
import type { Outcome } from '../outcome.ts';
import type { Actor } from '../people.ts';
import type { Route } from '../routes.ts';
import type { V1Definition, V1Name } from '../v1/route.ts';

export { ok } from '../v1/route.ts';

/** Arguments of a use case. */
export interface Asked<I> {
  readonly fleet: Fleet;
  readonly actor: Actor;
  readonly input: I;
  /** Fires when the caller disconnects. */
  readonly signal: AbortSignal | undefined;
}

/** A tool of `drover mcp`, by which a program that speaks the Model Context Protocol calls the operation. */
export interface Tool {
  /** Effect, for the model that chooses among tools. */
  readonly about: string;
  /** Callers that see it: the agent of a worker, in its pane, or the program of a person. */
  readonly serves: 'agent' | 'person';
  /** Fields of the input that are always the same; the model does not see them. */
  readonly given?: Readonly<Record<string, unknown>>;
}

/** Routes of the public API for the same use case. */
type PublicRoutes = Readonly<Record<V1Name, V1Definition>>;

interface Public {
  /** True if the answer holds a secret: it is given once, not kept with its key, and not redacted. */
  readonly isSecret?: boolean;
  readonly v1?: PublicRoutes;
  /** Tools by name, such as `run_show`. Merges and answers of people have none: a yes is a person's. */
  readonly tools?: Readonly<Record<string, Tool>>;
}

/** An operation as its subject writes it. The input is validated before the use case; a refusal becomes a status. */
interface Spec<S extends z.ZodType | undefined, A> extends Public {
  readonly input?: S;
  readonly handle: (asked: Asked<S extends z.ZodType ? z.output<S> : undefined>) => Promise<Outcome<A>>;
}

/** An operation for people's own tools. `S`: the input; `A`: the answer. */
export interface Operation<K extends Route['kind'], S extends z.ZodType | undefined, A> extends Route, Public {
  readonly kind: K;
  readonly input: S | undefined;
  readonly handle: (asked: Asked<never>) => Promise<Outcome<A>>;
}

/** An operation that the public API alone has. */
export interface PublicOperation extends Route, Public {
  readonly handle: null;
  readonly v1: PublicRoutes;
}

/** Defines an operation that only reads. */
export function query<A, S extends z.ZodType | undefined = undefined>(
  role: Route['role'],
  scope: Route['scope'],
  spec: Spec<S, A>,
): Operation<'query', S, A> {
  return { ...spec, kind: 'query', role, scope, input: spec.input };
}

/** Defines an operation that changes something, asks a machine, or takes more input than an address holds. */
export function mutation<A, S extends z.ZodType | undefined = undefined>(
  role: Route['role'],
  scope: Route['scope'],
  spec: Spec<S, A>,
): Operation<'mutation', S, A> {
  return { ...spec, kind: 'mutation', role, scope, input: spec.input };
}

/** Defines an operation without a procedure. */
export function publicOnly(spec: Omit<PublicOperation, 'handle'>): PublicOperation {
  return { ...spec, handle: null };
}
