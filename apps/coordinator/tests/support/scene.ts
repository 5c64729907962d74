/** Builds workers, and a coordinator's use cases on a store of a test: in memory, or on Postgres. Time is the test's. */
import { newWorker } from '@drover/core';
import type { DecisionRecord, Incident, PolicyChanges, Worker, WorkerEvent } from '@drover/core';
import { connect, createSqlStore } from '@drover/store';
import type { Database, MachinePlaces, MachineSession, Store, StoreTransaction, WorkerRow } from '@drover/store';
import { createMemoryStore, MemoryDatabase, openTestDatabase, workerOptions } from '@drover/store/testing';
import type { Fault, FaultPoint } from '@drover/store/testing';
import type { AccountName } from '../../src/context/account-key.ts';
import type { Context } from '../../src/context/context.ts';
import type { About } from '../../src/loop/about.ts';
import { Changes as Collected } from '../../src/loop/changes.ts';
import { POLICY } from '../../src/facts/people/causes.ts';
import { collectRecords } from '../../src/loop/records.ts';
import { Shared } from '../../src/loop/shared.ts';
import { testContext } from '../../src/testing/context.ts';

/** Default places of the project; other projects have the same checkout, so two namesakes never meet. */
export const AT_ROOT: MachinePlaces = { workspace: '/w', roots: { p: '/r', q: '/r', other: '/r' } };

/** Opens a store on one database, as a replica of its own. */
export type OpenReplica = (fault?: (point: FaultPoint) => Fault | null) => Store;

/** A database of a test. */
export interface Stored extends AsyncDisposable {
  readonly open: OpenReplica;
}

/** Opens a database in memory. */
export function inMemory(): Promise<Stored> {
  const database = new MemoryDatabase();
  const open: OpenReplica = (fault) =>
    createMemoryStore({ database, sleep: () => Promise.resolve(), random: () => 0, ...(fault && { fault }) });
  return Promise.resolve({ open, [Symbol.asyncDispose]: () => Promise.resolve() });
}

/** Opens a real Postgres. */
export async function onPostgres(): Promise<Stored> {
  const replicas = new AsyncDisposableStack();
  const database = replicas.use(await openTestDatabase<Database>());
  const open: OpenReplica = () => {
    const connection = replicas.use(connect<Database>(database.connectionString, { log: () => {}, maxConnections: 4 }));
    return createSqlStore(connection.db, { sleep: () => Promise.resolve(), random: () => 0 });
  };
  return { open, [Symbol.asyncDispose]: () => replicas.disposeAsync() };
}

/** Clock and ids of a test. Ids sort in the order of their making. */
export class Nature {
  now = 1_000_000;
  #ids = 0;

  uuid(): string {
    this.#ids += 1;
    return `01900000-0000-7000-9000-${String(this.#ids).padStart(12, '0')}`;
  }
}

/** Builds the context of one replica. */
export function contextOf(
  store: Store,
  nature: Nature,
  accountOf: (profile: string) => AccountName = (profile) => ({ program: profile, account: null }),
): Context {
  return testContext({
    store,
    clock: { now: () => nature.now, after: () => () => {} },
    ids: { uuid: () => nature.uuid(), secret: () => 'secret' },
    log: (level, message, fields) => {
      if (level === 'error') throw new Error(`${message} ${JSON.stringify(fields)}`);
    },
    accountOf,
  });
}

/** Builds a project, a machine, and workers `w0`, `w1`, … on it. */
export async function withWorkers({ store, ids }: Context, names: readonly string[]): Promise<readonly WorkerRow[]> {
  const config = { copyFiles: [], validate: [], validateTimeoutMs: 1, runHooks: false, preamble: '' };
  const id = ids.uuid();
  const project = { id, name: 'shop', source: '/s', root: '/r', defaultBranch: 'main', config };
  await store.upsertProject(project, 1);
  await store.createJoinToken({ sha256: 't', expiresAt: 10, now: 1 });
  const joined = await store.joinMachine({ id: ids.uuid(), name: 'laptop', publicKey: 'k', tokenSha256: 't', now: 1 });
  if (joined.kind !== 'joined') throw new Error(`The machine did not join: ${joined.kind}`);
  const { machineId } = joined;
  const rows = names.map((name) => ({
    id: ids.uuid(),
    projectId: id,
    machineId,
    name,
    options: OPTIONS,
    state: newWorker(),
    createdAt: 1,
  }));
  await store.transaction(async (tx) => {
    for (const row of rows) await tx.insertWorker(row);
  });
  return store.listWorkers();
}

/** Returns the session of a worker's machine that joined and has not said hello. */
export function neverHeard({ machineId }: WorkerRow): MachineSession {
  return { machineId, epoch: 0, agentEpoch: null };
}

