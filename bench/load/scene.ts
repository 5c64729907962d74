// A fleet in Postgres whose machines are elsewhere: their keys, their workers, and which of these are at work.
import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { migrate } from '@drover/store';
import { BUSY, READY, Story } from '../../packages/core/src/testing/story.ts';
import type { Worker } from '@drover/core';
import { REPOSITORY_MIGRATIONS } from '../../packages/store/src/testing/test-database.ts';
import { withClient } from '../src/client.ts';
import { CONFIG, OPTIONS } from '../src/workers.ts';

/** A worker as its machine knows it. */
export interface LoadWorker {
  readonly id: string;
  readonly incarnation: string;
  readonly isAtWork: boolean;
}

/** A machine that has joined: what it proves itself with, and its workers. */
export interface LoadMachine {
  readonly id: string;
  /** PKCS #8, PEM. */
  readonly key: string;
  readonly workers: readonly LoadWorker[];
}

export interface Size {
  readonly machines: number;
  readonly workersEach: number;
  /** Workers per worker that is at work. */
  readonly oneOf: number;
}

/** Fills an empty database. */
export async function fillScene(url: string, { machines, workersEach, oneOf }: Size): Promise<readonly LoadMachine[]> {
  await migrate(url, { directory: REPOSITORY_MIGRATIONS, log: () => {} });
  const now = Date.now();
  const [busy, idle] = [workerAtWork(now), idleWorker(now)];
  let number = 0;
  const fleet = Array.from({ length: machines }, () => {
    const { publicKey, privateKey } = generateKeyPairSync('ed25519');
    const workers = Array.from({ length: workersEach }, () => {
      number += 1;
      return { id: randomUUID(), isAtWork: number % oneOf === 0 };
    });
    return {
      id: randomUUID(),
      publicKey: publicKey.export({ type: 'spki', format: 'der' }).toString('base64'),
      key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
      workers,
    };
  });
  const projectId = randomUUID();
  await withClient(url, async (client) => {
    await client.query(
      `insert into projects (id, name, source, root, default_branch, config, created_at)
       values ($1, 'bench', '/source', '/root', 'main', $2, now())`,
      [projectId, JSON.stringify(CONFIG)],
    );
    await client.query(
      `insert into machines (id, name, public_key, last_seen_at, created_at)
       select id, 'm' || row_number() over (), key, now(), now() from unnest($1::uuid[], $2::text[]) as given (id, key)`,
      [fleet.map(({ id }) => id), fleet.map(({ publicKey }) => publicKey)],
    );
    const placed = fleet.flatMap(({ id, workers }) => workers.map((worker) => ({ machine: id, ...worker })));
    await client.query(
      `insert into workers (id, project_id, machine_id, name, options, state, status, version, created_at, updated_at)
       select id, $1, machine, 'w' || row_number() over (), $2, state, state->'lifecycle'->>'status', 1, now(), now()
       from (select id, machine, case when busy then $3::jsonb else $4::jsonb end as state
         from unnest($5::uuid[], $6::uuid[], $7::boolean[]) as given (id, machine, busy)) as all_of_them`,
      [
        projectId,
        JSON.stringify(OPTIONS),
        JSON.stringify(busy),
        JSON.stringify(idle),
        placed.map(({ id }) => id),
        placed.map(({ machine }) => machine),
        placed.map(({ isAtWork }) => isAtWork),
      ],
    );
    // Spread over a minute, as they are in a fleet that runs.
    await client.query(
      `insert into due_work (kind, key, worker_id, due_at, payload)
       select 'worker-deadline', w.id || ':' || d.key, w.id, now() + random() * interval '60 s', jsonb_build_object('name', d.key)
       from workers w, jsonb_each_text(w.state->'deadlines') d`,
    );
    await client.query('vacuum analyze');
  });
  return fleet.map(({ id, key, workers }) => ({
    id,
    key,
    workers: workers.map((worker) => ({ ...worker, incarnation: incarnationOf(worker.isAtWork ? busy : idle) })),
  }));
}

function incarnationOf({ session: { pane } }: Worker): string {
  if (pane.kind === 'absent') throw new Error('A worker of the scene has no pane');
  return pane.incarnation;
}

function idleWorker(now: number): Worker {
  return storyOfOne(now).worker;
}

function workerAtWork(now: number): Worker {
  const story = storyOfOne(now);
  story.hear({ kind: 'start-requested', taskId: randomUUID(), prompt: PROMPT, text: PROMPT });
  story.answer({ kind: 'prepared', base: 'aaaa', head: 'aaaa', saved: null }).delivered().see(BUSY);
  return story.worker;
}

function storyOfOne(now: number): Story {
  const story = new Story();
  story.now = now;
  story.hear({ kind: 'up-requested' }).answer({ kind: 'prepared', base: 'aaaa', head: 'aaaa', saved: null });
  return story.opened().see(READY);
}

/** Prompt as long as people's are. */
const PROMPT = 'Make the list of orders sortable by each of its columns, with a test for each. '.repeat(6);
