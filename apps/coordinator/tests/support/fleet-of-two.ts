/**
 * Builds two projects with a worker each, and tokens of all kinds, behind the routes of a coordinator: on a store in memory, without a
 * socket.
 */
import { randomUUID } from 'node:crypto';
import { ROUTES } from '@drover/api';
import type { RouteName } from '@drover/api';
import type { ApiToken, Store } from '@drover/store';
import {
  checkpoint,
  runRow,
  createMemoryStore,
  error,
  escalation,
  MemoryDatabase,
  queueItem,
  webhookDelivery,
  webhookEndpoint,
} from '@drover/store/testing';
import type { Hono } from 'hono';
import { sha256 } from '../../src/context/sha256.ts';
import { Waiters } from '../../src/context/waiters.ts';
import { createApp } from '../../src/http/app.ts';
import type { Context } from '../../src/context/context.ts';
import { createFleet } from '../../src/start/fleet.ts';
import type { Target } from '../people/route-samples.ts';
import { BUNDLE } from './bundle.ts';
import { contextOf, Nature, withWorkers } from './scene.ts';

/** Id of the person "ada". */
export const ADA = '01900000-0000-7000-9000-000000000099';

export const PEOPLE = ['viewer', 'responder', 'operator', 'admin'] as const;

/** Callers of every kind. `+fleet`: with a token that reaches all projects. */
export const CALLERS = [
  'none',
  'machine',
  'worker',
  ...PEOPLE,
  ...PEOPLE.map((role) => `${role}+fleet` as const),
] as const;
export type Caller = (typeof CALLERS)[number];

/** A call on the wire. A string body is sent unchanged, any other as JSON. */
export interface Sent {
  readonly method: string;
  /** A bot's token serves channels alone. */
  readonly caller: Caller | 'bot';
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Scene {
  readonly own: Target;
  readonly other: Target;
  call(
    name: RouteName,
    how: { readonly caller: Caller; readonly input: unknown },
  ): Promise<{ readonly status: number; readonly text: string; readonly data: unknown }>;
  ask(method: string, path: string, caller: Caller): Promise<{ readonly status: number }>;
  send(path: string, sent: Sent): Promise<Response>;
  readonly store: Store;
  readonly ctx: Context;
  readonly app: Hono;
  readonly commands: Waiters;
  /** Cuts the coordinator off from its database. */
  loseDatabase(): void;
}

/** Builds two projects with a worker each, and tokens of all kinds. Time passes as soon as a caller waits. */
export async function fleetOfTwo(): Promise<Scene> {
  const database = new MemoryDatabase();
  const store = createMemoryStore({ database, sleep: () => Promise.resolve(), random: () => 0 });
  const nature = new Nature();
  let isLost = false;
  const whole = contextOf(store, nature);
  const ctx: Context = {
    ...whole,
    store: losable(store, () => isLost),
    // An error in the log fails a test that did not ask for one.
    log: (...said) => (isLost ? undefined : whole.log(...said)),
    clock: {
      now: () => nature.now,
      after: (ms: number, run: () => void) => {
        nature.now += ms;
        queueMicrotask(run);
        return () => {};
      },
    },
  };
  const [first] = await withWorkers(ctx, ['inside']);
  if (first === undefined) throw new Error('no worker');
  const [shop] = await store.listProjects();
  const project = { ...shop, id: nature.uuid(), name: 'yard', root: '/y' } as Parameters<Store['upsertProject']>[0];
  await store.upsertProject(project, 1);
  await store.createJoinToken({ sha256: 'u', expiresAt: 10, now: 1 });
  const joined = await store.joinMachine({
    id: nature.uuid(),
    name: 'm-outside',
    publicKey: 'l',
    tokenSha256: 'u',
    now: 1,
  });
  await store.transaction((tx) =>
    tx.insertPerson({
      id: ADA,
      name: 'ada',
      role: 'viewer',
      projectId: null,
      createdAt: 1,
    }),
  );
  if (joined.kind !== 'joined') throw new Error(joined.kind);
  const { version: _version, updatedAt: _updated, ...blank } = first;
  const second = { ...blank, id: nature.uuid(), name: 'outside', projectId: project.id, machineId: joined.machineId };
  await store.transaction((tx) => tx.insertWorker(second));
  const own = { ...(await furnish(store, first.id)), project: shop?.name ?? '' };
  const other = { ...(await furnish(store, second.id)), project: project.name };
  await issue(store, { worker: first.id, project: first.projectId, now: nature.now });
  await store.transaction((tx) => tx.putProfile('mine', { document: {}, staged: null, former: null }, 1));
  await addHook(store);
  const commands = new Waiters();
  const app = createApp({
    ctx,
    fleet: createFleet(ctx, {
      info: { version: '0', project: 'shop', root: '/r', pid: 1, startedAt: 1 },
      events: new Waiters(),
      commands,
      defaults: () => ({ ...first.options, profiles: ['claude'] }),
      stop: null,
    }),
    commands,
    vouch: () => {},
    metricsPage: () => Promise.resolve('metrics'),
    dashboardDir: null,
    stopping: new AbortController().signal,
    tick: () => Promise.resolve(0),
    tickSecret: 'secret-of-the-scheduler-and-more',
    doDueWork: null,
  });
  return {
    own,
    other,
    store,
    ctx,
    app,
    commands,
    loseDatabase: () => {
      isLost = true;
    },
    send: (path, sent) => ask(app, path, sent),
    ask: (method, path, caller) => ask(app, path, { method, caller }),
    call: async (name, { caller, input }) => {
      const isQuery = ROUTES[name].kind === 'query';
      const query = isQuery && input !== undefined ? `?input=${encodeURIComponent(JSON.stringify(input))}` : '';
      const method = isQuery ? 'GET' : 'POST';
      const response = await ask(app, `/trpc/${name}${query}`, { method, caller, body: isQuery ? undefined : input });
      const text = await response.text();
      const answer = JSON.parse(text) as { result?: { data?: unknown } };
      return { status: response.status, text, data: answer.result?.data };
    },
  };
}

/** Builds a scene at the first call alone, for calls that change nothing: most of what a call takes is the making of its scene. */
export function once(build: () => Promise<Scene>): () => Promise<Scene> {
  let built: Promise<Scene> | undefined;
  return () => (built ??= build());
}

/** Wraps the store until it is lost: then every call fails. */
function losable(store: Store, isLost: () => boolean): Store {
  return new Proxy(store, {
    get: (target, name, receiver) =>
      isLost() ? () => Promise.reject(new Error('The database is gone')) : Reflect.get(target, name, receiver),
  });
}

function ask(app: Hono, path: string, { method, caller, body = {}, headers: more = {} }: Sent): Promise<Response> {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const headers = {
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(text)),
    ...(caller === 'none' ? {} : bearer(caller)),
    ...more,
  };
  const hasBody = method !== 'GET' && method !== 'HEAD' && method !== 'DELETE';
  const init = hasBody ? { method, headers, body: text } : { method, headers };
  const elsewhere = { incoming: { socket: { remoteAddress: '203.0.113.9' } } };
  return Promise.resolve(app.request(`http://drover.example${path}`, init, elsewhere));
}

