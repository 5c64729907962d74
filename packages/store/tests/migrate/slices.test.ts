// What becomes of workers, checkpoints and histories that a build before the slices wrote, when 0016 comes.
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { Worker } from '@drover/core';
import { Story } from '@drover/core/testing';
import { expect, test } from 'vitest';
import { connect, createSqlStore } from '../../src/index.ts';
import { migrate } from '../../src/migrate/migrate.ts';
import type { Database } from '../../src/tables/database.ts';
import { openTestDatabase, REPOSITORY_MIGRATIONS } from '../../src/testing/index.ts';
import { query, temporaryDirectory } from '../support/clusters.ts';

const MIGRATIONS = { directory: REPOSITORY_MIGRATIONS, log: () => {} };

/** Rows that the former build wrote in the simulation, chosen so that each state and command occurs, and what they are now. */
const ROWS: readonly { readonly former: Former; readonly sliced: Worker }[] = JSON.parse(
  await readFile(new URL('fixtures/former-workers.json', import.meta.url), 'utf8'),
);

type Former = Readonly<Record<string, unknown>> & { readonly status: string };

test('given rows that the former build wrote, when 0016 comes, then each worker, checkpoint and history has the same in slices', async () => {
  await using old = await before0016();
  for (const { former } of ROWS) await old.write(former);

  await migrate(old.database, MIGRATIONS);

  for (const [index, { sliced }] of ROWS.entries())
    expect(await old.now(index)).toEqual({ worker: sliced, checkpoint: sliced, history: sliced });
});

test('given rows that the former build wrote, when each is decided on after 0016, then nothing fails and its machine is heard', async () => {
  await using old = await before0016();
  for (const { former } of ROWS) await old.write(former);

  await migrate(old.database, MIGRATIONS);

  for (const [index] of ROWS.entries()) {
    const { worker } = await old.now(index);
    const story = new Story();
    story.worker = worker;
    story.now = 2_000_000_000_000;
    story.hear({ kind: 'panes-listed', pane: null });
    expect(story.reply).toEqual({ kind: 'accepted' });
    expect(story.worker.session.pane.kind).toBe('absent');
  }
});

test('given a row that lacks fields which came later, when 0016 comes, then they are as for a new worker', async () => {
  await using old = await before0016();
  const [{ former, sliced }] = ROWS as [(typeof ROWS)[number]];
  const { queued: _queued, turnUnseen: _unseen, taskAttempts: _attempts, conflicts: _conflicts, ...older } = former;
  await old.write(older as Former);

  await migrate(old.database, MIGRATIONS);

  const { worker } = await old.now(0);
  expect(worker).toEqual({
    ...sliced,
    mailbox: { ...sliced.mailbox, queued: [] },
    merge: { ...sliced.merge, conflicts: null },
    task: sliced.task.kind === 'none' ? sliced.task : { ...sliced.task, attempts: 0 },
  });
});

/** A database that knows no 0016 yet, and its rows of that time. */
async function before0016() {
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
