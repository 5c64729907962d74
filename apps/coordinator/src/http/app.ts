/** The coordinator's HTTP: people's API, the agents' routes, and what a load balancer asks. */
import { trpcServer } from '@hono/trpc-server';
import { appRouter } from '@drover/api';
import type { Actor, ApiContext, Fleet } from '@drover/api';
import { MESSAGE_BYTES_MAX } from '@drover/protocol';
import { Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { agentRoutes, bearerSha256 } from '../agent/routes.ts';
import type { Waiters } from '../agent/waiters.ts';
import { metricsRoute } from '../metrics/route.ts';
import type { Context } from '../use-cases/context.ts';

/** What the routes are made of. */
export interface AppParts {
  readonly ctx: Context;
  readonly fleet: Fleet;
  readonly commands: Waiters;
  /** What `/metrics` shows. */
  readonly metricsPage: () => Promise<string>;
  /** Fires when the process stops: a balancer sends nothing new, and who waits for news is answered at once. */
  readonly stopping: AbortSignal;
}

/**
 * People's API under `/trpc`, the agents' under `/agent`, and `/healthz` (the process lives) `/readyz` (it serves, and
 * the database answers) and `/metrics`.
 */
export function createApp({ ctx, fleet, commands, metricsPage, stopping }: AppParts): Hono {
  const app = new Hono();
  app.onError((error, http) => {
    ctx.log('error', `${http.req.method} ${http.req.path} failed: ${error.message}`, { stack: error.stack });
    return http.json({ code: 'internal', message: 'The coordinator could not carry this out; its log says why' }, 500);
  });
  app.notFound((http) => http.json({ code: 'not-found', message: `There is nothing at ${http.req.path}` }, 404));
  app.get('/healthz', (http) => http.text('ok'));
  app.get('/readyz', async (http) => {
    if (stopping.aborted) return http.text('stopping', 503);
    const problem = await ctx.store.ping().then(
      () => null,
      (error: unknown) => String(error),
    );
    return problem === null ? http.text('ok') : http.text(`the database does not answer: ${problem}`, 503);
  });
  const isViewer = async (authorization: string | undefined): Promise<boolean> =>
    (await actorOf(ctx, authorization)) !== null;
  app.route('/', metricsRoute({ page: metricsPage, isViewer }));
  app.route('/agent', agentRoutes(ctx, { waiters: commands, stopping }));
  app.use('/trpc/*', bodyLimit({ maxSize: MESSAGE_BYTES_MAX }));
  app.use(
    '/trpc/*',
    trpcServer({
      router: appRouter,
      endpoint: '/trpc',
      createContext: async (_options, http) => {
        const signal = AbortSignal.any([http.req.raw.signal, stopping]);
        const api: ApiContext = { actor: await actorOf(ctx, http.req.header('authorization')), fleet, signal };
        return { ...api };
      },
      onError: ({ error, path }) => {
        if (error.code !== 'INTERNAL_SERVER_ERROR') return;
        ctx.log('error', `${path ?? 'a procedure'} failed: ${error.message}`, {
          stack: error.cause?.stack ?? error.stack,
        });
      },
    }),
  );
  return app;
}

async function actorOf(ctx: Context, authorization: string | undefined): Promise<Actor | null> {
  const sha256 = bearerSha256(authorization);
  const token = sha256 === null ? null : await ctx.store.apiTokenBySha256(sha256);
  if (token === null || (token.expiresAt !== null && token.expiresAt <= ctx.clock.now())) return null;
  return { name: token.name, role: token.role };
}
