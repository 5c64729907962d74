/** Serves the public API from its table: identifies the caller, validates the input, asks a use case, and repeats the answer of a known key. */
import { createHash } from 'node:crypto';
import { idempotencyKey, refusalOf, routerPath, V1_ROUTES, v1Document, v1Place } from '@drover/api';
import type { Actor, ApiContext, Fleet, V1Route } from '@drover/api';
import { Hono } from 'hono';
import { compress } from 'hono/compress';
import type { Context as Http } from 'hono';
import type { Context } from '../../context/context.ts';
import { refusedWith, responseOf } from './answers.ts';
import type { Answer } from './answers.ts';
import { docsPage } from './docs-page.ts';
import { inputOf } from './input.ts';
import type { Input } from './input.ts';
import { STREAM_HEADERS, streamOf } from './stream.ts';

/** The caller, and tools of every call. */
export type Caller = Pick<ApiContext, 'actor' | 'redact' | 'watch' | 'refused'> & {
  readonly signal: AbortSignal;
  /** Id of the request as it was sent, for the log. */
  readonly logId: string;
};

export interface V1Parts {
  readonly ctx: Pick<Context, 'store' | 'clock' | 'ids' | 'log'>;
  readonly fleet: Fleet;
  /** Identifies the caller: with a ticket its holder, whatever token is sent beside it. */
  readonly callerOf: (http: Http, ticket?: string) => Promise<Caller>;
}

/** Serves the routes of the table under `/v1`, and its documentation, which needs no token. */
export function v1Routes(parts: V1Parts): Hono {
  const app = new Hono();
  // Compresses only answers of the routes below: links and channels hold secrets beside text from panes.
  app.use('/v1/*', compress({ contentTypeFilter: /^application\/json\b/u }));
  // Made at the first request, because it takes long, and once.
  let made: Promise<object> | undefined;
  const document = () => (made ??= parts.fleet.info().then(({ version }) => v1Document(version)));
  app.get('/v1/openapi.json', async (http) => http.json(await document()));
  app.get('/v1/docs', async () => docsPage(await document()));
  for (const [name, route] of Object.entries(V1_ROUTES)) {
    const { method, path } = v1Place(name);
    app.on(method, routerPath(path), (http) => serve(http, { name, route, parts }));
  }
  return app;
}

interface Served {
  readonly name: string;
  readonly route: V1Route;
  readonly parts: V1Parts;
}

async function serve(http: Http, served: Served): Promise<Response> {
  const { name, route, parts } = served;
  const caller = await parts.callerOf(http, route.stream === null ? undefined : http.req.query('ticket'));
  const { actor } = caller;
  if (actor === null)
    return responseOf(http, refusedWith('unauthorized', route.stream === null ? NO_TOKEN : NO_TICKET));
  const refusal = refusalOf(route.access, actor);
  if (refusal !== null) {
    caller.refused(name);
    return responseOf(http, refusedWith('forbidden', refusal));
  }
  const read = await inputOf(http, route);
  if (read.kind === 'answer') return responseOf(http, read.answer);
  if (route.stream !== null) return stream(http, served, { caller, actor, input: read.input });
  const { isReplay = false, ...answer } = await untilTokenEnds(caller, () =>
    http.req.method === 'GET'
      ? carryOut(served, { caller, actor, input: read.input, requestId: parts.ctx.ids.uuid() })
      : onceByKey(http, served, { caller, actor, input: read.input }),
  );
  const headers = isReplay ? { 'idempotency-replayed': 'true' } : {};
  return responseOf(http, answer, { headers, isSecret: route.isSecret });
}

const NO_TOKEN = 'Send a valid token with "Authorization: Bearer …"';
const NO_TICKET = `${NO_TOKEN}, or a ticket of POST /v1/events/tickets, which opens one stream within a minute`;

/** An answer, and whether it repeats the earlier answer to a key. */
type Told = Answer & { readonly isReplay?: boolean };

