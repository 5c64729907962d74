// What becomes of machines and join tokens that an older build wrote, when 0015 comes?
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import type { Database } from '../../src/tables/database.ts';
import { createSqlStore } from '../../src/index.ts';
import { migrate } from '../../src/migrate/migrate.ts';
import { openTestDatabase, REPOSITORY_MIGRATIONS } from '../../src/testing/index.ts';
import { query, temporaryDirectory } from '../support/clusters.ts';

const MIGRATIONS = { directory: REPOSITORY_MIGRATIONS, log: () => {} };
const MACHINE = randomUUID();
const BUFFER = randomUUID();

test('given a machine of an older build, when 0015 comes, then it is known by its key, keeps its epoch and buffer, and says hello', async () => {
  await using held = new AsyncDisposableStack();
  const { path } = held.use(await temporaryDirectory());
  const { connectionString, db } = held.use(await openTestDatabase<Database>({ migrations: path }));
  await query(connectionString, 'drop table if exists schema_migration');
  await migrate(connectionString, { ...MIGRATIONS, through: 14 });
  await query(
    connectionString,
    `insert into machines (id, name, public_key, session_epoch, access_token_sha256, access_token_expires_at, nonce,
       nonce_expires_at, agent_epoch, stored_through, last_seen_at, created_at)
     values ('${MACHINE}', 'laptop', 'key', 7, 'access', now() + interval '10 min', 'n', now(), '${BUFFER}', 41, now(), now())`,
  );
  await query(connectionString, `insert into join_tokens values ('token', now() + interval '10 min', null)`);

  await migrate(connectionString, MIGRATIONS);
  const store = createSqlStore(db, { sleep: () => Promise.resolve(), random: () => 0 });
  const now = await store.readClock();
  const before = await store.readMachine(MACHINE);
  const heard = await store.touchMachine({ machineId: MACHINE, epoch: 7, agentEpoch: BUFFER }, now);
  const greeted = await store.hello({
    machineId: MACHINE,
    epoch: 7,
    publicKey: 'key',
    rotated: false,
    dialledUrl: 'https://drover.example.com',
    agentEpoch: BUFFER,
    version: '2',
    facts: {},
    accessTokenSha256: 'next',
    accessTokenExpiresAt: now + 1_000,
    now,
  });
  await store.transaction((tx) => tx.revokeMachine(MACHINE, now));
  const join = { id: randomUUID(), name: 'other', now, tokenSha256: 'token' };
  const [readmitted, joined] = [
    await store.joinMachine({ ...join, publicKey: 'key' }),
    await store.joinMachine({ ...join, publicKey: 'other key' }),
  ];

  expect(before).toMatchObject({ epoch: 7, publicKey: 'key', revokedAt: null, rotateSince: null, dialledUrl: null });
  expect(heard).not.toBeNull();
  expect(greeted).toMatchObject({ epoch: 8, agentEpoch: BUFFER, storedThrough: 41 });
  expect(readmitted).toEqual({ kind: 'bad-token' });
  expect(joined).toEqual({ kind: 'joined', machineId: join.id });
});
