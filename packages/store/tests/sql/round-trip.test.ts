import * as fc from 'fast-check';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { createSqlStore } from '../../src/index.ts';
import type { Database } from '../../src/tables/database.ts';
import { openTestDatabase } from '../../src/testing/index.ts';

/** Strings for any JSON that Postgres can hold, with keys that look like columns. */
const text = fc.string().map((chars) => chars.replaceAll('\0', ''));
const key = fc.oneof(fc.constantFrom('a_b', 'aB', '_', 'a__b_1', 'worker_id', '__proto'), text);
const document = fc.letrec((self) => ({
  leaf: fc.oneof(fc.integer(), fc.boolean(), text, fc.constant(null)),
  any: fc.oneof(
    { maxDepth: 4 },
    self('leaf'),
    fc.array(self('any'), { maxLength: 3 }),
    fc.dictionary(key, self('any'), { maxKeys: 4, noNullPrototype: true }),
  ),
})).any;

test('given any JSON, when it is stored and read by the store, by a query and by raw SQL, then no key and no value of it changed', async () => {
  await using database = await openTestDatabase<Database>();
  const { db } = database;
  const store = createSqlStore(db, { sleep: () => Promise.resolve(), random: () => 0 });

  await fc.assert(
    fc.asyncProperty(
      document.filter((given) => given !== null),
      async (given) => {
        const profile = { document: given, staged: { document: given, label: 'a' }, former: { document: given } };
        await store.transaction((tx) => tx.putProfile('some_name', profile, 1_000));
        const [read] = (await store.readProfiles()).documents;
        const queried = await db.selectFrom('profiles').selectAll().executeTakeFirstOrThrow();
        const raw = await sql<{ document: unknown; deepIn: unknown }>`
          select document, jsonb_build_object('a_b', document) as deep_in from profiles`.execute(db);

        expect(read).toMatchObject(profile);
        expect(queried).toMatchObject({ ...profile, updatedAt: 1_000 });
        expect(raw.rows[0]).toEqual({ document: given, deepIn: { a_b: given } });
      },
    ),
    { numRuns: 50 },
  );
});
