/** Finds Node's request under the request that a route sees. */
import type { IncomingMessage } from 'node:http';
import type { HttpBindings } from '@hono/node-server';
import type { Context } from 'hono';

/** Works for routes that Node's server calls; there are no others. */
export function incomingOf(http: Context): IncomingMessage {
  return (http.env as HttpBindings).incoming;
}
