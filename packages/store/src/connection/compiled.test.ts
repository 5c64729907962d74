/** Tests that a statement that is compiled once takes other values each time. */
import { DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler, sql } from 'kysely';
import { expect, test } from 'vitest';
import { compiledOnce } from './compiled.ts';

interface Tables {
  people: { readonly id: string; readonly age: number };
}

const db = new Kysely<Tables>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (of) => new PostgresIntrospector(of),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
});

test('given a statement that is used twice, when it is compiled, then it is built once and has the values of each use', () => {
  let built = 0;
  const find = compiledOnce((of: typeof db, { id, age }: { readonly id: string; readonly age: number }) => {
    built += 1;
    return of.selectFrom('people').select('id').where('id', '=', id).where('age', '>', age).where('id', '!=', id);
  });

  const [first, second] = [find(db, { id: 'a', age: 1 }), find(db, { id: 'b', age: 2 })];

  expect([first.parameters, second.parameters]).toEqual([
    ['a', 1, 'a'],
    ['b', 2, 'b'],
  ]);
  expect(second.sql).toBe('select "id" from "people" where "id" = $1 and "age" > $2 and "id" != $3');
  expect(built).toBe(1);
});

test('given values of its own in a text, when it is compiled, then those stay', () => {
  const find = compiledOnce((_: typeof db, { ids }: { readonly ids: readonly string[] }) => {
    return sql`select ${7}::int where 'a' = any(${ids})`;
  });

  expect(find(db, { ids: ['a'] }).parameters).toEqual([7, ['a']]);
});
