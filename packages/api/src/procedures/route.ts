/** How a procedure is built from its entry in the table of routes: who may call it, how long, and what is taken out of its answer. */
import { invariant } from '@drover/core';
import { initTRPC, TRPCError } from '@trpc/server';
import type { ApiContext } from '../fleet.ts';
import type { Actor } from '../people.ts';
import { refusalOf, ROUTES } from '../routes.ts';
import type { RouteName } from '../routes.ts';
import { readable, reasonOf } from './refused.ts';

const UNKNOWN_PROCEDURE = 'Unknown procedure: the coordinator is of another version than the program that asks';

const t = initTRPC
  .context<ApiContext>()
  .meta<{ readonly route: RouteName }>()
  .create({
    errorFormatter: ({ shape, error, ctx, type }) => ({
      ...shape,
      message: messageOf({ error, ctx, isUnknown: type === 'unknown' && error.code === 'NOT_FOUND' }),
      data: { code: shape.data.code, httpStatus: shape.data.httpStatus, reason: reasonOf(error) },
    }),
  });

/** The name of an unknown procedure is a text of a stranger: it is not repeated. */
function messageOf({
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

/** A call that waits ends with its token: its late answer is dropped. */
async function untilTokenEnds<T>({ watch }: ApiContext, call: () => Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const stop = watch((message) => reject(new TRPCError({ code: 'UNAUTHORIZED', message })));
  try {
    return await Promise.race([call(), promise]);
  } finally {
    stop();
  }
}

/** Whose answer is a token, which is shown this once. Secrets are taken out of every other answer. */
const SHOWN_ONCE: ReadonlySet<RouteName> = new Set<RouteName>([
  'machines.invite',
  'tokens.create',
  'people.link',
  'webhooks.add',
  'webhooks.rotate',
  'terminals.watch',
  'terminals.type',
]);

/** A procedure is built from its entry in the table of routes. */
export function route(name: RouteName): typeof t.procedure {
  const entry = ROUTES[name];
  return t.procedure.meta({ route: name }).use(async ({ ctx, next }) => {
    const { actor } = ctx;
    if (actor === null) {
      throw new TRPCError({
        code: 'UNAUTHORIZED',
        message: 'The token is wrong or has expired: run the command where "drover up" runs, or set DROVER_TOKEN',
      });
    }
    const refusal = refusalOf(entry, actor);
    if (refusal !== null) {
      ctx.refused(name);
      throw new TRPCError({ code: 'FORBIDDEN', message: refusal });
    }
    const answer = await untilTokenEnds(ctx, next);
    return answer.ok && !SHOWN_ONCE.has(name) ? { ...answer, data: ctx.redact(answer.data) } : answer;
  }) as typeof t.procedure;
}

/** Puts procedures under their names. */
export const { router } = t;

/** The caller, after `route` has let them in. */
export function known({ actor }: ApiContext): Actor {
  invariant(actor !== null, 'A procedure that needs a role was called without an actor');
  return actor;
}
