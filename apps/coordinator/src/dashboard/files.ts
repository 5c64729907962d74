/** Serves the built dashboard: one page for all its paths, and the files that the page loads. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { DASHBOARD_PAGES } from '@drover/api';
import { Hono } from 'hono';
import type { Context as Http } from 'hono';
import { compress } from 'hono/compress';

/** Allows the page's own files and nothing else: no inline script or style, no other host, no frame. */
const POLICY = [
  "default-src 'none'",
  ...['script', 'style', 'font', 'connect', 'worker', 'manifest'].map((kind) => `${kind}-src 'self'`),
  "img-src 'self' data:",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

const HEADERS = {
  'content-security-policy': POLICY,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
} as const;

/** Types of the files that a build holds. */
const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
};

/** @param directory The built files; null or a directory without them: each page says that there is no build. */
export function dashboardFiles(directory: string | null): Hono {
  const app = new Hono();
  const read = async (file: string): Promise<Buffer<ArrayBuffer> | null> =>
    directory === null ? null : readFile(path.join(directory, file)).catch(() => null);
  app.use('/assets/*', compress());
  for (const page of DASHBOARD_PAGES)
    app.get(page, async (http) => {
      const body = await read('index.html');
      // A new build must be seen at the next visit; its files have names of their own.
      const headers = { ...HEADERS, 'cache-control': 'no-cache' };
      if (body !== null) return http.body(body, 200, { ...headers, 'content-type': 'text/html; charset=utf-8' });
      return http.text(NO_BUILD, 503, headers);
    });
  app.get('/assets/:file', async (http) => {
    const name = http.req.param('file');
    const type = TYPES[path.extname(name)];
    const body = type !== undefined && /^[\w-][\w.-]*$/u.test(name) ? await read(`assets/${name}`) : null;
    if (body === null || type === undefined) return gone(http);
    const headers = { ...HEADERS, 'content-type': type, 'cache-control': 'public, max-age=31536000, immutable' };
    return http.body(body, 200, headers);
  });
  return app;
}

const NO_BUILD =
  'Drover runs, but its dashboard is not built.\n\nIn a checkout, "drover up" builds it at its start, or "npm run build:dashboard" does: reload this page then.\n';

function gone(http: Http): Response {
  return http.json({ code: 'not-found', message: 'There is no such file: reload the page' }, 404, HEADERS);
}