/** Says the first hello of a worker's machine, from a buffer. */
export async function sayHello({ store, clock }: Context, { machineId }: WorkerRow, agentEpoch: string): Promise<void> {
  const now = clock.now();
  const { epoch = 0, publicKey = '' } = (await store.readMachine(machineId)) ?? {};
  const shown = { epoch, publicKey, rotated: false, dialledUrl: 'http://127.0.0.1:1' };
  const token = { accessTokenSha256: machineId, accessTokenExpiresAt: now + 1 };
  const places = { workspace: '/home/m/drover', roots: { shop: '/r' } };
  const said = { agentEpoch, version: '0', facts: {}, places };
  const greeted = await store.hello({ machineId, ...shown, ...said, now, ...token });
  if (greeted === null) throw new Error('The machine said no hello');
}

/** Changes the policy of the project, as `[policy]` of its file does. */
export async function withPolicy({ store }: Context, changes: PolicyChanges): Promise<void> {
  const [project] = await store.listProjects();
  if (project === undefined) throw new Error('There is no project');
  const config = { ...project.config, policy: { project: changes, workers: {} } };
  await store.upsertProject({ ...project, config }, 2);
}

const OPTIONS = workerOptions({ profile: 'claude' });

/** Changes of a test to a worker: the named fields of a slice; its task in hand, and its account, whole. */
export interface Changes extends Partial<Pick<Worker, 'task' | 'account'>> {
  readonly lifecycle?: Partial<Worker['lifecycle']>;
  readonly incident?: Partial<Worker['incident']>;
  readonly session?: Partial<Worker['session']>;
}

/** Applies the changes to a worker, and keeps the rest. */
export function changed(worker: Worker, { lifecycle, incident, session, ...whole }: Changes): Worker {
  return {
    ...worker,
    ...whole,
    lifecycle: { ...worker.lifecycle, ...lifecycle },
    incident: { ...worker.incident, ...incident },
    session: { ...worker.session, ...session },
  };
}

/** Result of a test's decision. */
export interface Decided {
  readonly records: readonly DecisionRecord[];
  readonly patch?: Changes;
  readonly event?: WorkerEvent;
  /** Id of an incident that this decision opened. */
  readonly fresh?: string;
}

/** Saves a decision as the coordinator does, in one transaction. */
export async function decided(
  ctx: Context,
  workerId: string,
  { records, patch = {}, event = { kind: 'default-branch-moved' }, fresh = ctx.ids.uuid() }: Decided,
): Promise<void> {
  await ctx.store.transaction(async (tx) => {
    const row = await tx.lockWorker(workerId);
    if (row === null) throw new Error(`There is no worker ${workerId}`);
    const after = changed(row.state, patch);
    await tx.saveWorker({ ...row, state: after }, ctx.clock.now());
    await recorded(ctx, tx, { row, after, event, records, fresh });
  });
}

/** Saves the records of a decision whose worker is saved already. */
export async function recorded(
  ctx: Context,
  tx: StoreTransaction,
  decision: Pick<About, 'row' | 'after' | 'event' | 'records' | 'fresh'>,
): Promise<void> {
  const { projectId, machineId } = decision.row;
  const [project, machine] = [await tx.readProject(projectId), await tx.readMachine(machineId)];
  if (project === null) throw new Error('There is no project');
  const [changes, shared] = [new Collected(tx), new Shared(tx)];
  const about = { ...decision, by: POLICY, project, machine, now: ctx.clock.now(), changes, callable: shared.callable };
  await collectRecords({ ctx, tx, shared }, about);
  await changes.save();
}

/** Builds an incident as a worker has it. */
export function incidentOf(id: string, patch: Partial<Incident> = {}) {
  return {
    ...BLANK_INCIDENT,
    id,
    ...patch,
  };
}

const BLANK_INCIDENT: Incident = {
  id: '',
  code: 'AGENT_CRASHED',
  openedAt: 1_000_000,
  level: 1,
  attempts: 0,
  tried: [],
  lastAttemptAt: 1_000_000,
  escalated: false,
  options: [],
  why: 'it crashed',
  action: '',
  before: 'working',
  held: [],
};

/** Question to a person at level 4. */
export const QUESTION = {
  kind: 'choice',
  title: 'its agent crashed 3 times',
  body: 'It was started again twice.',
  options: [
    { id: 'retry', label: 'Try again', needsText: false },
    { id: 'retry-with-changes', label: 'Try again with my instructions', needsText: true },
  ],
} as const;

/** Builds the record that asks a person. */
export function asks(incident: string, code: 'AGENT_CRASHED' | 'MACHINE_LOST' | 'USAGE_LIMIT' = 'AGENT_CRASHED') {
  return { kind: 'escalated', incident, code, why: QUESTION.title, question: QUESTION } as const;
}

/** Builds the record of an error. */
export function failed(incident: string | null, message: string) {
  return {
    kind: 'error',
    incident,
    code: 'AGENT_CRASHED',
    message,
    details: 'exit 3',
    component: 'policy',
    context: { exitStatus: 3 },
    retryCount: 1,
    strategy: 'restart',
    durationMs: 250,
  } as const;
}
