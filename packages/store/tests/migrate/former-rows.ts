// A database as a build before the slices left it, for tests of the migrations that came since.
import { randomUUID } from 'node:crypto';
import type { Worker } from '@drover/core';
import { expect } from 'vitest';
import { connect, createSqlStore } from '../../src/index.ts';
import { migrate } from '../../src/migrate/migrate.ts';
import type { Database } from '../../src/tables/database.ts';
import { openTestDatabase, REPOSITORY_MIGRATIONS } from '../../src/testing/index.ts';
import { query, temporaryDirectory } from '../support/clusters.ts';

const MIGRATIONS = { directory: REPOSITORY_MIGRATIONS, log: () => {} };

/** A worker as the builds before 0016 wrote it. */
export type Former = Readonly<Record<string, unknown>> & { readonly status: string };

/** A database that knows no 0016 yet, and its rows of that time. */
export async function before0016() {
  await using held = new AsyncDisposableStack();
  const { path } = held.use(await temporaryDirectory());
  const { connectionString: database } = held.use(await openTestDatabase({ migrations: path }));
  await query(database, 'drop table if exists schema_migration');
  await migrate(database, { ...MIGRATIONS, through: 15 });
  const [machine, project] = [randomUUID(), randomUUID()];
  await query(
    database,
    `insert into machines (id, name, public_key, created_at) values ('${machine}', 'laptop', 'key', now())`,
  );
  await query(
    database,
    `insert into projects (id, name, source, root, default_branch, config, created_at)
     values ('${project}', 'shop', '/source', '/root', 'main', '{}', now())`,
  );
  const { db } = held.use(connect<Database>(database, { log: () => {}, maxConnections: 1 }));
  const store = createSqlStore(db, { sleep: () => Promise.resolve(), random: () => 0 });
  const ids: string[] = [];
  const owned = held.move();
  return {
    database,
    /** Writes a worker with a checkpoint of it and a decision that its history begins from. */
    async write(former: Former): Promise<void> {
      const id = randomUUID();
      const state = JSON.stringify(former).replaceAll("'", "''");
      await query(
        database,
        `insert into workers (id, project_id, machine_id, name, options, state, status, version, created_at, updated_at)
         values ('${id}', '${project}', '${machine}', 'w${ids.length}', '{}', '${state}', '${former.status}', 3, now(), now())`,
      );
      await query(
        database,
        `insert into checkpoints (id, worker_id, worker_name, project_id, type, why, state, machine_id, created_at)
         values ('${randomUUID()}', '${id}', 'w', '${project}', 'manual', 'by hand', '${state}', '${machine}', now())`,
      );
      await query(
        database,
        `insert into events (worker_id, worker_name, at, actor, kind, event, rules, records, reply, status_before, status_after, state_before)
         values ('${id}', 'w', now(), '{}', 'up-ordered', '{"kind": "up-ordered"}', '[]', '[]', '{}', 'idle', 'idle', '${state}')`,
      );
      ids.push(id);
    },
    /** What is there now of the worker that was written in this place. */
    async now(index: number): Promise<{ worker: Worker; checkpoint: unknown; history: unknown }> {
      const id = ids[index] ?? '';
      const worker = (await store.readWorker(id))?.state ?? expect.fail(`worker ${index} is gone`);
      const [checkpoint] = await query(database, `select state from checkpoints where worker_id = '${id}'`);
      const [history] = await query(database, `select state_before as state from events where worker_id = '${id}'`);
      return { worker, checkpoint: checkpoint?.['state'], history: history?.['state'] };
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}
