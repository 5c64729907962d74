/** Serves parcels: chunks of files between machines, beside the exchange. */
import { createHash } from 'node:crypto';
import { CHUNK_BYTES, CHUNK_DIGEST_HEADER, openParcelRequest, sha256, uuid } from '@drover/protocol';
import type { Machine } from '@drover/store';
import { Hono } from 'hono';
import type { Context as HttpContext } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { z } from 'zod';
import { bearerSha256 } from '../context/bearer.ts';
import type { Vouch } from '../door/door.ts';
import { incomingOf } from '../door/incoming.ts';
import type { Context } from '../context/context.ts';
import { giveChunk, openParcel, takeChunk } from '../use-cases/parcels/parcels.ts';
import type { Refused } from '../use-cases/parcels/parcels.ts';

/** Parses a whole number of an address. */
const number = z
  .string()
  .regex(/^(?:0|[1-9]\d{0,5})$/u, 'expected the number of a chunk')
  .transform(Number);

const opened = z.object({ sha256 });
const sent = z.object({ sha256, number });
const asked = z.object({ machine: uuid, sha256, number });

/** Serves `/agent/parcels`. */
export function parcelRoutes(ctx: Context, vouch: Vouch): Hono {
  const app = new Hono();
  const tooLarge = { code: 'too-large', message: `A chunk holds at most ${CHUNK_BYTES} bytes` };
  app.use('/*', bodyLimit({ maxSize: CHUNK_BYTES, onError: (http) => http.json(tooLarge, 413) }));
  const served = <S extends z.ZodType>(
    schema: S,
    serve: (http: HttpContext, machine: Machine, named: z.infer<S>) => Promise<Response>,
  ) => {
    return async (http: HttpContext): Promise<Response> => {
      const token = bearerSha256(http.req.header('authorization'));
      const machine = token === null ? null : await ctx.store.machineByToken(token, ctx.clock.now());
      if (machine === null)
        return http.json({ code: 'unauthorized', message: 'The access token is wrong or has expired' }, 401);
      vouch(incomingOf(http));
      const named = schema.safeParse(http.req.param());
      return named.success ? serve(http, machine, named.data) : malformed(http, named.error);
    };
  };
  app.post(
    '/:sha256',
    served(opened, async (http, machine, named) => {
      const body = openParcelRequest.safeParse(await http.req.json().catch(() => null));
      if (!body.success) return malformed(http, body.error);
      const outcome = await openParcel(ctx, machine, { ...named, ...body.data });
      return outcome.kind === 'ok' ? http.json({ chunks: outcome.chunks }) : refusal(http, outcome);
    }),
  );
  app.put(
    '/:sha256/:number',
    served(sent, async (http, machine, named) => {
      const digest = sha256.safeParse(http.req.header(CHUNK_DIGEST_HEADER));
      if (!digest.success) return malformed(http, digest.error);
      const content = new Uint8Array(await http.req.arrayBuffer());
      const outcome = await takeChunk(ctx, machine, { ...named, digest: digest.data, content });
      return outcome.kind === 'ok' ? http.body(null, 204) : refusal(http, outcome);
    }),
  );
  app.get(
    '/:machine/:sha256/:number',
    served(asked, async (http, machine, named) => {
      const outcome = await giveChunk(ctx, machine, { ...named, from: named.machine });
      if (outcome.kind === 'refused') return refusal(http, outcome);
      const digest = createHash('sha256').update(outcome.content).digest('hex');
      return http.body(outcome.content, 200, {
        'content-type': 'application/octet-stream',
        [CHUNK_DIGEST_HEADER]: digest,
      });
    }),
  );
  return app;
}

function refusal(http: HttpContext, { status, code, message }: Refused): Response {
  return http.json({ code, message }, status);
}

function malformed(http: HttpContext, error: z.ZodError): Response {
  const first = error.issues[0];
  const where = first === undefined || first.path.length === 0 ? 'the request' : first.path.join('.');
  return http.json({ code: 'bad-request', message: `${where}: ${first?.message ?? 'not what was expected'}` }, 400);
}
