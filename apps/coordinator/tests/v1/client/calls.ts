/** Calls each route once with success, in the types that the document promises, about the rows of `fleetOfTwo`. */
import { decideRun, DEFAULT_POLICY, newRun } from '@drover/core';
import type { Run } from '@drover/core';
import { tokenOf } from '../../../src/facts/escalations/link.ts';
import type { Scene } from '../../support/fleet-of-two.ts';
import { decided } from '../../support/scene.ts';
import { waiting } from './asked.ts';
import type { V1Client } from './client.ts';

/** A call, and its answer. */
export type Call = (api: V1Client, scene: Scene) => Promise<{ readonly response: Response }>;

const PAGE = { params: { query: { limit: 1 } } } as const;
const named = <N extends string>(name: N) => ({ path: { name } });
const question = ({ own }: Scene) => ({ path: { id: own.escalation } });
const worker = ({ own }: Scene) => named(own.worker);
const hook = named('hook');
const run = ({ own }: Scene) => ({ path: { id: own.run } });
const CHANGE = { project: 'shop', flow: 'change', inputs: { goal: 'Add a flag' } } as const;

/** Calls by method and path. A route that is not here fails the test of statuses. */
export const CALLS: Readonly<Record<string, Call>> = {
  'GET /v1/me': (api) => api.GET('/v1/me'),
  'GET /v1/workers': (api) => api.GET('/v1/workers', PAGE),
  'GET /v1/workers/{name}': (api, scene) => api.GET('/v1/workers/{name}', { params: worker(scene) }),
  'GET /v1/workers/{name}/conversation': (api, scene) =>
    api.GET('/v1/workers/{name}/conversation', { params: worker(scene) }),
  'POST /v1/workers/{name}/message': when('working', (api, scene) =>
    api.POST('/v1/workers/{name}/message', { params: worker(scene), body: { text: 'hello' } }),
  ),
  'POST /v1/workers/{name}/cancel': async (api, scene) => {
    await atTask(scene);
    return api.POST('/v1/workers/{name}/cancel', { params: worker(scene) });
  },
  'POST /v1/workers/{name}/review': (api, scene) =>
    api.POST('/v1/workers/{name}/review', { params: worker(scene), body: { stat: true } }),
  'POST /v1/workers/{name}/reject': when('needs_review', (api, scene) =>
    api.POST('/v1/workers/{name}/reject', { params: worker(scene), body: { text: 'not so' } }),
  ),
  'POST /v1/workers/{name}/accept': when('needs_review', (api, scene) =>
    api.POST('/v1/workers/{name}/accept', { params: worker(scene), body: { head: 'b'.repeat(40) } }),
  ),
  'GET /v1/projects': (api) => api.GET('/v1/projects', PAGE),
  'GET /v1/tasks': (api) => api.GET('/v1/tasks', PAGE),
  'POST /v1/tasks': when('idle', (api, { own }) =>
    api.POST('/v1/tasks', { body: { worker: own.worker, prompt: 'do it' } }),
  ),
  'GET /v1/machines': (api) => api.GET('/v1/machines', PAGE),
  'GET /v1/escalations': (api) => api.GET('/v1/escalations', PAGE),
  'GET /v1/escalations/{id}': (api, scene) => api.GET('/v1/escalations/{id}', { params: question(scene) }),
  'POST /v1/escalations/{id}/ack': (api, scene) => api.POST('/v1/escalations/{id}/ack', { params: question(scene) }),
  'POST /v1/escalations/{id}/snooze': (api, scene) =>
    api.POST('/v1/escalations/{id}/snooze', { params: question(scene), body: { forMs: 60_000 } }),
  'POST /v1/escalations/{id}/escalate': (api, scene) =>
    api.POST('/v1/escalations/{id}/escalate', { params: question(scene) }),
  'POST /v1/escalations/{id}/comment': (api, scene) =>
    api.POST('/v1/escalations/{id}/comment', { params: question(scene), body: { text: 'I look' } }),
  'POST /v1/escalations/{id}/resolve': async (api, scene) => {
    await waiting(scene);
    return api.POST('/v1/escalations/{id}/resolve', { params: question(scene), body: { option: 'retry', asked: 1 } });
  },
  'GET /v1/queue': (api) => api.GET('/v1/queue', PAGE),
  'POST /v1/queue': (api) =>
    api.POST('/v1/queue', { body: { priority: 'S2', prompt: 'look into it', project: 'shop' } }),
  'GET /v1/queue/{id}': (api, { own }) => api.GET('/v1/queue/{id}', { params: { path: { id: own.item } } }),
  'POST /v1/queue/{id}/drop': (api, { own }) => api.POST('/v1/queue/{id}/drop', { params: { path: { id: own.item } } }),
  'POST /v1/queue/{id}/retry': async (api, { own }) => {
    const params = { path: { id: own.item } };
    await api.POST('/v1/queue/{id}/drop', { params });
    return api.POST('/v1/queue/{id}/retry', { params });
  },
  'GET /v1/runs': (api) => api.GET('/v1/runs', PAGE),
  'GET /v1/runs/{id}': (api, scene) => api.GET('/v1/runs/{id}', { params: run(scene) }),
  'POST /v1/runs': (api) => api.POST('/v1/runs', { body: CHANGE }),
  'POST /v1/runs/plan': (api) => api.POST('/v1/runs/plan', { body: CHANGE }),
  'POST /v1/runs/{id}/stop': (api, scene) => api.POST('/v1/runs/{id}/stop', { params: run(scene) }),
  'POST /v1/runs/{id}/pause': (api, scene) => api.POST('/v1/runs/{id}/pause', { params: run(scene) }),
  'POST /v1/runs/{id}/resume': (api, scene) => api.POST('/v1/runs/{id}/resume', { params: run(scene) }),
  'POST /v1/runs/{id}/answer': async (api, scene) => {
    await runIs(scene, { questions: [LOST] });
    return api.POST('/v1/runs/{id}/answer', { params: run(scene), body: { option: 'stop' } });
  },
  'POST /v1/runs/{id}/review': async (api, scene) => {
    await runIs(scene, { questions: [MERGE] });
    return api.POST('/v1/runs/{id}/review', { params: run(scene), body: { stat: true } });
  },
  'POST /v1/runs/{id}/accept': async (api, scene) => {
    await asksToMerge(scene);
    return api.POST('/v1/runs/{id}/accept', { params: run(scene), body: { head: HEAD } });
  },
  'POST /v1/runs/{id}/retry': async (api, scene) => {
    await runIs(scene, { status: 'finished' });
    const text = 'inputs = { goal = "text" }\n\n[build]\nask = "{{goal}}"\n';
    return api.POST('/v1/runs/{id}/retry', { params: run(scene), body: { text } });
  },
  'GET /v1/runs/{id}/events': (api, scene) => api.GET('/v1/runs/{id}/events', { params: run(scene) }),
  'GET /v1/runs/{id}/messages': (api, scene) => api.GET('/v1/runs/{id}/messages', { params: run(scene) }),
  'GET /v1/flows/{name}': (api) => api.GET('/v1/flows/{name}', { params: named('change') }),
  'GET /v1/errors': (api) => api.GET('/v1/errors', { params: { query: { all: 'true', limit: 1 } } }),
  'GET /v1/report': (api, { own }) => api.GET('/v1/report', { params: { query: { worker: own.worker } } }),
  'GET /v1/checkpoints': (api, { own }) => api.GET('/v1/checkpoints', { params: { query: { worker: own.worker } } }),
  'POST /v1/checkpoints': (api, { own }) =>
    api.POST('/v1/checkpoints', { body: { worker: own.worker, why: 'before it goes on' } }),
  'POST /v1/checkpoints/{id}/check': (api, { own }) =>
    api.POST('/v1/checkpoints/{id}/check', { params: { path: { id: own.checkpoint } } }),
  'GET /v1/tokens': (api) => api.GET('/v1/tokens', PAGE),
  'POST /v1/tokens': (api) => api.POST('/v1/tokens', { body: { name: 'pager', role: 'responder' } }),
  'PATCH /v1/tokens/{name}': (api) =>
    api.PATCH('/v1/tokens/{name}', { params: named('viewer'), body: { expiresInMs: 60_000 } }),
  'DELETE /v1/tokens/{name}': (api) => api.DELETE('/v1/tokens/{name}', { params: named('viewer') }),
  'GET /v1/people': (api) => api.GET('/v1/people', PAGE),
  'POST /v1/people': (api) => api.POST('/v1/people', { body: { name: 'ben', role: 'responder' } }),
  'PATCH /v1/people/{name}': (api) =>
    api.PATCH('/v1/people/{name}', { params: named('ada'), body: { role: 'responder', project: 'shop' } }),
  'POST /v1/people/{name}/link': (api) => api.POST('/v1/people/{name}/link', { params: named('ada') }),
  'POST /v1/people/{name}/mail': (api) =>
    api.POST('/v1/people/{name}/mail', { params: named('ada'), body: { address: 'ada@example.com' } }),
  'DELETE /v1/people/{name}': (api) => api.DELETE('/v1/people/{name}', { params: named('ada') }),
  'GET /v1/silences': (api) => api.GET('/v1/silences', PAGE),
  'POST /v1/silences': (api, { own }) =>
    api.POST('/v1/silences', { body: { worker: own.worker, forMs: 60_000, reason: 'I look' } }),
  // Silences have the id of the question here.
  'PATCH /v1/silences/{id}': (api, scene) =>
    api.PATCH('/v1/silences/{id}', { params: question(scene), body: { forMs: 60_000, reason: 'longer' } }),
  'DELETE /v1/silences/{id}': (api, scene) => api.DELETE('/v1/silences/{id}', { params: question(scene) }),
  'GET /v1/audit': (api) => api.GET('/v1/audit', PAGE),
  'POST /v1/audit/verify': (api) => api.POST('/v1/audit/verify', { body: { kept: [] } }),
  'GET /v1/events': (api) => api.GET('/v1/events', { params: { query: { wait: 0, limit: 1 } } }),
  'GET /v1/events/stream': (api) => api.GET('/v1/events/stream', { parseAs: 'stream' }),
  'POST /v1/events/tickets': (api) => api.POST('/v1/events/tickets'),
  'GET /v1/webhook-endpoints': (api) => api.GET('/v1/webhook-endpoints', PAGE),
  'POST /v1/webhook-endpoints': (api) =>
    api.POST('/v1/webhook-endpoints', { body: { name: 'pager', url: 'https://example.com/' } }),
  'PATCH /v1/webhook-endpoints/{name}': (api) =>
    api.PATCH('/v1/webhook-endpoints/{name}', { params: hook, body: { types: ['task'], enabled: true } }),
  'DELETE /v1/webhook-endpoints/{name}': (api) => api.DELETE('/v1/webhook-endpoints/{name}', { params: hook }),
  'POST /v1/webhook-endpoints/{name}/rotate-secret': (api) =>
    api.POST('/v1/webhook-endpoints/{name}/rotate-secret', { params: hook }),
  'POST /v1/webhook-endpoints/{name}/test': (api) => api.POST('/v1/webhook-endpoints/{name}/test', { params: hook }),
  'GET /v1/webhook-endpoints/{name}/deliveries': (api) =>
    api.GET('/v1/webhook-endpoints/{name}/deliveries', { params: hook }),
  'POST /v1/webhook-endpoints/{name}/deliveries/{delivery}/replay': (api) =>
    api.POST('/v1/webhook-endpoints/{name}/deliveries/{delivery}/replay', {
      params: { path: { name: 'hook', delivery: 'deadbeef' } },
    }),
  'GET /v1/actions': async (api, scene) =>
    api.GET('/v1/actions', { params: { query: { token: await linkTo(scene) } }, parseAs: 'text' }),
  'POST /v1/actions': async (api, scene) => {
    await waiting(scene);
    return api.POST('/v1/actions', { body: { token: await linkTo(scene), option: 'retry' } });
  },
};

