// Draws columns.json from the migrations, and holds the one that is there against them. Imports no query: a query needs its columns.
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { openTestDatabase } from '../../src/testing/test-database.ts';

test('given the migrated schema, when its columns are listed, then columns.json has them', async () => {
  await using database = await openTestDatabase();

  const { rows } = await sql<{ table: string; column: string; type: string }>`
    select table_name as table, column_name as column, udt_name || case is_nullable when 'YES' then '?' else '' end as type
    from information_schema.columns
    where table_schema = 'public' and table_name <> 'schema_migration'
    order by table_name collate "C", ordinal_position`.execute(database.db);
  const found: Record<string, Record<string, string>> = {};
  for (const { table, column, type } of rows) (found[camelCase(table)] ??= {})[camelCase(column)] = type;

  await expect(`${JSON.stringify(found, null, 2)}\n`).toMatchFileSnapshot('../../src/tables/columns.json');
});

function camelCase(name: string): string {
  return name.replaceAll(/_([a-z])/gu, (_all, letter: string) => letter.toUpperCase());
}
