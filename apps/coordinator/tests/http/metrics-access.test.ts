/** The metrics are for this machine and for callers with a token, not for requests through a proxy or by another name. */
import { randomUUID } from 'node:crypto';
import { request } from 'node:http';
import { systemClock } from '@drover/base';
import { connect, createSqlStore } from '@drover/store';
import type { Database } from '@drover/store';
import { openTestDatabase } from '@drover/store/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sha256 } from '../../src/context/sha256.ts';
import type { Coordinator } from '../../src/index.ts';
import { replica } from '../support/coordinator.ts';

const VIEWER = 'viewer-token-of-at-least-twenty-characters';

let coordinator: Coordinator;
const stack = new AsyncDisposableStack();
beforeAll(async () => {
  const { connectionString } = stack.use(await openTestDatabase());
  coordinator = stack.use(await replica(connectionString, { allowedHosts: ['drover.example.com'] }));
  const { db } = stack.use(connect<Database>(connectionString, { log: () => {}, maxConnections: 1 }));
  const store = createSqlStore(db, { sleep: () => Promise.resolve(), random: () => 0 });
  const token = {
    id: randomUUID(),
    name: 'viewer',
    role: 'viewer' as const,
    projectId: null,
    workerId: null,
    expiresAt: null,
    sha256: sha256(VIEWER),
  };
  await store.createApiToken(token, systemClock.now());
});
afterAll(() => stack.disposeAsync());

/** Sends a request with any Host, which `fetch` does not allow. */
async function get(headers: Readonly<Record<string, string>>): Promise<{ status: number; type: string; body: string }> {
  return new Promise((resolve, reject) => {
    const asked = request(`${coordinator.url}/metrics`, { headers }, (response) => {
      let body = '';
      response.setEncoding('utf8').on('data', (part: string) => (body += part));
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, type: response.headers['content-type'] ?? '', body }),
      );
    });
    asked.on('error', reject).end();
  });
}

test('given a request from this machine, when it asks for the metrics, then it gets them in the text format', async () => {
  const { status, type, body } = await get({});

  expect(status).toBe(200);
  expect(type).toContain('text/plain; version=0.0.4');
  expect(body).toContain('# TYPE drover_decisions_total counter');
});

test.each([
  ['x-forwarded-for', '203.0.113.7'],
  ['forwarded', 'for=203.0.113.7'],
  ['via', '1.1 proxy'],
  ['host', 'drover.example.com'],
])('given the header %s: %s, when the metrics are asked for, then only a token opens them', async (name, value) => {
  const without = await get({ [name]: value });
  const wrong = await get({ [name]: value, authorization: 'Bearer wrong-token-of-more-than-twenty' });
  const right = await get({ [name]: value, authorization: `Bearer ${VIEWER}` });

  expect([without.status, wrong.status, right.status]).toEqual([401, 401, 200]);
  expect(without.body).toContain('Authorization: Bearer TOKEN');
  expect(without.body).not.toContain('drover_');
});
