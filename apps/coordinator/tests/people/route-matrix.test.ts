/**
 * Who may call what: every route of the table, without a token, as a machine, as a worker, and in each role of a person with a token of
 * one project and of all, about their own project and another one. On a store in memory, without a socket.
 */
import { randomUUID } from 'node:crypto';
import { HTTP_ROUTES, ROUTES } from '@drover/api';
import type { Role, Route, RouteName } from '@drover/api';
import type { ApiToken, Store } from '@drover/store';
import { checkpoint, createMemoryStore, escalation, MemoryDatabase, queueItem } from '@drover/store/testing';
import type { Hono } from 'hono';
import { describe, expect, test } from 'vitest';
import { sha256 } from '../../src/agent/enrol.ts';
import { Waiters } from '../../src/agent/waiters.ts';
import { createApp } from '../../src/http/app.ts';
import { createFleet } from '../../src/use-cases/fleet.ts';
import { contextOf, Nature, withWorkers } from '../support/scene.ts';
import { SAMPLES } from './route-samples.ts';
import type { Sample, Target } from './route-samples.ts';

const PEOPLE = ['viewer', 'responder', 'operator', 'admin'] as const;
const RANK: readonly Role[] = PEOPLE;

/** Everybody who may knock. `+fleet`: with a token that reaches all projects. */
const CALLERS = ['none', 'machine', 'worker', ...PEOPLE, ...PEOPLE.map((role) => `${role}+fleet` as const)] as const;
type Caller = (typeof CALLERS)[number];

describe.each(Object.entries(ROUTES) as [RouteName, Route][])('%s', (name, route) => {
  const sample = SAMPLES[name];

  test.each(CALLERS)('as %s, about the own project and another', async (caller) => {
    for (const project of ['own', 'other'] as const) {
      const scene = await fleetOfTwo();
      const { status, text, data } = await scene.call(name, { caller, input: sample.input?.(scene[project]) });
      expect({ project, status: statusOf(status) }).toEqual({
        project,
        status: expected(caller, { route, sample, project }),
      });
      if (status !== 200 || caller.endsWith('+fleet')) continue;
      // No answer holds anything of the other project.
      expect(text).not.toContain(scene.other.worker);
      if (sample.foreign === 'not-listed' && project === 'own' && LISTS.has(name)) expect(data).not.toEqual([]);
    }
  });
});

/** Lists that hold something of the own project here. */
const LISTS: ReadonlySet<RouteName> = new Set([
  'workers.list',
  'queue.list',
  'escalations.list',
  'checkpoints.list',
  'machines.list',
  'fleet.up',
]);

type Status = 'unauthorized' | 'forbidden' | 'not-found' | 'served' | 'failed';

/** What the table says of this call. */
function expected(
  caller: Caller,
  { route, sample, project }: { route: Route; sample: Sample; project: 'own' | 'other' },
): Status {
  if (caller === 'none' || caller === 'machine') return 'unauthorized';
  const foreign = project === 'other' && sample.foreign === 'not-found' ? 'not-found' : 'served';
  if (caller === 'worker') return route.scope === 'worker' ? foreign : 'forbidden';
  const [role = '', isFleet] = caller.split('+');
  if (RANK.indexOf(role as Role) < RANK.indexOf(route.role)) return 'forbidden';
  if (isFleet !== undefined) return 'served';
  return route.scope === 'fleet' ? 'forbidden' : foreign;
}

/** A refusal for another reason than who asks is an answer too: the use case was reached. */
function statusOf(status: number): Status {
  switch (status) {
    case 401:
      return 'unauthorized';
    case 403:
      return 'forbidden';
    case 404:
      return 'not-found';
    default:
      return status < 500 ? 'served' : 'failed';
  }
}

const HTTP = Object.entries(HTTP_ROUTES).filter(([route]) => !route.startsWith('WS ') && !route.startsWith('ALL '));

describe.each(HTTP)('%s for %s', (route, who) => {
  test.each(CALLERS)('as %s', async (caller) => {
    const scene = await fleetOfTwo();
    const [method = 'GET', path = '/'] = route.split(' ');
    const { status } = await scene.ask(method, path, caller);
    if (who === 'bot') {
      expect(status).toBe(caller === 'none' || caller === 'machine' ? 401 : 403);
      return;
    }
    const mayAsk =
      who === 'anybody' ||
      who === 'proof' ||
      (who === 'machine' && caller === 'machine') ||
      (who === 'viewer-or-local' && caller.endsWith('+fleet'));
    // What proves itself is read first: an empty body proves nothing.
    expect(status === 401).toBe(!mayAsk);
  });
});

interface Scene {
  readonly own: Target;
  readonly other: Target;
  call(
    name: RouteName,
    how: { readonly caller: Caller; readonly input: unknown },
  ): Promise<{ readonly status: number; readonly text: string; readonly data: unknown }>;
  ask(method: string, path: string, caller: Caller): Promise<{ readonly status: number }>;
}

/** Two projects with a worker each, and tokens of all kinds. Time passes as soon as a caller waits. */
async function fleetOfTwo(): Promise<Scene> {
  const database = new MemoryDatabase();
  const store = createMemoryStore({ database, sleep: () => Promise.resolve(), random: () => 0 });
  const nature = new Nature();
  const ctx = {
    ...contextOf(store, nature),
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
      id: '01900000-0000-7000-9000-000000000099',
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
  const [own, other] = [await furnish(store, first.id), await furnish(store, second.id)];
  await issue(store, { worker: first.id, project: first.projectId, now: nature.now });
  await store.transaction((tx) => tx.putProfile('mine', {}, 1));
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
    stopping: new AbortController().signal,
  });
  return {
    own,
    other,
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

function ask(
  app: Hono,
  path: string,
  { method, caller, body }: { method: string; caller: Caller; body?: unknown },
): Promise<Response> {
  const headers = { 'content-type': 'application/json', ...(caller === 'none' ? {} : bearer(caller)) };
  const init = method === 'POST' ? { method, headers, body: JSON.stringify(body ?? {}) } : { method, headers };
  const elsewhere = { incoming: { socket: { remoteAddress: '203.0.113.9' } } };
  return Promise.resolve(app.request(`http://drover.example${path}`, init, elsewhere));
}

function bearer(caller: Caller): { authorization: string } {
  return { authorization: `Bearer ${secretOf(caller)}` };
}

function secretOf(caller: string): string {
  return `secret-of-${caller.replace('+', '-')}-and-more`.padEnd(30, '-');
}

/** Something of each kind that belongs to the worker. */
async function furnish(store: Store, id: string): Promise<Target> {
  const row = await store.readWorker(id);
  if (row === null) throw new Error('no worker');
  const rows = { escalation: escalation(row), item: queueItem(row), checkpoint: checkpoint(row, { commit: null }) };
  await store.transaction(async (tx) => {
    await tx.openEscalation(rows.escalation);
    await tx.insertQueueItem(rows.item);
    await tx.insertCheckpoint(rows.checkpoint);
  });
  const { escalation: asked, item, checkpoint: kept } = rows;
  return { worker: row.name, escalation: asked.id, item: item.id, checkpoint: kept.id };
}

async function issue(store: Store, own: { worker: string; project: string; now: number }): Promise<void> {
  const token = (caller: Caller, patch: Partial<ApiToken>) =>
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
    accessTokenSha256: sha256(secretOf('machine')),
    accessTokenExpiresAt: own.now + 1_000_000_000,
    now: own.now,
  });
}
