// Tests that sequences go on after an import, and never back.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestDatabase, REPOSITORY_MIGRATIONS, type TestDatabase } from '../../src/testing/index.ts';
import { importDatabase } from '../../src/transfer/import.ts';
import { asFile, exported, fill, withClient } from './support.ts';

const options = { log: () => {}, migrations: REPOSITORY_MIGRATIONS, withTokens: true };

let one: TestDatabase<unknown>;
let other: TestDatabase<unknown>;
beforeAll(async () => {
  one = await openTestDatabase();
  other = await openTestDatabase();
});
afterAll(async () => {
  for (const database of [one, other]) await database[Symbol.asyncDispose]();
});

async function withMachine({ connectionString }: TestDatabase<unknown>): Promise<void> {
  await fill(connectionString, new Map());
  await withClient(connectionString, (client) =>
    client.query(
      `insert into machines (id, name, public_key, created_at) values (gen_random_uuid(), 'laptop', 'key', now())`,
    ),
  );
}

function importing(text: string, replace: boolean): Promise<unknown> {
  return importDatabase(other.connectionString, asFile(text), { ...options, replace });
}

test('given a sequence that has counted, when it was imported, then the next row goes on from there', async () => {
  await fill(one.connectionString, new Map());
  await withClient(one.connectionString, (client) =>
    client.query(`select setval('events_id_seq', 41), nextval('profile_revision')`),
  );

  await importing(await exported(one.connectionString), false);

  const { rows } = await withClient(other.connectionString, (client) =>
    client.query(`select nextval('events_id_seq')::int as event, nextval('receipts_id_seq')::int as receipt`),
  );
  expect(rows).toEqual([{ event: 42, receipt: 1 }]);
});

test('X12: given a history that went further than the file, when that is imported in its place, then ids that were given do not come again', async () => {
  await withMachine(one);
  const file = await exported(one.connectionString);
  await withMachine(other);
  await withClient(other.connectionString, (client) => client.query(`select setval('events_id_seq', 1000)`));

  await importing(file, true);

  const { rows } = await withClient(other.connectionString, (client) =>
    client.query(`select next_event_id()::int as id`),
  );
  expect(rows).toEqual([{ id: 1001 }]);
});