function bearer(caller: Caller | 'bot'): { authorization: string } {
  return { authorization: `Bearer ${secretOf(caller)}` };
}

function secretOf(caller: string): string {
  return `secret-of-${caller.replace('+', '-')}-and-more`.padEnd(30, '-');
}

/** Adds a webhook of the fleet, and a message to it. */
async function addHook(store: Store): Promise<void> {
  const endpoint = webhookEndpoint({ id: '01900000-0000-7000-9000-0000000000aa', types: [] });
  const told = { id: '01900000-0000-7000-9000-0000deadbeef', state: 'delivered', tries: 1 } as const;
  const delivery = webhookDelivery(endpoint, { ...told, body: { type: 'webhook.test' } });
  await store.transaction(async (tx) => {
    await tx.insertWebhookEndpoint(endpoint);
    await tx.insertWebhookDeliveries([delivery]);
  });
}

/** Adds a row of each kind that belongs to the worker. */
async function furnish(store: Store, id: string): Promise<Omit<Target, 'project'>> {
  const row = await store.readWorker(id);
  if (row === null) throw new Error('no worker');
  const rows = {
    escalation: escalation(row, { context: { ...BUNDLE } }),
    item: queueItem(row),
    checkpoint: checkpoint(row, { commit: null }),
    error: error(row),
    run: runRow(row),
  };
  await store.transaction(async (tx) => {
    await tx.openEscalation(rows.escalation);
    await tx.insertQueueItem(rows.item);
    await tx.insertCheckpoint(rows.checkpoint);
    await tx.insertErrors([rows.error]);
    await tx.keepFlow({ digest: rows.run.flow, name: 'change', text: '', createdAt: 1 });
    await tx.insertRun(rows.run);
    // The silence has the id of the question.
    await tx.insertSilence({
      id: rows.escalation.id,
      projectId: row.projectId,
      worker: row.name,
      machine: null,
      code: null,
      reason: 'I look',
      until: 9_000_000_000_000,
      actor: { kind: 'person', id: 'x', name: 'ann' },
      createdAt: 1,
    });
  });
  const { escalation: asked, item, checkpoint: kept, error: failed, run } = rows;
  return { worker: row.name, escalation: asked.id, item: item.id, checkpoint: kept.id, error: failed.id, run: run.id };
}

async function issue(store: Store, own: { worker: string; project: string; now: number }): Promise<void> {
  const token = (caller: Caller | 'bot', patch: Partial<ApiToken>) =>
    store.createApiToken(
      {
        id: randomUUID(),
        name: caller,
        role: 'viewer',
        projectId: own.project,
        workerId: null,
        expiresAt: null,
        sha256: sha256(secretOf(caller)),
        ...patch,
      },
      1,
    );
  for (const role of PEOPLE) {
    await token(role, { role });
    await token(`${role}+fleet`, { role, projectId: null });
  }
  await token('bot', { role: 'responder', projectId: null, channels: ['telegram'] });
  await store.transaction((tx) =>
    tx.issueWorkerToken(
      {
        id: randomUUID(),
        name: 'inside',
        workerId: own.worker,
        projectId: own.project,
        sha256: sha256(secretOf('worker')),
      },
      1,
    ),
  );
  const [machine] = await store.listMachines();
  await store.hello({
    machineId: machine?.id ?? '',
    epoch: machine?.epoch ?? 0,
    publicKey: machine?.publicKey ?? '',
    rotated: false,
    dialledUrl: 'http://127.0.0.1:1',
    agentEpoch: randomUUID(),
    version: '0',
    facts: {},
    places: { workspace: '/w', roots: {} },
    accessTokenSha256: sha256(secretOf('machine')),
    accessTokenExpiresAt: own.now + 1_000_000_000,
    now: own.now,
  });
}
