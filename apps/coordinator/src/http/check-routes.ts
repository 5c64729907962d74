/** Checks before serving that every route of this process is in the table of permissions, and the other way round. */
import { HTTP_ROUTES, routerPath, V1_ROUTES } from '@drover/api';
import { TERMINAL_PATHS } from '@drover/protocol';
import type { Hono } from 'hono';
import { LIVE_PATH } from '../dashboard/sockets.ts';

/** WebSocket of machines, served beside the app like those of terminals. */
export const AGENT_SOCKET = '/agent/ws';

/** @throws Error that names each route without an entry, and each entry without a route. */
export function checkRoutes(app: Hono): void {
  const listed = [...Object.keys(HTTP_ROUTES), ...Object.keys(V1_ROUTES).map(routerPath)];
  const served = new Set([
    ...[AGENT_SOCKET, LIVE_PATH, TERMINAL_PATHS.machine, TERMINAL_PATHS.person].map((path) => `WS ${path}`),
    ...app.routes.flatMap(({ method, path }) => (isMiddleware(app, method, path) ? [] : [`${method} ${path}`])),
  ]);
  const problems = [
    ...[...served].filter((route) => !listed.includes(route)).map((route) => `${route} has no entry`),
    ...listed.filter((route) => !served.has(route)).map((route) => `${route} has an entry and is not served`),
  ];
  if (problems.length > 0)
    throw new Error(
      `The routes (packages/api/src/routes.ts, operations/table.ts) are not those of this build: ${problems.join('; ')}`,
    );
}

/**
 * Tells whether a route is a limit or a check: such a route stands before a whole path, or before exactly one served path. The procedures
 * are a route that looks like one.
 */
function isMiddleware(app: Hono, method: string, path: string): boolean {
  if (method !== 'ALL' || path === '/trpc/*') return false;
  return path.endsWith('*') || app.routes.some((other) => other.method !== 'ALL' && other.path === path);
}
