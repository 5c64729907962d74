/** Serves the coordinator's HTTP: people's API, the agents' routes, and health checks for a load balancer. */
import { trpcServer } from '@hono/trpc-server';
import { appRouter, PROBLEMS } from '@drover/api';
import type { Actor, ApiContext, Fleet, ProblemCode } from '@drover/api';
import { MESSAGE_BYTES_MAX } from '@drover/protocol';
import { Hono } from 'hono';
import { TrieRouter } from 'hono/router/trie-router';
import type { Context as Http } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { agentRoutes } from '../agent/routes.ts';
import type { Waiters } from '../context/waiters.ts';
import { actionRoutes } from './actions/routes.ts';
import { channelRoutes } from './channels.ts';
import { checkRoutes } from './check-routes.ts';
import { metricsRoute } from './metrics.ts';
import { redactorOf } from '../context/context.ts';
import { tickRoute } from './tick.ts';
import type { TickParts } from './tick.ts';
import type { Context } from '../context/context.ts';
import { dashboardFiles } from '../dashboard/files.ts';
import { actorOfBrowser, sessionRoutes } from '../dashboard/session.ts';
import { usePass } from '../facts/people/passes.ts';
import { actorOf } from '../facts/people/actor.ts';
import type { Vouch } from '../door/door.ts';
import { CALLS_OF_REQUEST_MAX } from '../door/limits.ts';
import { incomingOf } from '../door/incoming.ts';
import { RefusalAudit } from '../door/refusal-audit.ts';
import { TokenWatch } from '../door/token-watch.ts';
import { refusedWith, responseOf } from './v1/answers.ts';
import { allowedPages, requestIds } from './v1/headers.ts';
import { v1Routes } from './v1/serve.ts';
import type { Caller } from './v1/serve.ts';

export interface AppParts extends TickParts {
  readonly ctx: Context;
  readonly fleet: Fleet;
  readonly commands: Waiters;
  /** Runs for each request whose token is valid. */
  readonly vouch: Vouch;
  /** Renders `/metrics`. */
  readonly metricsPage: () => Promise<string>;
  /** Directory of the built dashboard; null: there is none. */
  readonly dashboardDir: string | null;
  /** Fires when the process stops: a balancer sends nothing new, and calls that wait for news are answered at once. */
  readonly stopping: AbortSignal;
  /** Does due work for `budgetMs` milliseconds where no loop does the work; null where a loop does. */
  readonly doDueWork: ((budgetMs: number) => Promise<unknown>) | null;
}

/**
 * Serves people's API under `/trpc`, the agents' under `/agent`, and `/healthz` (the process lives) `/readyz` (it serves, and the
 * database answers), `/metrics`, and `/internal/tick` for a scheduler.
 */