/** Question of a run about a part of it that is lost. */
const LOST = {
  id: 'q',
  about: 'lost',
  item: 'build',
  text: 'Go on without it?',
  options: [{ option: 'stop', text: 'Stop the run' }],
  commit: null,
  parts: null,
  report: '',
  who: 'operator',
} as const satisfies Run['questions'][number];

const HEAD = 'b'.repeat(40);

/** Question for a yes to the merge of a commit. */
export const MERGE = {
  ...LOST,
  about: 'accept',
  text: 'Merge it?',
  options: [{ option: 'accept', text: 'Merge it' }],
  commit: HEAD,
} as const;

/** Lets the run have a stage, and ask for a yes. */
async function asksToMerge(scene: Scene): Promise<void> {
  const { terms } = (await scene.store.readRun(scene.own.run))?.state ?? {};
  if (terms === undefined) throw new Error('The run is gone');
  const { budget } = terms.flow;
  const work = { role: 'developer', profile: null, ask: '{{goal}}', tries: 1, returns: 'commit', check: null } as const;
  const stages = [{ kind: 'task', name: 'build', ...work, budget } as const];
  const begun = newRun({ ...terms, flow: { ...terms.flow, stages } });
  const { run: state } = decideRun(begun, { kind: 'requested' }, { now: 1, random: 0, policy: DEFAULT_POLICY });
  await runIs(scene, { ...state, questions: [MERGE] });
}

