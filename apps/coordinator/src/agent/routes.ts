/** Serves the agent protocol over HTTP: proof of the listener, joining, hello, the long poll for machines behind proxies, and parcels. */
import {
  challengeRequest,
  gatewayRequest,
  helloRequest,
  homeRequest,
  joinRequest,
  MESSAGE_BYTES_MAX,
  speaking,
  storableJson,
  syncRequest,
  workerTokenRequest,
} from '@drover/protocol';
import type { CommandEnvelope } from '@drover/protocol';
import { listenerMessage, type ListenerAnswer } from '@drover/protocol/loopback';
import type { Machine } from '@drover/store';
import { Hono } from 'hono';
import type { Context as HttpContext } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import type { z } from 'zod';
import { bearerSha256 } from '../context/bearer.ts';
import type { Vouch } from '../door/door.ts';
import { incomingOf } from '../door/incoming.ts';
import { STRANGER_BODY_BYTES_MAX } from '../door/limits.ts';
import type { Context } from '../context/context.ts';
import { askHome } from '../use-cases/parcels/home.ts';
import { challenge, hello, join, refusedVersion } from './enrol.ts';
import { waitForGateway } from './gateway.ts';
import type { Answer } from './enrol.ts';
import { parcelRoutes } from './parcels.ts';
import { answer, endOf, ACCESS_CHECK_EVERY_MS, newerProfiles, notRegistered, takeCommands, takePoll } from './sync.ts';
import { listenFor } from '../context/waiters.ts';
import { giveWorkerToken } from './worker-token.ts';
import type { Waiters } from '../context/waiters.ts';

/** Seconds that a poll waits at most: shorter than the patience of common proxies. */
const WAIT_MAX_S = 25;

/** Milliseconds of due work in one sync before it answers: a few rows, so that no machine waits for others. */
const SYNC_BUDGET_MS = 100;

/** Milliseconds between reads of the outbox by a waiting poll, which also reads at each hint (docs/adr/0004). */
const READ_AGAIN_MS = 4_000;
/** Poll interval in milliseconds where no hint comes: each request has a process of its own. */
const READ_ALONE_MS = 1_000;

/** Everything that a poll waits for besides its time. */
export interface Waiting {
  readonly waiters: Waiters;
  readonly vouch: Vouch;
  /** Fires when the process stops: every poll is answered at once. */
  readonly stopping: AbortSignal;
  /** Does due work for `budgetMs` milliseconds where no loop does the work; null where a loop does. */
  readonly doDueWork: ((budgetMs: number) => Promise<unknown>) | null;
}

/** Serves `/agent`. `POST /sync` with `?wait=<seconds>` answers as soon as there are commands, or after the wait, at most 25 s. */
export function agentRoutes(ctx: Context, waiting: Waiting): Hono {
  const app = new Hono();
  app.use('/sync', limited(MESSAGE_BYTES_MAX));
  app.use('/gateway', limited(MESSAGE_BYTES_MAX));
  for (const path of ['/join', '/challenge', '/hello', '/worker-token'])
    app.use(path, limited(STRANGER_BODY_BYTES_MAX));
  const versioned = versionedFor(ctx);
  app.get('/listener', (http) => listener(http, ctx));
  app.post('/join', (http) => versioned(http, joinRequest, (body) => join(ctx, body)));
  app.post('/challenge', (http) => versioned(http, challengeRequest, (body) => challenge(ctx, body)));
  app.post('/hello', (http) => versioned(http, helloRequest, (body) => hello(ctx, body)));
  app.post('/sync', (http) => poll(http, ctx, waiting));
  app.post('/worker-token', (http) => workerToken(http, ctx, waiting));
  app.post('/gateway', (http) => gateway(http, ctx, waiting));
  app.use('/home', limited(STRANGER_BODY_BYTES_MAX));
  app.post('/home', (http) => home(http, ctx, waiting));
  app.route('/parcels', parcelRoutes(ctx, waiting.vouch));
  return app;
}

