// Tests that the audit comes through an export whole, into a database that has its own audit, and is only ever added to
// after that.
import { expect, test } from 'vitest';
import { auditHash } from '../../src/audit-hash.ts';
import { createSqlStore } from '../../src/sql/store.ts';
import type { Database } from '../../src/tables/database.ts';
import { openTestDatabase, REPOSITORY_MIGRATIONS } from '../../src/testing/index.ts';
import type { TestDatabase } from '../../src/testing/index.ts';
import { importDatabase } from '../../src/transfer/import.ts';
import { asFile, exported, withClient } from './support.ts';

test('given two databases with an audit each, when one is taken over into the other, then its chains stand there, and go on', async () => {
  await using from = await openTestDatabase<Database>();
  await using to = await openTestDatabase<Database>();
  await addRows(from, ['fleet', 'worker:1', 'fleet', 'worker:1', 'worker:1']);
  await addRows(to, ['fleet']);

  const options = { log: () => {}, migrations: REPOSITORY_MIGRATIONS, replace: true, withTokens: false };
  await to.db.destroy();
  await importDatabase(to.connectionString, asFile(await exported(from.connectionString)), options);
  await withClient(to.connectionString, async (client) => {
    const { rows } = await client.query<{ chain: string; seq: string; body: string; hash: string }>(
      'select chain, seq, body, hash from audit order by chain, seq',
    );
    const last = new Map<string, string>();
    for (const { chain, seq, body, hash } of rows) {
      expect(hash).toBe(auditHash(last.get(chain) ?? '', { chain, seq: Number(seq), body }));
      last.set(chain, hash);
    }
    const heads = await client.query<{ chain: string; hash: string }>('select chain, hash from audit_heads');
    expect(new Map(heads.rows.map(({ chain, hash }) => [chain, hash]))).toEqual(last);
    expect(rows).toHaveLength(5);
    await expect(client.query('delete from audit')).rejects.toThrow('only ever added to');
  });
});

async function addRows({ db }: TestDatabase<Database>, chains: readonly string[]): Promise<void> {
  const store = createSqlStore(db, { sleep: () => Promise.resolve(), random: () => 0 });
  for (const chain of chains)
    await store.transaction((tx) => tx.audit({ chain, at: 1, actor: 'person ann', body: `{"chain":"${chain}"}` }));
}
