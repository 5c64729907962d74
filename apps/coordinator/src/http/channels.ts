/** Serves bots under `/v1/channels`: each route checks the token and the body, and asks one use case. */
import { channelParam, workQuery } from '@drover/api';
import type { Actor, BotCall, ChannelFleet } from '@drover/api';
import { commandRequest, deliveryReport, linkRequest, moveRequest, pressRequest, uuid } from '@drover/protocol';
import { Hono } from 'hono';
import type { Context as HttpContext } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { z } from 'zod';

/** Largest body of a bot, in bytes. */
const BODY_BYTES_MAX = 65_536;

export interface ChannelRoutesParts {
  readonly fleet: ChannelFleet;
  /** Identifies the caller; null for an unknown token. */
  readonly actorOf: (http: HttpContext) => Promise<Actor | null>;
  /** Notes a call that the caller's token does not allow. */
  readonly refused: (actor: Actor, route: string) => void;
  readonly stopping: AbortSignal;
}

type Serve<S extends z.ZodType> = (call: BotCall, body: z.infer<S>, http: HttpContext) => Promise<Response>;

export function channelRoutes({ fleet, actorOf, refused, stopping }: ChannelRoutesParts): Hono {
  const app = new Hono();
  app.use(
    '/*',
    bodyLimit({
      maxSize: BODY_BYTES_MAX,
      onError: (http) =>
        problem(http, { status: 413, code: 'too-large', detail: `A body has at most ${BODY_BYTES_MAX} bytes` }),
    }),
  );
  const called = async (http: HttpContext): Promise<BotCall | Response> => {
    const actor = await actorOf(http);
    if (actor === null)
      return problem(http, {
        status: 401,
        code: 'unauthorized',
        detail: 'The token is wrong or has expired: make one with "drover auth token create"',
      });
    const named = channelParam.safeParse(http.req.param());
    if (actor.kind === 'bot') {
      if (!named.success) return problem(http, { status: 404, code: 'not-found', detail: wordsOf(named.error) });
      if (actor.channels?.includes(named.data.name) === true) return { channel: named.data.name, by: actor };
    }
    refused(actor, `${http.req.method} ${http.req.path}`);
    const channel = named.success ? named.data.name : 'telegram';
    const detail = `The token "${actor.name}" does not belong to a bot for this channel: make one with "drover auth token create bot --role responder --channels ${channel}"`;
    return problem(http, { status: 403, code: 'forbidden', detail });
  };
  const served =
    <S extends z.ZodType>(schema: S, serve: Serve<S>) =>
    async (http: HttpContext): Promise<Response> => {
      const call = await called(http);
      if (call instanceof Response) return call;
      const given: unknown = await http.req.json().catch(() => undefined);
      if (given === undefined) return problem(http, { status: 400, code: 'not-json', detail: 'The body is not JSON' });
      const body = schema.safeParse(given);
      if (!body.success) return problem(http, { status: 422, code: 'invalid', detail: wordsOf(body.error) });
      return serve(call, body.data, http);
    };
  app.get('/:name/work', async (http) => {
    const call = await called(http);
    if (call instanceof Response) return call;
    const asked = workQuery.safeParse(http.req.query());
    if (!asked.success) return problem(http, { status: 422, code: 'invalid', detail: wordsOf(asked.error) });
    const { wait, holder } = asked.data;
    const signal = AbortSignal.any([http.req.raw.signal, stopping]);
    return http.json(await fleet.channelWork(call, { holder, waitMs: wait * 1_000 }, signal));
  });
  app.delete('/:name/work', async (http) => {
    const call = await called(http);
    if (call instanceof Response) return call;
    const asked = workQuery.safeParse(http.req.query());
    if (!asked.success) return problem(http, { status: 422, code: 'invalid', detail: wordsOf(asked.error) });
    await fleet.releaseChannel(call, asked.data.holder);
    return http.json({});
  });
  app.post(
    '/:name/work/:escalation',
    served(deliveryReport, async (call, report, http) => {
      const escalation = uuid.safeParse(http.req.param('escalation'));
      if (!escalation.success)
        return problem(http, { status: 404, code: 'not-found', detail: 'There is no such delivery' });
      const outcome = await fleet.reportDelivery(call, escalation.data, report);
      if (outcome.kind === 'ok') return http.json({});
      return problem(http, { status: 409, code: outcome.code, detail: outcome.message });
    }),
  );
  app.post(
    '/:name/press',
    served(pressRequest, async (call, body, http) => http.json(await fleet.press(call, body))),
  );
  app.post(
    '/:name/link',
    served(linkRequest, async (call, body, http) => http.json(await fleet.linkIdentity(call, body))),
  );
  app.post(
    '/:name/command',
    served(commandRequest, async (call, body, http) => http.json(await fleet.chatCommand(call, body))),
  );
  app.post(
    '/:name/move',
    served(moveRequest, async (call, body, http) => {
      await fleet.moveChat(call, body);
      return http.json({});
    }),
  );
  return app;
}

function problem(
  http: HttpContext,
  { status, code, detail }: { status: 400 | 401 | 403 | 404 | 409 | 413 | 422; code: string; detail: string },
): Response {
  return http.body(
    JSON.stringify({ type: 'about:blank', status, code, title: code, detail, requestId: http.get('requestId') }),
    status,
    {
      'content-type': 'application/problem+json',
    },
  );
}

function wordsOf(error: z.ZodError): string {
  const [first] = error.issues;
  const where = first === undefined || first.path.length === 0 ? 'the request' : first.path.join('.');
  return `${where}: ${first?.message ?? 'not what was expected'}`;
}
