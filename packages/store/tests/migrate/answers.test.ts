// What becomes of questions that older builds left behind, when answers name the asking that they saw?
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { migrate } from '../../src/migrate/migrate.ts';
import { openTestDatabase, REPOSITORY_MIGRATIONS } from '../../src/testing/index.ts';
import { query, temporaryDirectory } from '../support/clusters.ts';

const MIGRATIONS = { directory: REPOSITORY_MIGRATIONS, log: () => {} };
const BEFORE = 16;

test('given questions of an older build, when answers name their asking, then those that opened again are asked twice, and those with which a worker still waits are open', async () => {
  await using held = new AsyncDisposableStack();
  const { path } = held.use(await temporaryDirectory());
  const { connectionString: database } = held.use(await openTestDatabase({ migrations: path }));
  await query(database, 'drop table if exists schema_migration');
  await migrate(database, { ...MIGRATIONS, through: BEFORE });
  const [project, machine] = [randomUUID(), randomUUID()];
  await query(
    database,
    `insert into projects (id, name, source, root, default_branch, config, created_at)
     values ('${project}', 'shop', '/s', '/r', 'main', '{}', now());
     insert into machines (id, name, public_key, created_at) values ('${machine}', 'laptop', 'key', now())`,
  );
  const ask = async (name: string, { status, application, escalated }: Old): Promise<void> => {
    const [worker, incident] = [randomUUID(), randomUUID()];
    const open = escalated === null ? null : { id: incident, escalated };
    const member = [{ workerId: worker, workerName: name, incidentId: incident, over: status === 'resolved' }];
    const resolution = status === 'resolved' ? `'{"option":"retry"}'` : 'null';
    await query(
      database,
      `insert into workers (id, project_id, machine_id, name, options, state, status, version, created_at, updated_at)
       values ('${worker}', '${project}', '${machine}', '${name}', '{}', '${JSON.stringify({ incident: { open } })}', 'error', 1, now(), now());
       insert into escalations (id, dedupe_key, incident_id, worker_id, worker_name, project_id, level, severity, status, title,
         body, context, question, resolution, application, members, version, occurrences, created_at, updated_at, resolved_at)
       values ('${randomUUID()}', 'incident:${incident}', '${incident}', '${worker}', '${name}', '${project}', 4, 'error',
         '${status}', 't', 'b', '{}', '{}', ${resolution}, ${application === null ? 'null' : `'${application}'`},
         '${JSON.stringify(member)}', 1, 1, now(), now(), ${status === 'resolved' ? 'now()' : 'null'})`,
    );
  };
  await ask('fresh', { status: 'open', application: null, escalated: true });
  await ask('again', { status: 'open', application: 'rejected_stale', escalated: true });
  await ask('stuck', { status: 'resolved', application: 'applied', escalated: true });
  await ask('failed', { status: 'resolved', application: 'failed', escalated: true });
  await ask('done', { status: 'resolved', application: 'applied', escalated: null });
  await ask('later', { status: 'resolved', application: 'pending', escalated: false });

  await migrate(database, { ...MIGRATIONS, through: BEFORE + 1 });

  const rows = await query(
    database,
    `select worker_name as name, status, asked, resolution is null and resolved_at is null as free,
       members -> 0 ->> 'over' as over from escalations order by worker_name`,
  );
  expect(rows).toEqual([
    { name: 'again', status: 'open', asked: 2, free: true, over: 'false' },
    { name: 'done', status: 'resolved', asked: 1, free: false, over: 'true' },
    { name: 'failed', status: 'open', asked: 2, free: true, over: 'false' },
    { name: 'fresh', status: 'open', asked: 1, free: true, over: 'false' },
    { name: 'later', status: 'resolved', asked: 1, free: false, over: 'true' },
    { name: 'stuck', status: 'open', asked: 2, free: true, over: 'false' },
  ]);
});

interface Old {
  readonly status: 'open' | 'resolved';
  readonly application: string | null;
  /** Whether its worker waits with it; null: its incident is over. */
  readonly escalated: boolean | null;
}