/** Changes the state of the run. */
export async function runIs({ store, own }: Scene, patch: Partial<Run>): Promise<void> {
  await store.transaction(async (tx) => {
    const row = await tx.lockRun(own.run);
    if (row === null) throw new Error('The run is gone');
    const state = { ...row.state, ...patch };
    await tx.saveRun({ ...row, state, status: state.status });
  });
}

const BEN = '01900000-0000-7000-9000-000000000077';

/** Returns the token of a link for the question, of a person who may answer. */
export async function linkTo({ ctx, own }: Scene): Promise<string> {
  const ben = { id: BEN, name: 'ben', role: 'responder', projectId: null, createdAt: 1 } as const;
  await ctx.store.transaction((tx) => tx.insertPerson(ben));
  return tokenOf(ctx, { escalation: own.escalation, asked: 1, person: BEN });
}

/** Brings the worker into a state. */
export async function become({ ctx, store, own }: Scene, status: Status): Promise<void> {
  const row = (await store.listWorkers()).find(({ name }) => name === own.worker);
  if (row === undefined) throw new Error('The worker is gone');
  await decided(ctx, row.id, { records: [], patch: { lifecycle: { status, wanted: 'up' } } });
}

/** Puts the worker at a task. */
async function atTask(scene: Scene): Promise<void> {
  await become(scene, 'working');
  const { ctx, store, own } = scene;
  const row = (await store.listWorkers()).find(({ name }) => name === own.worker);
  const given = { id: BEN, prompt: 'do it', text: 'do it', startedAt: 1 };
  const task = { kind: 'in-hand', ...given, headBefore: null, taken: true, attempts: 0 } as const;
  if (row === undefined) throw new Error('The worker is gone');
  await ctx.store.transaction((tx) => tx.saveWorker({ ...row, state: { ...row.state, task } }, ctx.clock.now()));
}

type Status = 'idle' | 'working' | 'needs_review';

/** Makes the same call when the worker is in this state. */
function when(status: Status, call: Call): Call {
  return async (api, scene) => {
    await become(scene, status);
    return call(api, scene);
  };
}