function limited(maxSize: number): ReturnType<typeof bodyLimit> {
  const message = `A message holds at most ${maxSize} bytes`;
  return bodyLimit({ maxSize, onError: (http) => http.json({ code: 'too-large', message }, 413) });
}

/** Proves the listener's identity to a client that wants to know it before it shows a token. */
function listener(http: HttpContext, { identity }: Context): Response {
  const { salt } = http.req.query();
  if (salt === undefined || !/^[\w-]{16,100}$/u.test(salt))
    return http.json({ code: 'bad-request', message: 'salt: expected 16 to 100 of A-Z, a-z, 0-9, _ and -' }, 400);
  const { localAddress, localPort } = incomingOf(http).socket;
  const at = `${localAddress}:${localPort}`;
  const answer: ListenerAnswer = {
    coordinator: identity.id,
    at,
    signature: identity.sign(listenerMessage({ salt, at })),
  };
  return http.json(answer);
}

async function home(http: HttpContext, ctx: Context, waiting: Waiting): Promise<Response> {
  const token = bearerSha256(http.req.header('authorization'));
  const machine = token === null ? null : await ctx.store.machineByToken(token, ctx.clock.now());
  if (machine === null) return http.json(notRegistered(ctx, null), 401);
  waiting.vouch(incomingOf(http));
  const request = homeRequest.safeParse(await readJson(http));
  if (!request.success) return badBody(http, request.error);
  const asked = await askHome(ctx, { commands: waiting.waiters }, { machine, request: request.data });
  switch (asked.kind) {
    case 'answered':
      return http.json(asked.answer);
    case 'under-way':
      return http.json({}, 202);
    case 'away':
      return http.json({ code: 'home-away', message: asked.message }, 409);
    case 'unknown':
      return http.json({ code: 'not-asked', message: 'No command of this machine needs this' }, 404);
    default:
      return asked satisfies never;
  }
}

async function poll(http: HttpContext, ctx: Context, waiting: Waiting): Promise<Response> {
  const token = bearerSha256(http.req.header('authorization'));
  const machine = token === null ? null : await ctx.store.machineByToken(token, ctx.clock.now());
  if (machine === null) return http.json(notRegistered(ctx, null), 401);
  waiting.vouch(incomingOf(http));
  const request = syncRequest.safeParse(await readJson(http));
  if (!request.success) return badBody(http, request.error);
  const ackThrough = await takePoll(ctx, machine, request.data);
  if (ackThrough === null) return isOver(http, ctx, machine);
  await waiting.doDueWork?.(SYNC_BUDGET_MS);
  // A machine that polls again has acknowledged the commands of the last answer, or did not get it: then they are sent again.
  await ctx.store.resendCommands(machine.id, 'unacknowledged');
  const waitMs = Math.min(WAIT_MAX_S, Number(http.req.query('wait') ?? 0) || 0) * 1_000;
  const commands = await waitForCommands(http, ctx, { ...waiting, machine, waitMs });
  if (commands === null) return isOver(http, ctx, machine);
  const profiles = await newerProfiles(ctx, machine, request.data);
  return http.json(answer(ctx, machine, { ackThrough, commands, profiles }));
}

async function workerToken(http: HttpContext, ctx: Context, waiting: Waiting): Promise<Response> {
  const token = bearerSha256(http.req.header('authorization'));
  const machine = token === null ? null : await ctx.store.machineByToken(token, ctx.clock.now());
  if (machine === null)
    return http.json({ code: 'unauthorized', message: 'The access token is wrong or has expired' }, 401);
  waiting.vouch(incomingOf(http));
  return parsed(http, workerTokenRequest, (body) => giveWorkerToken(ctx, machine, body));
}

