// Tests that after a primary dies and its standby is promoted every acknowledged fact is there, and how soon work goes
// on.
import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { connect } from '../../src/connection/connect.ts';
import { withRetry } from '../../src/connection/retry.ts';
import { listen } from '../../src/index.ts';
import { startReplicated } from '@drover/embedded-postgres/testing';

/** Milliseconds that docs/scale.md promises. */
const BACK_WITHIN_MS = 60_000;
const RETRY = { attempts: 200, sleep: (ms: number) => delay(ms), random: () => 1 };

test('given a synchronous standby, when the primary dies amid writes and the standby is promoted, then no acknowledged row is lost, and writes and notifications go on within 60 s', async () => {
  await using servers = await startReplicated();
  await using connection = connect<{ facts: { id: number } }>(servers.url, { log: () => {}, maxConnections: 4 });
  const { db } = connection;
  await sql`create table facts (id int primary key)`.execute(db);
  let [resyncs, heard] = [0, ''];
  await using stack = new AsyncDisposableStack();
  stack.use(
    listen(servers.url, ['news'], {
      log: () => {},
      random: () => 0.5,
      onResync: () => (resyncs += 1),
      onNotify: (_channel, payload) => (heard = payload),
    }),
  );
  await expect.poll(() => resyncs).toBe(1);
  const acknowledged: { id: number; at: number }[] = [];
  const writing = new AbortController();
  const writers = [0, 1, 2].map(async (writer) => {
    for (let id = writer; !writing.signal.aborted; id += 3) {
      // The answer to a commit may be lost: a repeat finds the row.
      await withRetry(async () => sql`insert into facts values (${id}) on conflict do nothing`.execute(db), RETRY);
      acknowledged.push({ id, at: performance.now() });
    }
  });
  await expect.poll(() => acknowledged.length).toBeGreaterThan(200);

  await servers.killPrimary();
  const died = performance.now();
  const before = acknowledged.length;
  await servers.promoteStandby();
  await expect.poll(() => acknowledged.length, { timeout: BACK_WITHIN_MS }).toBeGreaterThan(before + 200);
  writing.abort();
  await Promise.all(writers);
  const first = acknowledged.slice(before).find(({ at }) => at > died);
  await expect.poll(() => resyncs, { timeout: BACK_WITHIN_MS }).toBeGreaterThan(1);
  await sql`select pg_notify('news', 'back')`.execute(db);
  await expect.poll(() => heard).toBe('back');

  const { rows } = await sql<{ id: number }>`select id from facts`.execute(db);
  const kept = new Set(rows.map(({ id }) => id));
  expect(acknowledged.filter(({ id }) => !kept.has(id))).toEqual([]);
  expect((first?.at ?? Number.POSITIVE_INFINITY) - died).toBeLessThan(BACK_WITHIN_MS);
});
