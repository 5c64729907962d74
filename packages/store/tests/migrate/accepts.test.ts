// What becomes of an accept that an older build had under way, when 0014 binds accepts to what was reviewed?
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
const WITHOUT_COMMIT = ['waiting', 'rebase', 'validate', 'squash'] as const;
const WITH_COMMIT = ['fast-forward', 'close', 'recycle'] as const;
const COMMIT = 'd'.repeat(40);

/** Where an accept stood then. */
type FormerStep = (typeof WITHOUT_COMMIT)[number] | (typeof WITH_COMMIT)[number];

/** A worker as the builds before 0016 wrote it, with the fields that these tests name. */
interface Former {
  readonly status: string;
  readonly before: string;
  readonly commandSeq: number;
  readonly pane: unknown;
  readonly inFlight: unknown;
  readonly accept: unknown;
  readonly note: string;
}

/** One whose work waits for review. */
const IN_REVIEW: Former = JSON.parse(
  await readFile(new URL('fixtures/former-in-review.json', import.meta.url), 'utf8'),
);

test('given accepts under way without their commit, when 0014 comes, then the work waits for review as it was, and others may merge', async () => {
  await using old = await before0014();
  for (const step of [...WITHOUT_COMMIT, null]) await old.accepting(step);

  await migrate(old.database, { ...MIGRATIONS, through: 14 });

  const note = 'not merged: Drover was updated meanwhile; review it again';
  for (const step of WITHOUT_COMMIT) {
    const { before, after, lease } = await old.now(step);
    expect(after).toEqual({ ...before, accept: null, note });
    expect(lease).toBeNull();
  }
  const untouched = await old.now(null);
  expect(untouched.after).toEqual(untouched.before);
});

test('given accepts under way that have their commit, when 0014 comes, then each goes on to its end with that commit', async () => {
  await using old = await before0014();
  for (const step of WITH_COMMIT) await old.accepting(step);

  await migrate(old.database, { ...MIGRATIONS, through: 14 });

  for (const step of WITH_COMMIT) {
    const { id, before, after, lease } = await old.now(step);
    const bound = { reviewed: COMMIT, pin: { head: COMMIT, tree: null } };
    expect(after).toEqual({ ...before, accept: { ...Object(before.accept), ...bound } });
    expect(lease).toBe(id);
  }
  await migrate(old.database, MIGRATIONS);
  for (const step of ['close', 'recycle'] as const) {
    const story = storyOf(await old.worker(step));
    if (step !== 'recycle') story.answer({ kind: 'closed' });
    story.answer({ kind: 'recycled', base: COMMIT });
    expect(story.worker).toMatchObject({
      lifecycle: { status: 'idle' },
      merge: { accept: null },
      task: { kind: 'none' },
    });
    expect(story.records).toContainEqual({ kind: 'task', id: 't1', status: 'accepted' });
  }
});

/** Its coordinator goes on with it. */
function storyOf(worker: Worker): Story {
  const story = new Story();
  story.worker = worker;
  story.lease = 'mine';
  return story;
}

/** The worker as the build before 0014 wrote it: neither an accept nor a command names what it is about. */
function formerly(step: FormerStep | null): Former {
  if (step === null) return IN_REVIEW;
  const seq = IN_REVIEW.commandSeq + 1;
  const known = WITH_COMMIT.some((one) => one === step)
    ? { commit: COMMIT, expected: 'aaaa' }
    : { commit: null, expected: null };
  const inFlight = step === 'waiting' ? null : { seq, op: commandOf(step), since: 2, dueAt: 3, overdue: 0 };
  return {
    ...IN_REVIEW,
    pane: step === 'recycle' ? { kind: 'absent' } : IN_REVIEW.pane,
    inFlight,
    commandSeq: seq,
    accept: { step, base: 'aaaa', ...known, since: 2 },
  };
}

function commandOf(step: FormerStep): Readonly<Record<string, unknown>> {
  switch (step) {
    case 'squash':
      return { kind: step, base: 'aaaa' };
    case 'fast-forward':
      return { kind: step, expected: 'aaaa', commit: COMMIT };
    case 'recycle':
      return { kind: step, commit: COMMIT };
    default:
      return { kind: step };
  }
}

/** A database that knows no 0014 yet, and its workers of that time, each of a project of its own. */
async function before0014() {
  await using held = new AsyncDisposableStack();
  const { path } = held.use(await temporaryDirectory());
  const { connectionString: database } = held.use(await openTestDatabase({ migrations: path }));
  await query(database, 'drop table if exists schema_migration');
  await migrate(database, { ...MIGRATIONS, through: 13 });
  const machine = randomUUID();
  await query(
    database,
    `insert into machines (id, name, public_key, created_at) values ('${machine}', 'laptop', 'key', now())`,
  );
  const { db } = held.use(connect<Database>(database, { log: () => {}, maxConnections: 1 }));
  const store = createSqlStore(db, { sleep: () => Promise.resolve(), random: () => 0 });
  const written = new Map<FormerStep | null, { readonly id: string; readonly project: string }>();
  const owned = held.move();
  return {
    database,
    /** Writes a worker at a step of its merge, which holds the lease unless it waits for it; null: at none. */
    async accepting(step: FormerStep | null): Promise<void> {
      const [id, project] = [randomUUID(), randomUUID()];
      const holder = step === null || step === 'waiting' ? 'null' : `'${id}'`;
      await query(
        database,
        `insert into projects (id, name, source, root, default_branch, config, merge_worker_id, last_reviewed_id, created_at)
         values ('${project}', 'of ${step}', '/source', '/root', 'main', '{}', ${holder}, '${id}', now())`,
      );
      await query(
        database,
        `insert into workers (id, project_id, machine_id, name, options, state, status, version, created_at, updated_at)
         values ('${id}', '${project}', '${machine}', 'alba', '{}', '${JSON.stringify(formerly(step))}', 'needs_review', 3,
           now(), now())`,
      );
      written.set(step, { id, project });
    },
    /** What was written of it, and what is there now. */
    async now(step: FormerStep | null) {
      const { id = '', project = '' } = written.get(step) ?? {};
      const [row] = await query(database, `select state from workers where id = '${id}'`);
      if (row === undefined) throw new Error(`The worker at "${step}" is gone`);
      const [held] = await query(database, `select merge_worker_id as lease from projects where id = '${project}'`);
      return { id, before: formerly(step), after: row['state'], lease: held?.['lease'] };
    },
    /** The worker as the present build reads it. */
    async worker(step: FormerStep): Promise<Worker> {
      const row = await store.readWorker(written.get(step)?.id ?? '');
      return row?.state ?? expect.fail(`The worker at "${step}" is gone`);
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}
