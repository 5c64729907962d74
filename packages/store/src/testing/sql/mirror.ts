// Mirrors what is committed in a real database in the tables in memory that a simulation reads.
import { sql } from 'kysely';
import type { Kysely, RawBuilder } from 'kysely';
import type { CommandRecord, DueRecord, EventRecord, MemoryDatabase } from '../memory/engine/database.ts';
import type { Database } from '../../tables/database.ts';
import type { EscalationResponse } from '../../port/escalations.ts';
import type { Store } from '../../port/store.ts';

/** Limit above the rows that a schedule makes. */
const ALL = 100_000;
/** Ids of history are given before a transaction commits: some below the last that was seen may come later. */
const LATE_IDS = 200;

type Refresh = (from: Source, into: MemoryDatabase) => Promise<void>;
interface Source {
  readonly db: Kysely<Database>;
  readonly store: Store;
}

/** Refreshes of the tables that a simulation reads. */
export const MIRRORED: Readonly<Record<string, Refresh>> = {
  workers: async ({ store }, { workers }) => {
    const rows = await store.listWorkers();
    const before = new Map(workers);
    workers.clear();
    // A row that did not change stays the same value.
    for (const row of rows) {
      const known = before.get(row.id);
      workers.set(row.id, known?.version === row.version ? known : row);
    }
  },
  projects: async ({ store }, { projects }) => replace(projects, await store.listProjects(), ({ id }) => id),
  machines: async ({ store }, { machines }) => replace(machines, await store.listMachines(), ({ id }) => id),
  policies: async ({ store }, { policies }) => replace(policies, await store.listPolicies(), ({ version }) => version),
  checkpoints: async ({ store }, { checkpoints }) =>
    replace(checkpoints, await store.listCheckpoints({ limit: ALL }), ({ id }) => id),
  escalations: async ({ store }, { escalations }) =>
    replace(escalations, await store.listEscalations({ limit: ALL }), ({ id }) => id),
  escalation_responses: async ({ db }, { responses }) => {
    const rows = await read<EscalationResponse>(
      db,
      sql`select request_id as "requestId", escalation_id as "escalationId", kind, asked, option, text, until, actor, reply, at
        from escalation_responses order by request_id`,
    );
    replace(responses, rows, ({ requestId }) => requestId);
  },
  queue_items: async ({ store }, { queueItems }) =>
    replace(queueItems, await store.listQueueItems({ limit: ALL }), ({ id }) => id),
  runs: async ({ store }, { runs }) => replace(runs, await store.listRuns({ limit: ALL }), ({ id }) => id),
  run_events: async ({ db }, { runEvents }) => {
    const rows = await db.selectFrom('runEvents').selectAll().orderBy('runId').orderBy('seq').execute();
    replace(runEvents, rows, ({ runId, seq }) => `${runId} ${seq}`);
  },
  run_messages: async ({ db }, { runMessages }) =>
    replace(runMessages, await db.selectFrom('runMessages').selectAll().orderBy('id').execute(), ({ id }) => id),
  usage: async ({ db }, { usage }) => {
    const rows = await db.selectFrom('usage').selectAll().orderBy('taskId').orderBy('workerId').execute();
    replace(usage, rows, ({ taskId, workerId, since, day }) => `${taskId} ${workerId} ${since} ${day}`);
  },
  due_work: async ({ db }, { dueWork }) => {
    const rows = await read<
      Omit<DueRecord, 'workerId' | 'projectId'> & {
        readonly workerId: string | null;
        readonly projectId: string | null;
      }
    >(
      db,
      sql`select kind, key, worker_id as "workerId", project_id as "projectId", due_at as "dueAt", payload, lease_until as "leaseUntil", attempts as tries, problem
        from due_work order by kind, key`,
    );
    const own = rows.map(({ workerId, projectId, ...row }) => ({
      ...row,
      ...(workerId !== null && { workerId }),
      ...(projectId !== null && { projectId }),
    }));
    replace(dueWork, own, ({ kind, key }) => `${kind} ${key}`);
  },
  commands: async ({ db }, { outbox }) => {
    const rows = await read<CommandRecord>(
      db,
      sql`select id, machine_id as "machineId", worker_id as "workerId", body, settings, timeout_ms as "timeoutMs", state,
        sent_epoch as "sentEpoch", result, created_at as "madeAt", finished_at as "finishedAt"
        from commands where state in ('pending', 'sent', 'received') order by id`,
    );
    replace(outbox, rows, ({ id }) => id);
  },
  events: async ({ db }, { events }) => {
    const last = Math.max(0, ...events.keys());
    const rows = await read<EventRecord>(
      db,
      sql`select id, worker_id as "workerId", worker_name as "workerName", at, request_id as "requestId", event, rules,
        records, reply, status_before as "statusBefore", status_after as "statusAfter", policy, quiet as "isQuiet",
        jsonb_build_object('facts', facts, 'policy', policy, 'outcome', outcome, 'before', state_before) as decided
        from events where id > ${last - LATE_IDS} order by id`,
    );
    for (const row of rows) if (!events.has(row.id)) events.set(row.id, row);
  },
};

function replace<K, V>(table: Map<K, V>, rows: readonly V[], keyOf: (row: V) => K): void {
  table.clear();
  for (const row of rows) table.set(keyOf(row), row);
}

async function read<Row>(db: Kysely<Database>, query: RawBuilder<unknown>): Promise<readonly Row[]> {
  return (await query.execute(db)).rows as readonly Row[];
}
