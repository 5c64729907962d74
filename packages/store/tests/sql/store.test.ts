// Tests that the SQL store does what every store must, and that the table types match the migrated schema.
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { createSqlStore } from '../../src/index.ts';
import type { Database } from '../../src/tables/database.ts';
import { sqlContract, storeContract } from '../../src/testing/contract/contract.ts';
import { isolationContract } from '../../src/testing/contract/isolation.ts';
import { openTestDatabase } from '../../src/testing/index.ts';
import { COLUMNS } from '../../src/tables/columns.ts';

const open = async () => {
  const database = await openTestDatabase<Database>();
  const store = createSqlStore(database.db, { sleep: () => Promise.resolve(), random: () => 0 });
  return { store, [Symbol.asyncDispose]: () => database[Symbol.asyncDispose]() };
};

describe('the store contract', () => {
  storeContract(open);
  sqlContract(open);
  isolationContract(open);
});

test('given the migrated schema, when its columns are listed, then the types of the code are those of the tables', async () => {
  await using database = await openTestDatabase<Database>();

  const { rows } = await sql<{ table: string; column: string; type: string }>`
    select table_name as table, column_name as column, udt_name || case is_nullable when 'YES' then '?' else '' end as type
    from information_schema.columns
    where table_schema = 'public' and table_name <> 'schema_migration'`.execute(database.db);
  const found: Record<string, Record<string, string>> = {};
  for (const { table, column, type } of rows) (found[camelCase(table)] ??= {})[camelCase(column)] = type;

  expect(found).toEqual(COLUMNS);
});

function camelCase(name: string): string {
  return name.replaceAll(/_([a-z])/gu, (_all, letter: string) => letter.toUpperCase());
}