async function gateway(http: HttpContext, ctx: Context, waiting: Waiting): Promise<Response> {
  const token = bearerSha256(http.req.header('authorization'));
  const machine = token === null ? null : await ctx.store.machineByToken(token, ctx.clock.now());
  if (machine === null)
    return http.json({ code: 'unauthorized', message: 'The access token is wrong or has expired' }, 401);
  waiting.vouch(incomingOf(http));
  const body = await readJson(http);
  // A gateway's token may be older than an upgrade of the coordinator, so the version is checked here as well as at its hello.
  const tooOld = refusedVersion(ctx, speaking.safeParse(body).data?.proto ?? '', 'gateway');
  if (tooOld !== null) return http.json(tooOld.error, tooOld.status);
  const request = gatewayRequest.safeParse(body);
  if (!request.success) return badBody(http, request.error);
  const waitMs = Math.min(WAIT_MAX_S, Number(http.req.query('wait') ?? 0) || 0) * 1_000;
  const signal = AbortSignal.any([http.req.raw.signal, waiting.stopping]);
  const served = await waitForGateway(ctx, machine, {
    request: request.data,
    waiters: waiting.waiters,
    waitMs,
    signal,
  });
  return served.kind === 'served' ? http.json(served.answer) : http.json(served.error, 403);
}

async function isOver(http: HttpContext, ctx: Context, machine: Machine): Promise<Response> {
  return http.json(notRegistered(ctx, await endOf(ctx, machine)), 401);
}

/** @returns null when the machine is no longer served. */
async function waitForCommands(
  http: HttpContext,
  ctx: Context,
  { waiters, stopping, doDueWork, machine, waitMs }: Waiting & { machine: Machine; waitMs: number },
): Promise<CommandEnvelope[] | null> {
  const end = ctx.clock.now() + waitMs;
  const signal = AbortSignal.any([http.req.raw.signal, stopping]);
  let lookAgainAt = ctx.clock.now() + ACCESS_CHECK_EVERY_MS;
  for (;;) {
    // The poll has ended: no client would read the commands.
    if (signal.aborted) return [];
    using hint = listenFor(waiters, machine.id, {
      // Without a process that hears hints, only the table tells of news.
      ms: Math.max(0, Math.min(end - ctx.clock.now(), doDueWork === null ? READ_AGAIN_MS : READ_ALONE_MS)),
      after: (ms, run) => ctx.clock.after(ms, run),
      signal,
    });
    const commands = await takeCommands(ctx, machine);
    const now = ctx.clock.now();
    if (commands.length > 0 || now >= end) return commands;
    if (now >= lookAgainAt) {
      if ((await endOf(ctx, machine)) !== null) return null;
      lookAgainAt = now + ACCESS_CHECK_EVERY_MS;
    }
    await hint.heard;
  }
}

/** Rejects an agent of another protocol before the rest of its body is validated. */
function versionedFor(ctx: Pick<Context, 'minVersion'>): typeof parsed {
  return async (http, schema, serve) => {
    const { data: said } = speaking.safeParse(await readJson(http));
    const tooOld = said === undefined ? null : refusedVersion(ctx, said.proto);
    return tooOld === null ? parsed(http, schema, serve) : http.json(tooOld.error, tooOld.status);
  };
}

async function parsed<S extends z.ZodType, T>(
  http: HttpContext,
  schema: S,
  serve: (body: z.infer<S>) => Promise<Answer<T>>,
): Promise<Response> {
  const body = schema.safeParse(await readJson(http));
  if (!body.success) return badBody(http, body.error);
  const outcome = await serve(body.data);
  if (outcome.kind === 'ok') return http.json(outcome.value);
  const { status, error } = outcome;
  // Proxies read the header in seconds.
  if (error.retryAfterMs !== undefined) http.header('retry-after', String(Math.ceil(error.retryAfterMs / 1_000)));
  return http.json(error, status);
}

/** @returns null for a body that is not JSON. */
async function readJson(http: HttpContext): Promise<unknown> {
  try {
    return JSON.parse(storableJson(await http.req.text()));
  } catch {
    return null;
  }
}

function badBody(http: HttpContext, error: z.ZodError): Response {
  const first = error.issues[0];
  const where = first === undefined || first.path.length === 0 ? 'the body' : first.path.join('.');
  return http.json({ code: 'bad-request', message: `${where}: ${first?.message ?? 'not what was expected'}` }, 400);
}
