/** The tRPC procedure of an operation: its roles, the end of its calls, and the redaction of its answers. */
import { invariant } from '@drover/core';
import { initTRPC, TRPCError } from '@trpc/server';
import type { ApiContext } from '../fleet.ts';
import type { Actor } from '../people.ts';
import type { z } from 'zod';
import type { Asked } from '../operations/define.ts';
import type { Outcome } from '../outcome.ts';
import { refusalOf } from '../routes.ts';
import type { Route } from '../routes.ts';
import { readable, reasonOf, value } from './refused.ts';

const UNKNOWN_PROCEDURE = 'Unknown procedure: the coordinator and the calling program have different versions';

const t = initTRPC.context<ApiContext>().create({
  errorFormatter: ({ shape, error, ctx, type }) => ({
    ...shape,
    message: refusalMessage({ error, ctx, isUnknown: type === 'unknown' && error.code === 'NOT_FOUND' }),
    data: { code: shape.data.code, httpStatus: shape.data.httpStatus, reason: reasonOf(error) },
  }),
});

/** Formats an error. The name of an unknown procedure is a stranger's text and is not repeated. */
function refusalMessage({
  error,
  ctx,
  isUnknown,
}: {
  readonly error: TRPCError;
  readonly ctx: ApiContext | undefined;
  readonly isUnknown: boolean;
}): string {
  if (isUnknown) return UNKNOWN_PROCEDURE;
  return ctx === undefined ? readable(error) : ctx.redact(readable(error));
}

/** Ends a waiting call with its token and drops the late answer. */
async function untilTokenEnds<T>({ watch }: ApiContext, call: () => Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const stop = watch((message) => reject(new TRPCError({ code: 'UNAUTHORIZED', message })));
  try {
    return await Promise.race([call(), promise]);
  } finally {
    stop();
  }
}

/** An operation with a procedure, of any input and answer. */
export interface Asking extends Route {
  readonly isSecret?: boolean;
  readonly input: z.ZodType | undefined;
  readonly handle: (asked: Asked<never>) => Promise<Outcome<unknown>>;
}

/** Makes the procedure of an operation. Takes secrets out of every answer that is not shown only once. */
export function procedureOf(name: string, operation: Asking) {
  const { kind, input: schema, isSecret = false, handle } = operation;
  const guarded = t.procedure.use(async ({ ctx, next }) => {
    const { actor } = ctx;
    if (actor === null) {
      throw new TRPCError({
        code: 'UNAUTHORIZED',
        message: 'The token is wrong or has expired: run the command where "drover up" runs, or set DROVER_TOKEN',
      });
    }
    const refusal = refusalOf(operation, actor);
    if (refusal !== null) {
      ctx.refused(name);
      throw new TRPCError({ code: 'FORBIDDEN', message: refusal });
    }
    const answer = await untilTokenEnds(ctx, next);
    return answer.ok && !isSecret ? { ...answer, data: ctx.redact(answer.data) } : answer;
  });
  const checked = schema === undefined ? guarded : guarded.input(schema);
  const answer = async ({ ctx, input }: { readonly ctx: ApiContext; readonly input: unknown }): Promise<unknown> => {
    const { fleet, signal } = ctx;
    // The schema of the operation has checked it.
    return value(await handle({ fleet, actor: known(ctx), input: input as never, signal }));
  };
  return kind === 'query' ? checked.query(answer) : checked.mutation(answer);
}

export const { router } = t;

/** Returns the caller after authentication. */
function known({ actor }: ApiContext): Actor {
  invariant(actor !== null, 'A procedure that needs a role was called without an actor');
  return actor;
}