export function createApp(parts: AppParts): Hono {
  const { ctx, fleet, commands, vouch, metricsPage, dashboardDir, stopping, doDueWork } = parts;
  // Hono would first build another router, which cannot take the paths of `/v1`, at each start.
  const app = new Hono({ router: new TrieRouter() });
  const tokens = new TokenWatch(ctx);
  const refusals = new RefusalAudit(ctx);
  stopping.addEventListener('abort', () => tokens[Symbol.dispose](), { once: true });
  app.use('/v1/*', requestIds(ctx.ids), allowedPages(ctx.hosts?.origins ?? []));
  app.onError((error, http) => {
    const fields = { stack: error.stack, requestId: http.get('requestId') };
    ctx.log('error', `${http.req.method} ${http.req.path} failed: ${error.message}`, fields);
    return refusedAt(http, {
      code: 'internal',
      message: 'The coordinator could not carry out the request; its log says why',
    });
  });
  app.notFound((http) => {
    const allowed = methodsAt(app, http.req.path);
    // The message leaves out the path: it is a text of a stranger.
    if (allowed.length === 0) return refusedAt(http, { code: 'not-found', message: 'There is nothing at this path' });
    const message = `This path allows ${allowed.join(', ')}`;
    return refusedAt(http, { code: 'method-not-allowed', message }, { allow: allowed.join(', ') });
  });
  app.get('/healthz', (http) => http.text('ok'));
  app.get('/readyz', async (http) => {
    if (stopping.aborted) return http.text('stopping', 503);
    const problem = await ctx.store.ping().then(
      () => null,
      (error: unknown) => String(error),
    );
    return problem === null
      ? http.text('ok')
      : http.text(`the database does not answer: ${redactorOf(ctx).text(problem)}`, 503);
  });
  const redact: ApiContext['redact'] = (answer) => redactorOf(ctx).value(answer);
  const callerOf = async (http: Http, ticket?: string): Promise<Caller> =>
    callerAs(
      http,
      await (ticket === undefined
        ? actorOf(ctx, http.req.header('authorization'))
        : usePass(ctx, ticket, 'event ticket')),
    );
  const callerAs = (http: Http, actor: Actor | null): Caller => {
    const signal = AbortSignal.any([http.req.raw.signal, stopping]);
    if (actor !== null) vouch(incomingOf(http));
    const watch: ApiContext['watch'] = (over) =>
      actor === null ? () => {} : tokens.watch({ id: actor.id, name: actor.name, over });
    const refused = (name: string): void => (actor === null ? undefined : refusals.note(actor, name));
    return { actor, signal, watch, refused, redact, logId: http.get('requestId') };
  };
  const isViewer = async (authorization: string | undefined): Promise<boolean> =>
    isFleetViewer(await actorOf(ctx, authorization));
  app.route('/', metricsRoute({ page: metricsPage, isViewer }));
  app.route('/agent', agentRoutes(ctx, { waiters: commands, vouch, stopping, doDueWork }));
  app.route('/internal', tickRoute(parts));
  app.route(
    '/v1/channels',
    channelRoutes({
      fleet,
      actorOf: async (http) => {
        const actor = await actorOf(ctx, http.req.header('authorization'));
        if (actor !== null) vouch(incomingOf(http));
        return actor;
      },
      refused: (actor, route) => refusals.note(actor, route),
      stopping,
    }),
  );
  const version = async (): Promise<string> => (await fleet.info()).version;
  app.route('/session', sessionRoutes({ ctx, vouch, version }));
  app.route('/', dashboardFiles(dashboardDir));
  app.route('/v1/actions', actionRoutes({ ctx, fleet }));
  app.route('/', v1Routes({ ctx, fleet, callerOf }));
  app.use('/trpc/*', bodyLimit({ maxSize: MESSAGE_BYTES_MAX }));
  app.use(
    '/trpc/*',
    trpcServer({
      router: appRouter,
      endpoint: '/trpc',
      // The door charges for calls and refuses at the same number; a function has no door.
      maxBatchSize: CALLS_OF_REQUEST_MAX,
      createContext: async (_options, http) => {
        const authorization = http.req.header('authorization');
        const actor = await (authorization === undefined ? actorOfBrowser(ctx, http) : actorOf(ctx, authorization));
        const api: ApiContext = { fleet, ...callerAs(http, actor) };
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
  checkRoutes(app);
  return app;
}

/** Lists the methods that a path is served with. */
function methodsAt(app: Hono, path: string): readonly string[] {
  return ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']
    .filter((method) => app.router.match(method, path)[0].some(([[, route]]) => route.method === method))
    .flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
}

/** Answers with a problem under the public API. */
function refusedAt(
  http: Http,
  { code, message }: { readonly code: ProblemCode; readonly message: string },
  headers: Readonly<Record<string, string>> = {},
): Response {
  if (!http.req.path.startsWith('/v1/')) return http.json({ code, message }, PROBLEMS[code].status, headers);
  const detail = code === 'internal' ? message : `${message}: see /v1/docs`;
  return responseOf(http, refusedWith(code, detail), { headers });
}

/** Tells whether the caller may see the metrics, which are of the whole fleet. */
function isFleetViewer(actor: Actor | null): boolean {
  return actor !== null && actor.kind === 'person' && actor.project === null;
}
