/** Every route of the public API. This table validates, serves and documents (docs/api.md). */
import { escalationRoutes } from './escalations.ts';
import { eventRoutes } from './events.ts';
import { fleetRoutes } from './fleet.ts';
import { webhookRoutes } from './webhooks.ts';
import { historyRoutes } from './history.ts';
import { peopleRoutes } from './people.ts';
import { queueRoutes } from './queue.ts';
import type { V1Route } from './route.ts';

/** A method, and a path with the names of its parameters in braces. */
export type V1Name = `${'GET' | 'POST' | 'DELETE' | 'PATCH'} /v1/${string}`;

/** By method and path. */
export const V1_ROUTES: Readonly<Record<V1Name, V1Route>> = {
  ...fleetRoutes,
  ...escalationRoutes,
  ...queueRoutes,
  ...historyRoutes,
  ...peopleRoutes,
  ...eventRoutes,
  ...webhookRoutes,
};

/** The method and the path of a route. */
export function v1Place(name: string): { readonly method: string; readonly path: string } {
  const [method = '', path = ''] = name.split(' ');
  return { method, path };
}

/** A path as routers write it, such as `/v1/workers/:name`. */
export function routerPath(path: string): string {
  return path.replaceAll(/\{(\w+)\}/gu, ':$1');
}
