/** Lets programs on this machine, and callers with a token, read the metrics, which hold no names and no texts. */
import { getConnInfo } from '@hono/node-server/conninfo';
import type { Context as HttpContext } from 'hono';
import { isLoopback } from '@drover/protocol/loopback';
import { Hono } from 'hono';
import { plainAddress } from '../door/addresses.ts';
import { isLoopbackHost } from '../door/request-check.ts';

export interface MetricsRouteParts {
  /** Reads the page. @throws when the database does not answer. */
  readonly page: () => Promise<string>;
  /** Tells whether the header holds the token of a viewer or of a higher role. */
  readonly isViewer: (authorization: string | undefined) => Promise<boolean>;
}

/** Serves `GET /metrics`, in Prometheus' text format. */
export function metricsRoute({ page, isViewer }: MetricsRouteParts): Hono {
  const app = new Hono();
  app.get('/metrics', async (http) => {
    if (!isLocal(http) && !(await isViewer(http.req.header('authorization')))) {
      const message = 'The metrics are for this machine, or for a token: send "Authorization: Bearer TOKEN"';
      return http.json({ code: 'unauthorized', message }, 401);
    }
    return http.body(await page(), 200, { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' });
  });
  return app;
}

/**
 * Tells whether the caller is on this machine. Behind a proxy every caller seems to be, and so does a web page that gives its own host
 * this machine's address.
 */
function isLocal(http: HttpContext): boolean {
  const isForwarded = ['forwarded', 'x-forwarded-for', 'via'].some((name) => http.req.header(name) !== undefined);
  if (isForwarded || !isLoopbackHost(http.req.header('host') ?? '')) return false;
  return isLoopback(plainAddress(getConnInfo(http).remote.address ?? ''));
}
