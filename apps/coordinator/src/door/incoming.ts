/** The request as Node has it, under the one that a route sees. */
import type { IncomingMessage } from 'node:http';
import type { HttpBindings } from '@hono/node-server';
import type { Context } from 'hono';

/** For routes that Node's server calls, and there are no others. */
export function incomingOf(http: Context): IncomingMessage {
  return (http.env as HttpBindings).incoming;
}
