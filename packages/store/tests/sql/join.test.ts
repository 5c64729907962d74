// Tests that a machine that joins twice at once, because its first answer is late, joins once and gets the same answer
// twice.
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { createSqlStore } from '../../src/index.ts';
import type { Database } from '../../src/tables/database.ts';
import { openTestDatabase } from '../../src/testing/index.ts';

const ID = '018f0000-0000-7000-8000-000000000001';
const JOIN = { name: 'm', publicKey: 'k', tokenSha256: 't', now: 1 };

test('given a try that has used the token and is not over, when the machine tries again, then it is told the same once that is over', async () => {
  await using database = await openTestDatabase<Database>();
  const { db } = database;
  const store = createSqlStore(db, { sleep: () => Promise.resolve(), random: () => 0 });
  await store.createJoinToken({ sha256: 't', expiresAt: 1_000, now: 1 });

  const first = await db.startTransaction().execute();
  await sql`update join_tokens set used_at = now()`.execute(first);
  await sql`insert into machines (id, name, public_key, created_at) values (${ID}, 'm', 'k', now())`.execute(first);
  const second = store.joinMachine({ ...JOIN, id: '018f0000-0000-7000-8000-000000000002' });
  await expect.poll(async () => (await sql`select 1 from pg_locks where not granted`.execute(db)).rows.length).toBe(1);
  await first.commit().execute();

  expect(await second).toEqual({ kind: 'joined', machineId: ID });
});
