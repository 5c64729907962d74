/** The HTTP side of the agent protocol: joining, hello, and the long poll for machines behind proxies. */
import { challengeRequest, helloRequest, joinRequest, MESSAGE_BYTES_MAX, syncRequest } from '@drover/protocol';
import { Hono } from 'hono';
import type { Context as HttpContext } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import type { z } from 'zod';
import type { Context } from '../use-cases/context.ts';
import { challenge, hello, join, sha256 } from './enrol.ts';
import type { Answer } from './enrol.ts';
import { answer, newerProfiles, notRegistered, takeCommands, takePoll } from './sync.ts';
import { nextHint } from './waiters.ts';
import type { Waiters } from './waiters.ts';

/** The longest that a poll waits, in seconds: shorter than the patience of common proxies. */
const WAIT_MAX_S = 25;

/** What a poll waits for besides its time. */
export interface Waiting {
  readonly waiters: Waiters;
  /** Fires when the process stops: every poll is answered at once. */
  readonly stopping: AbortSignal;
}

/**
 * The routes under `/agent`. `POST /sync` with `?wait=<seconds>` answers as soon as there are orders, or after the wait,
 * at most 25 s.
 */
export function agentRoutes(ctx: Context, waiting: Waiting): Hono {
  const app = new Hono();
  app.use(bodyLimit({ maxSize: MESSAGE_BYTES_MAX, onError: tooLarge }));
  app.post('/join', (http) => parsed(http, joinRequest, (body) => join(ctx, body)));
  app.post('/challenge', (http) => parsed(http, challengeRequest, ({ machineId }) => challenge(ctx, machineId)));
  app.post('/hello', (http) => parsed(http, helloRequest, (body) => hello(ctx, body)));
  app.post('/sync', (http) => poll(http, ctx, waiting));
  return app;
}

function tooLarge(http: HttpContext): Response {
  return http.json({ code: 'too-large', message: `A message holds at most ${MESSAGE_BYTES_MAX} bytes` }, 413);
}

/** The token of an `Authorization: Bearer` header, as it is stored. */
export function bearerSha256(header: string | undefined): string | null {
  const [, token] = /^Bearer ([A-Za-z0-9_-]{20,200})$/.exec(header ?? '') ?? [];
  return token === undefined ? null : sha256(token);
}

async function poll(http: HttpContext, ctx: Context, waiting: Waiting): Promise<Response> {
  const token = bearerSha256(http.req.header('authorization'));
  const machine = token === null ? null : await ctx.store.machineByToken(token, ctx.clock.now());
  if (machine === null) return http.json(notRegistered(ctx), 401);
  const request = syncRequest.safeParse(await readJson(http));
  if (!request.success) return badBody(http, request.error);
  const ackThrough = await takePoll(ctx, machine, request.data);
  // Whoever asks again has read the answer before and acknowledged its orders, or has not got it: they go again.
  await ctx.store.resendCommands(machine.id, 'unacknowledged');
  const waitMs = Math.min(WAIT_MAX_S, Number(http.req.query('wait') ?? 0) || 0) * 1_000;
  const commands = await waitForCommands(http, ctx, { ...waiting, machine, waitMs });
  const profiles = await newerProfiles(ctx, request.data);
  return http.json(answer(ctx, machine, { ackThrough, commands, profiles }));
}

async function waitForCommands(
  http: HttpContext,
  ctx: Context,
  { waiters, stopping, machine, waitMs }: Waiting & { machine: Parameters<typeof takeCommands>[1]; waitMs: number },
): Promise<Awaited<ReturnType<typeof takeCommands>>> {
  const end = ctx.clock.now() + waitMs;
  const signal = AbortSignal.any([http.req.raw.signal, stopping]);
  for (;;) {
    // Nobody would read them.
    if (signal.aborted) return [];
    const commands = await takeCommands(ctx, machine);
    const left = end - ctx.clock.now();
    if (commands.length > 0 || left <= 0) return commands;
    await nextHint(waiters, machine.id, {
      ms: Math.min(left, 1_000),
      after: (ms, run) => ctx.clock.after(ms, run),
      signal,
    });
  }
}

async function parsed<S extends z.ZodType, T>(
  http: HttpContext,
  schema: S,
  serve: (body: z.infer<S>) => Promise<Answer<T>>,
): Promise<Response> {
  const body = schema.safeParse(await readJson(http));
  if (!body.success) return badBody(http, body.error);
  const outcome = await serve(body.data);
  return outcome.kind === 'ok' ? http.json(outcome.value) : http.json(outcome.error, outcome.status);
}

async function readJson(http: HttpContext): Promise<unknown> {
  return http.req.json().catch(() => null);
}

function badBody(http: HttpContext, error: z.ZodError): Response {
  const first = error.issues[0];
  const where = first === undefined || first.path.length === 0 ? 'the body' : first.path.join('.');
  return http.json({ code: 'bad-request', message: `${where}: ${first?.message ?? 'not what was expected'}` }, 400);
}
