// Does the SQL store do what every store must, and are the table types those of the migrated schema?
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { createSqlStore } from '../src/index.ts';
import type { Database } from '../src/schema.ts';
import { storeContract } from '../src/testing/contract.ts';
import { openTestDatabase } from '../src/testing/index.ts';

describe('the store contract', () => {
  storeContract(async () => {
    const database = await openTestDatabase<Database>();
    const store = createSqlStore(database.db, { sleep: () => Promise.resolve(), random: () => 0 });
    return { store, [Symbol.asyncDispose]: () => database[Symbol.asyncDispose]() };
  });
});

/** Columns by table, with their types, as `schema.ts` has them in TypeScript's own words. */
const EXPECTED: { readonly [T in keyof Database]: Readonly<Record<keyof Database[T] & string, string>> } = {
  projects: {
    id: 'uuid',
    name: 'text',
    source: 'text',
    root: 'text',
    default_branch: 'text',
    config: 'jsonb',
    merge_worker_id: 'uuid?',
    last_reviewed_id: 'uuid?',
    created_at: 'timestamptz',
  },
  machines: {
    id: 'uuid',
    name: 'text',
    public_key: 'text',
    facts: 'jsonb?',
    session_epoch: 'int8',
    access_token_sha256: 'text?',
    access_token_expires_at: 'timestamptz?',
    nonce: 'text?',
    nonce_expires_at: 'timestamptz?',
    agent_epoch: 'uuid?',
    stored_through: 'int8',
    version: 'text?',
    last_seen_at: 'timestamptz?',
    created_at: 'timestamptz',
  },
  workers: {
    id: 'uuid',
    project_id: 'uuid',
    machine_id: 'uuid',
    name: 'text',
    options: 'jsonb',
    state: 'jsonb',
    status: 'text',
    version: 'int8',
    created_at: 'timestamptz',
    updated_at: 'timestamptz',
  },
  tasks: {
    id: 'uuid',
    project_id: 'uuid',
    worker_id: 'uuid?',
    worker_name: 'text',
    prompt: 'text',
    status: 'text',
    created_at: 'timestamptz',
    ended_at: 'timestamptz?',
  },
  observations: {
    machine_id: 'uuid',
    agent_epoch: 'uuid',
    seq: 'int8',
    worker_id: 'uuid?',
    kind: 'text',
    body: 'jsonb',
    seen_at: 'timestamptz',
    stored_at: 'timestamptz',
  },
  events: {
    id: 'int8',
    worker_id: 'uuid',
    worker_name: 'text',
    at: 'timestamptz',
    order_id: 'uuid?',
    kind: 'text',
    event: 'jsonb',
    rules: 'jsonb',
    records: 'jsonb',
    reply: 'jsonb',
    status_before: 'text',
    status_after: 'text',
  },
  commands: {
    id: 'uuid',
    machine_id: 'uuid',
    worker_id: 'uuid',
    seq: 'int8?',
    body: 'jsonb',
    seat: 'jsonb',
    state: 'text',
    sent_epoch: 'int8?',
    timeout_ms: 'int8',
    result: 'jsonb?',
    created_at: 'timestamptz',
    finished_at: 'timestamptz?',
  },
  due_work: {
    kind: 'text',
    key: 'text',
    due_at: 'timestamptz',
    payload: 'jsonb',
    attempts: 'int4',
    lease_until: 'timestamptz?',
  },
  receipts: {
    id: 'int8',
    worker_id: 'uuid',
    outgoing_id: 'text',
    purpose: 'text',
    outcome: 'text',
    receipt: 'jsonb',
    at: 'timestamptz',
  },
  join_tokens: { token_sha256: 'text', expires_at: 'timestamptz', used_at: 'timestamptz?' },
  profiles: { name: 'text', revision: 'int8', document: 'jsonb?', updated_at: 'timestamptz' },
  api_tokens: {
    id: 'uuid',
    name: 'text',
    token_sha256: 'text',
    role: 'text',
    expires_at: 'timestamptz?',
    last_used_at: 'timestamptz?',
    created_at: 'timestamptz',
  },
};

test('given the migrated schema, when its columns are listed, then the types of the code are those of the tables', async () => {
  await using database = await openTestDatabase<Database>();

  const { rows } = await sql<{ table: string; column: string; type: string }>`
    select table_name as table, column_name as column, udt_name || case is_nullable when 'YES' then '?' else '' end as type
    from information_schema.columns
    where table_schema = 'public' and table_name <> 'schema_migration'`.execute(database.db);
  const found: Record<string, Record<string, string>> = {};
  for (const { table, column, type } of rows) (found[table] ??= {})[column] = type;

  expect(found).toEqual(EXPECTED);
});
