// A fleet in Postgres without its machines: as many workers as wanted, at work, with their deadlines.
import { randomUUID } from 'node:crypto';
import type { Worker } from '@drover/core';
import { migrate } from '@drover/store';
import type { Client } from 'pg';
import { READY, BUSY, Story } from '../../packages/core/src/testing/story.ts';
import { REPOSITORY_MIGRATIONS } from '../../packages/store/src/testing/test-database.ts';
import { databaseUrl, withClient } from '../src/client.ts';
import { CONFIG, OPTIONS } from '../src/workers.ts';

/** A worker as it was put in, and as the measurement knows it since. */
export interface PlacedWorker {
  readonly id: string;
  worker: Worker;
}

/** The workers of one database, all of one project on one machine. */
export interface Fleet {
  readonly machineId: string;
  readonly projectId: string;
  readonly agentEpoch: string;
  readonly workers: readonly PlacedWorker[];
}

/** Makes a migrated database with a fleet of `count` workers in it. `deadlinesOf` says when each is due. */
export async function makeFleet(
  server: string,
  name: string,
  { count, now, deadlinesOf }: { count: number; now: number; deadlinesOf?: (index: number) => Worker['deadlines'] },
): Promise<Fleet> {
  await withClient(server, (client) => client.query(`create database ${name}`));
  return fillFleet(databaseUrl(server, name), { count, now, ...(deadlinesOf && { deadlinesOf }) });
}

/** The same in an empty database that is there. */
export async function fillFleet(
  url: string,
  { count, now, deadlinesOf }: { count: number; now: number; deadlinesOf?: (index: number) => Worker['deadlines'] },
): Promise<Fleet> {
  await migrate(url, { directory: REPOSITORY_MIGRATIONS, log: () => {} });
  const fleet = { machineId: randomUUID(), projectId: randomUUID(), agentEpoch: randomUUID() };
  const workers = Array.from({ length: count }, (_, index) => {
    const worker = workingSince(now);
    return { id: randomUUID(), worker: { ...worker, deadlines: deadlinesOf?.(index) ?? worker.deadlines } };
  });
  await withClient(url, (client) => insertWorkers(client, { ...fleet, workers }, now));
  return { ...fleet, workers };
}

/** A worker whose agent took its task a moment ago. */
function workingSince(now: number): Worker {
  const story = new Story();
  story.now = now;
  story.hear({ kind: 'up-requested' }).answer({ kind: 'prepared', base: 'aaaa', head: 'aaaa', saved: null });
  story.opened().see(READY);
  const task = randomUUID();
  story.hear({ kind: 'start-requested', taskId: task, prompt: 'make it so', text: 'make it so' });
  story.answer({ kind: 'prepared', base: 'aaaa', head: 'aaaa', saved: null }).delivered().see(BUSY);
  return story.worker;
}

async function insertWorkers(
  client: Client,
  { machineId, projectId, agentEpoch, workers }: Fleet,
  now: number,
): Promise<void> {
  await client.query(
    `insert into projects (id, name, source, root, default_branch, config, created_at)
     values ($1, 'bench', '/source', '/root', 'main', $2, now())`,
    [projectId, JSON.stringify(CONFIG)],
  );
  // Sets the last contact in the future: connected for as long as the measurement takes.
  await client.query(
    `insert into machines (id, name, public_key, agent_epoch, last_seen_at, created_at)
     values ($1, 'bench', 'key', $2, now() + interval '1 hour', now())`,
    [machineId, agentEpoch],
  );
  await client.query(
    `insert into workers (id, project_id, machine_id, name, options, state, status, version, created_at, updated_at)
     select id, $1, $2, 'w' || row_number() over (), $3, state, state->'lifecycle'->>'status', 1, now(), now()
     from unnest($4::uuid[], $5::jsonb[]) as given (id, state)`,
    [
      projectId,
      machineId,
      JSON.stringify(OPTIONS),
      workers.map(({ id }) => id),
      workers.map(({ worker }) => JSON.stringify(worker)),
    ],
  );
  await client.query(
    `insert into due_work (kind, key, worker_id, due_at, payload)
     select 'worker-deadline', w.id || ':' || d.key, w.id, to_timestamp(d.value::double precision / 1000),
       jsonb_build_object('name', d.key)
     from workers w, jsonb_each_text(w.state->'deadlines') d where d.value::double precision > $1`,
    [now],
  );
  await client.query('vacuum analyze');
}
