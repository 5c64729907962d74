// What becomes of the rows that an older build wrote, when a migration changes them?
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { migrate } from '../../src/migrate/migrate.ts';
import { openTestDatabase, REPOSITORY_MIGRATIONS } from '../../src/testing/index.ts';
import { query, temporaryDirectory } from '../support/clusters.ts';

const MIGRATIONS = { directory: REPOSITORY_MIGRATIONS, log: () => {} };
const ENDED_AT = '2026-01-02T03:04:05Z';

test('given errors of no incident, when 0010 comes, then those of failed tasks ended with their tasks', async () => {
  await using old = await before0010();
  const failed = await old.task('failed', ENDED_AT);
  await old.error('of a task that failed', { task: failed });
  await old.error('of a task that was ended', { task: await old.task('ended', ENDED_AT) });
  await old.error('under way', { task: await old.task('started', null) });
  await old.error('in review', { task: await old.task('review', null) });
  await old.error('accepted', { task: await old.task('accepted', ENDED_AT) });
  await old.error('of no task', { task: null });
  await old.error('of a task that is gone', { task: randomUUID() });
  await old.error('of an incident', { task: failed, incident: randomUUID() });
  await old.error('recovered', { task: failed, recovered: true });

  await migrate(old.database, MIGRATIONS);

  const at = new Date(ENDED_AT);
  expect(await query(old.database, 'select message, called_off_at as at, recovered from errors order by n')).toEqual([
    { message: 'of a task that failed', at, recovered: false },
    { message: 'of a task that was ended', at, recovered: false },
    { message: 'under way', at: null, recovered: false },
    { message: 'in review', at: null, recovered: false },
    { message: 'accepted', at: null, recovered: false },
    { message: 'of no task', at: null, recovered: false },
    { message: 'of a task that is gone', at: null, recovered: false },
    { message: 'of an incident', at: null, recovered: false },
    { message: 'recovered', at: null, recovered: true },
  ]);
});

test('given a task without the time of its end, when 0010 comes, then its errors ended with the migration', async () => {
  await using old = await before0010();
  await old.error('of a task that failed', { task: await old.task('failed', null) });
  await query(old.database, 'create table clock as select now() as before');

  await migrate(old.database, MIGRATIONS);

  const text = 'select called_off_at between before and now() as ended from errors, clock';
  expect(await query(old.database, text)).toEqual([{ ended: true }]);
});

/** A database that knows no 0010 yet, with a project; and its rows of that time. */
async function before0010() {
  await using held = new AsyncDisposableStack();
  const { path } = held.use(await temporaryDirectory());
  const { connectionString: database } = held.use(await openTestDatabase({ migrations: path }));
  await query(database, 'drop table if exists schema_migration');
  await migrate(database, { ...MIGRATIONS, through: 9 });
  // In the order of their writing, for the test alone.
  await query(database, 'alter table errors add column n bigint generated always as identity');
  const project = randomUUID();
  await query(
    database,
    `insert into projects (id, name, source, root, default_branch, config, created_at)
     values ('${project}', 'demo', '/source', '/root', 'main', '{}', now())`,
  );
  const owned = held.move();
  return {
    database,
    /** @returns the id of a task in such a status. */
    async task(status: string, endedAt: string | null): Promise<string> {
      const id = randomUUID();
      await query(
        database,
        `insert into tasks (id, project_id, worker_name, prompt, status, created_at, ended_at)
         values ('${id}', '${project}', 'alba', 'Work', '${status}', now(), ${quoted(endedAt)})`,
      );
      return id;
    },
    async error(message: string, of: { task: string | null; incident?: string; recovered?: boolean }): Promise<void> {
      await query(
        database,
        `insert into errors (id, incident_id, code, category, severity, message, component, task_id, at, recoverable,
           retryable, retry_count, context, recovered)
         values ('${randomUUID()}', ${quoted(of.incident ?? null)}, 'AGENT_CRASHED', 'AGENT_ERROR', 'error', '${message}',
           'tool', ${quoted(of.task)}, now(), true, true, 0, '{}', ${of.recovered ?? false})`,
      );
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

function quoted(value: string | null): string {
  return value === null ? 'null' : `'${value}'`;
}
