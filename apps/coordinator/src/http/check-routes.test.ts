/** Refuses to start a coordinator with a route that is not in the table. */
import { HTTP_ROUTES, routerPath, V1_ROUTES } from '@drover/api';
import { Hono } from 'hono';
import { expect, test } from 'vitest';
import { checkRoutes } from './check-routes.ts';

function served(routes: readonly string[]): Hono {
  const app = new Hono();
  for (const route of routes) {
    const [method = '', path = ''] = route.split(' ');
    app.on(method, path, (http) => http.text(''));
  }
  return app;
}

const ALL = [...Object.keys(HTTP_ROUTES), ...Object.keys(V1_ROUTES).map(routerPath)].filter(
  (route) => !route.startsWith('WS '),
);

test('given exactly the routes of the table, when they are checked, then nothing is said', () => {
  expect(() => checkRoutes(served(ALL))).not.toThrow();
});

test('given a route without an entry, when it is checked, then its name is said', () => {
  expect(() => checkRoutes(served([...ALL, 'GET /debug']))).toThrow('GET /debug has no entry');
});

test('given an entry without a route, when it is checked, then its name is said', () => {
  expect(() => checkRoutes(served(ALL.slice(1)))).toThrow('GET /healthz has an entry and is not served');
});
