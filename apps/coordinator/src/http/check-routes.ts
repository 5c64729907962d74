/** Is every route of this process in the table of who may use what, and the other way round? Asked before it serves. */
import { HTTP_ROUTES, routerPath, V1_ROUTES } from '@drover/api';
import { TERMINAL_PATHS } from '@drover/protocol';
import type { Hono } from 'hono';

/** The WebSocket of machines, which is served beside the app, as those of terminals are. */
export const AGENT_SOCKET = '/agent/ws';

/** @throws Error that names each route without an entry, and each entry without a route. */
export function checkRoutes(app: Hono): void {
  const listed = [...Object.keys(HTTP_ROUTES), ...Object.keys(V1_ROUTES).map(routerPath)];
  const served = new Set([
    ...[AGENT_SOCKET, TERMINAL_PATHS.machine, TERMINAL_PATHS.person].map((path) => `WS ${path}`),
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

/** Limits and checks stand before routes: of a whole path, or of exactly one that is served. The procedures are a route that looks like one. */
function isMiddleware(app: Hono, method: string, path: string): boolean {
  if (method !== 'ALL' || path === '/trpc/*') return false;
  return path.endsWith('*') || app.routes.some((other) => other.method !== 'ALL' && other.path === path);
}