/** Streams pages. The first page is an answer like any other: a refusal is a problem and no stream. */
async function stream(http: Http, served: Served, call: Call): Promise<Response> {
  const requestId = served.parts.ctx.ids.uuid();
  const last = http.req.header('last-event-id');
  // A browser that comes back names the last event that it has; its address still has the cursor of its first request.
  const query = { ...(call.input.query as object), ...(last !== undefined && { after: last }) };
  const first = await carryOut(served, { ...call, input: { ...call.input, query }, requestId });
  if (first.status !== 200) return responseOf(http, first);
  // A HEAD request's body would be dropped unread, and never end.
  if (http.req.method === 'HEAD') return new Response(null, { headers: STREAM_HEADERS });
  const end = new AbortController();
  const signal = AbortSignal.any([call.caller.signal, end.signal]);
  let lastWord: Answer | null = null;
  const stop = call.caller.watch((message) => {
    lastWord = refusedWith('unauthorized', message);
    end.abort();
  });
  const caller = { ...call.caller, signal };
  return streamOf({
    first,
    next: async (patch) => {
      const page = await carryOut(served, {
        ...call,
        caller,
        input: { ...call.input, query: { ...query, ...patch } },
        requestId,
      });
      return lastWord ?? page;
    },
    signal,
    onEnd: () => {
      stop();
      end.abort();
    },
  });
}

/** Ends a waiting call with its token: drops its late answer. */
async function untilTokenEnds({ watch }: Caller, call: () => Promise<Told>): Promise<Told> {
  const { promise, resolve } = Promise.withResolvers<Told>();
  const stop = watch((message) => resolve(refusedWith('unauthorized', message)));
  try {
    return await Promise.race([call(), promise]);
  } finally {
    stop();
  }
}

/** A call of one caller. */
interface Call {
  readonly caller: Caller;
  readonly actor: Actor;
  readonly input: Input;
}

/**
 * X3: keeps the key before the use case begins, with the id that the use case knows the request by. So a repetition after a crash is the
 * same request to the use case, which acts once; once there is an answer, the answer is repeated.
 */
async function onceByKey(http: Http, served: Served, call: Call): Promise<Told> {
  const { store, clock, ids } = served.parts.ctx;
  const header = http.req.header('idempotency-key');
  const id = ids.uuid();
  if (header === undefined) return carryOut(served, { ...call, requestId: id });
  const parsed = idempotencyKey.safeParse(header);
  if (!parsed.success) return refusedWith('invalid', parsed.error.issues.map(({ message }) => message).join('. '));
  const which = { caller: call.actor.id, key: parsed.data };
  const requestSha256 = sumOf(`${http.req.method} ${http.req.path}\n${call.input.text}`);
  const use = await store.claimKey({ ...which, id, requestSha256, now: clock.now() });
  if (use.kind === 'other')
    return refusedWith(
      'key-reused',
      'The Idempotency-Key was already used for another request: give each request its own key',
    );
  if (use.kind === 'answered') return { status: use.status, body: use.body, isReplay: true };
  const answer = await carryOut(served, { ...call, requestId: use.id });
  if (answer.status < 500 && !served.route.isSecret) await store.keepAnswer({ ...which, id: use.id }, answer);
  return answer;
}

function sumOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

async function carryOut(
  { name, route, parts }: Served,
  { caller, actor, input, requestId }: Call & { readonly requestId: string },
): Promise<Answer> {
  const { fleet, ctx } = parts;
  const { params, query, body } = input;
  try {
    const outcome = await route.handle({ fleet, actor, params, query, body, requestId, signal: caller.signal });
    if (outcome.kind === 'ok')
      return { status: 200, body: route.isSecret ? outcome.value : caller.redact(outcome.value) };
    const extras = 'extras' in outcome ? outcome.extras : {};
    return caller.redact(refusedWith(outcome.code, outcome.message, extras));
  } catch (error) {
    const stack = error instanceof Error ? error.stack : null;
    ctx.log('error', `${name} failed: ${String(error)}`, { stack, requestId: caller.logId });
    return refusedWith(
      'internal',
      'The coordinator could not carry out the request; its log says why. Repeat it with the same key',
    );
  }
}
