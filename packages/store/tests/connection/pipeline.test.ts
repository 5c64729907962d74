import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { connect } from '../../src/connection/connect.ts';
import { failureKind } from '../../src/connection/errors.ts';
import { send } from '../../src/connection/pipeline.ts';
import { openTestDatabase } from '../../src/testing/index.ts';

/** A database with one empty table, and a pool whose every statement is noted when it is sent, and when it is answered. */
async function opened() {
  const database = await openTestDatabase();
  await sql`create table kept (id integer primary key)`.execute(database.db);
  const { pool, db, ...connection } = connect<{ kept: { id: number } }>(database.connectionString, {
    log: () => {},
    maxConnections: 2,
  });
  const said: string[] = [];
  pool.on('connect', (client) => {
    const query = client.query.bind(client) as (...given: readonly unknown[]) => Promise<unknown>;
    Object.assign(client, {
      query: async (...given: readonly unknown[]) => {
        const text = String(given[0]);
        said.push(`> ${text}`);
        return query(...given).finally(() => said.push(`< ${text}`));
      },
    });
  });
  return {
    db,
    said,
    rows: async () => (await db.selectFrom('kept').select('id').orderBy('id').execute()).map(({ id }) => id),
    [Symbol.asyncDispose]: async () => {
      await connection[Symbol.asyncDispose]();
      await database[Symbol.asyncDispose]();
    },
  };
}

test('given statements whose answers are not needed, when a transaction sends them, then all are under way before the first is answered', async () => {
  await using given = await opened();

  await given.db.transaction().execute(async (trx) => {
    await send(trx, sql`select 1`);
    await send(trx, sql`insert into kept values (1)`);
  });

  expect(given.said).toEqual([
    '> begin',
    '< begin',
    '> select 1',
    '> insert into kept values (1)',
    '< select 1',
    '< insert into kept values (1)',
    '> commit',
    '< commit',
  ]);
  expect(await given.rows()).toEqual([1]);
});

test('given a statement that was sent, when the next one reads, then it reads what that wrote', async () => {
  await using given = await opened();

  const read = await given.db.transaction().execute(async (trx) => {
    await send(trx, sql`insert into kept values (1)`);
    await send(trx, sql`update kept set id = 2`);
    return trx.selectFrom('kept').select('id').execute();
  });

  expect(read).toEqual([{ id: 2 }]);
});

test('given a statement that was sent and fails, when the transaction commits, then it says why and nothing is kept', async () => {
  await using given = await opened();

  const work = given.db.transaction().execute(async (trx) => {
    await send(trx, sql`insert into kept values (1)`);
    await send(trx, sql`insert into kept values (1)`);
    await send(trx, sql`insert into kept values (2)`);
  });

  await expect(work).rejects.toMatchObject({ code: '23505' });
  expect(await given.rows()).toEqual([]);
});

test('given a statement that was sent and is undone by another transaction, when the next one is waited for, then that conflict is told, not the end of the transaction', async () => {
  await using given = await opened();

  const work = given.db.transaction().execute(async (trx) => {
    await send(trx, sql`insert into kept values (1)`);
    await send(trx, sql.raw(`do $$ begin raise 'deadlock detected' using errcode = '40P01'; end $$`));
    return trx.selectFrom('kept').select('id').execute();
  });

  await expect(work).rejects.toMatchObject({ code: '40P01' });
  expect(await given.rows()).toEqual([]);
});

test.each(['last', 'followed by another'])(
  'given a statement with a value that cannot be sent, when it is %s, then the transaction says why, nothing is kept, and the pool serves the next',
  async (place) => {
    await using given = await opened();
    const value = {
      toPostgres: () => {
        throw new Error('This value cannot be sent');
      },
    };

    const work = given.db.transaction().execute(async (trx) => {
      await send(trx, sql`insert into kept values (1)`);
      await send(trx, sql`insert into kept values (${value})`);
      if (place !== 'last') await send(trx, sql`insert into kept values (2)`);
    });

    await expect(work).rejects.toThrow('This value cannot be sent');
    expect(await given.rows()).toEqual([]);
  },
);

test('given work that fails while statements are under way, when it is over, then nothing is kept and the connection serves the next', async () => {
  await using given = await opened();

  const work = given.db.transaction().execute(async (trx) => {
    await send(trx, sql`insert into kept values (1)`);
    throw new Error('The policy failed');
  });

  await expect(work).rejects.toThrow('The policy failed');
  expect(await given.rows()).toEqual([]);
});

test('given statements under way, when the server ends the connection, then the transaction fails as a lost connection and nothing is kept', async () => {
  await using given = await opened();

  const work = given.db.transaction().execute(async (trx) => {
    await send(trx, sql`insert into kept values (1)`);
    await send(trx, sql`select pg_terminate_backend(pg_backend_pid())`);
    await send(trx, sql`insert into kept values (2)`);
  });

  await expect(work.catch(failureKind)).resolves.toBe('lost-connection');
  await expect.poll(() => given.rows().catch(() => 'not yet')).toEqual([]);
});

test('given no transaction, when a statement is sent, then it is done when the promise is kept, and its failure is told', async () => {
  await using given = await opened();

  await send(given.db, sql`insert into kept values (1)`);

  expect(await given.rows()).toEqual([1]);
  await expect(send(given.db, sql`insert into kept values (1)`)).rejects.toMatchObject({ code: '23505' });
});
