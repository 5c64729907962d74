/** Signs browsers in and out: exchanges a ticket or a token for a cookie that no script can read. */
import { signInInput } from '@drover/api';
import type { Actor, SessionView, SignInInput } from '@drover/api';
import { Hono } from 'hono';
import type { Context as Http } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { deleteCookie, setCookie } from 'hono/cookie';
import { incomingOf } from '../door/incoming.ts';
import type { Vouch } from '../door/door.ts';
import { isOwn } from '../door/request-check.ts';
import { actorOf } from '../facts/people/actor.ts';
import { actorOfCookies, cookieName, makePass, usePass } from '../facts/people/passes.ts';
import type { Context } from '../context/context.ts';

/** Largest body, in bytes: a token. */
const BODY_BYTES_MAX = 1_024;

export interface SessionParts {
  readonly ctx: Context;
  /** Runs for each request whose proof is valid. */
  readonly vouch: Vouch;
  readonly version: () => Promise<string>;
}

/** Serves `/session`. */
export function sessionRoutes({ ctx, vouch, version }: SessionParts): Hono {
  const app = new Hono();
  app.post('/', bodyLimit({ maxSize: BODY_BYTES_MAX }), async (http) => {
    const given: unknown = await http.req.json().catch(() => undefined);
    const input = signInInput.safeParse(given);
    if (!input.success) return refusal(http, 400, 'Send JSON with a ticket of "drover open", or with a token');
    if (!isOwnPage(ctx, http)) return refusal(http, 403, 'Sign in on the page of the coordinator itself');
    const actor = await actorBy(ctx, input.data);
    if (actor === null) return refusal(http, 401, 'ticket' in input.data ? TICKET_OVER : TOKEN_WRONG);
    vouch(incomingOf(http));
    const { pass, expiresAt } = makePass(ctx, actor, 'browser session');
    setCookie(http, cookieName(ctx), pass, {
      ...COOKIE,
      secure: http.req.header('origin')?.startsWith('https:') === true,
      maxAge: Math.floor((expiresAt - ctx.clock.now()) / 1_000),
    });
    ctx.log('info', `${actor.name} signs in with a browser`);
    const { name, role, project } = actor;
    const session: SessionView = { name, role, project, version: await version() };
    return http.json(session);
  });
  app.delete('/', (http) => {
    if (!isOwnPage(ctx, http)) return refusal(http, 403, 'Sign out on the page of the coordinator itself');
    deleteCookie(http, cookieName(ctx), COOKIE);
    return http.json({});
  });
  return app;
}

/**
 * Identifies the person of a signed-in browser. Browsers send cookies by themselves, so a request that may change something must come
 * from a page of this coordinator; a runtime of functions has no door that has checked it before.
 */
export async function actorOfBrowser(ctx: Context, http: Http): Promise<Actor | null> {
  if (http.req.method !== 'GET' && !isOwnPage(ctx, http)) return null;
  return actorOfCookies(ctx, http.req.header('cookie'));
}

const COOKIE = { path: '/', httpOnly: true, sameSite: 'Strict' } as const;
const TICKET_OVER = 'This link was used already, or is older than 30 seconds: run "drover open" again';
const TOKEN_WRONG = 'The token is wrong, has expired, or is not a person’s: ask an admin for one';

/** Finds the person. A bot and a worker have no use for a page. */
async function actorBy(ctx: Context, input: SignInInput): Promise<Actor | null> {
  const actor = await ('ticket' in input
    ? usePass(ctx, input.ticket, 'sign-in ticket')
    : actorOf(ctx, `Bearer ${input.token}`));
  return actor?.kind === 'person' ? actor : null;
}

function isOwnPage({ hosts }: Context, http: Http): boolean {
  const origin = http.req.header('origin');
  const own = hosts ?? { listened: '', allowed: [], origins: [] };
  return origin !== undefined && isOwn(origin, http.req.header('host') ?? '', own);
}

function refusal(http: Http, status: 400 | 401 | 403, message: string): Response {
  return http.json(
    { code: { 400: 'invalid', 401: 'unauthorized', 403: 'origin-not-allowed' }[status], message },
    status,
  );
}
