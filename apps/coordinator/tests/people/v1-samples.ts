/** Samples by which the test of all callers calls each route of the public API, with the answer to a caller of another project. */
import type { Sample, Target } from './route-samples.ts';

/** Path with its parameters and its query; absent: as in the table. */
interface V1Sample {
  readonly path?: (target: Target) => string;
  readonly body?: (target: Target) => unknown;
  readonly foreign: Sample['foreign'];
}

const ofWorker = (verb: string, body: object): V1Sample => ({
  path: ({ worker }) => `/v1/workers/${worker}/${verb}`,
  body: () => body,
  foreign: 'not-found',
});

const ofRun = (verb: string, body?: object): V1Sample => ({
  path: ({ run }) => `/v1/runs/${run}${verb}`,
  ...(body !== undefined && { body: () => body }),
  foreign: 'not-found',
});

/** Calls of every route. */
export const V1_SAMPLES: Readonly<Record<string, V1Sample>> = {
  'GET /v1/me': { foreign: 'nothing-of-anybody' },
  'GET /v1/workers': { foreign: 'not-listed' },
  'POST /v1/workers/{name}/message': ofWorker('message', { text: 'x' }),
  'POST /v1/workers/{name}/cancel': ofWorker('cancel', {}),
  'POST /v1/workers/{name}/review': ofWorker('review', {}),
  'POST /v1/workers/{name}/reject': ofWorker('reject', { text: 'x' }),
  'POST /v1/workers/{name}/accept': ofWorker('accept', { head: '1a2b3c4d' }),
  'POST /v1/tasks': { body: ({ worker }) => ({ worker, prompt: 'x' }), foreign: 'not-found' },
  'GET /v1/events': { path: () => '/v1/events?wait=0&after=0', foreign: 'not-listed' },
  'GET /v1/events/stream': { path: () => '/v1/events/stream?after=0', foreign: 'not-listed' },
  'POST /v1/events/tickets': { foreign: 'nothing-of-anybody' },
  'GET /v1/webhook-endpoints': { foreign: 'nothing-of-anybody' },
  'POST /v1/webhook-endpoints': {
    body: () => ({ name: 'pager', url: 'https://example.com/' }),
    foreign: 'nothing-of-anybody',
  },
  'PATCH /v1/webhook-endpoints/{name}': {
    path: () => '/v1/webhook-endpoints/hook',
    body: () => ({ enabled: false }),
    foreign: 'nothing-of-anybody',
  },
  'DELETE /v1/webhook-endpoints/{name}': { path: () => '/v1/webhook-endpoints/hook', foreign: 'nothing-of-anybody' },
  'POST /v1/webhook-endpoints/{name}/rotate-secret': {
    path: () => '/v1/webhook-endpoints/hook/rotate-secret',
    foreign: 'nothing-of-anybody',
  },
  'POST /v1/webhook-endpoints/{name}/test': {
    path: () => '/v1/webhook-endpoints/hook/test',
    foreign: 'nothing-of-anybody',
  },
  'GET /v1/webhook-endpoints/{name}/deliveries': {
    path: () => '/v1/webhook-endpoints/hook/deliveries',
    foreign: 'nothing-of-anybody',
  },
  'POST /v1/webhook-endpoints/{name}/deliveries/{delivery}/replay': {
    path: () => '/v1/webhook-endpoints/hook/deliveries/deadbeef/replay',
    foreign: 'nothing-of-anybody',
  },
  'GET /v1/workers/{name}/conversation': {
    path: ({ worker }) => `/v1/workers/${worker}/conversation`,
    foreign: 'not-found',
  },
  'GET /v1/workers/{name}': { path: ({ worker }) => `/v1/workers/${worker}`, foreign: 'not-found' },
  'GET /v1/projects': { foreign: 'not-listed' },
  'GET /v1/tasks': { foreign: 'not-listed' },
  'POST /v1/runs': { body: () => ({ flow: 'change', inputs: {} }), foreign: 'nothing-of-anybody' },
  'POST /v1/runs/plan': { body: () => ({ flow: 'change', inputs: {} }), foreign: 'nothing-of-anybody' },
  'GET /v1/runs': { foreign: 'not-listed' },
  'GET /v1/runs/{id}': ofRun(''),
  'POST /v1/runs/{id}/stop': ofRun('/stop'),
  'POST /v1/runs/{id}/pause': ofRun('/pause'),
  'POST /v1/runs/{id}/resume': ofRun('/resume'),
  'POST /v1/runs/{id}/answer': ofRun('/answer', { option: 'start' }),
  'POST /v1/runs/{id}/review': ofRun('/review', {}),
  'POST /v1/runs/{id}/accept': ofRun('/accept', { head: 'a'.repeat(40) }),
  'POST /v1/runs/{id}/retry': ofRun('/retry', {}),
  'GET /v1/runs/{id}/events': ofRun('/events'),
  'GET /v1/runs/{id}/messages': ofRun('/messages'),
  'GET /v1/flows/{name}': { path: () => '/v1/flows/change', foreign: 'nothing-of-anybody' },
  'GET /v1/queue': { path: () => '/v1/queue?all=true', foreign: 'not-listed' },
  'POST /v1/queue': { body: () => ({ priority: 'S3', prompt: 'x' }), foreign: 'nothing-of-anybody' },
  'GET /v1/queue/{id}': { path: ({ item }) => `/v1/queue/${item}`, foreign: 'not-found' },
  'POST /v1/queue/{id}/drop': { path: ({ item }) => `/v1/queue/${item}/drop`, foreign: 'not-found' },
  'POST /v1/queue/{id}/retry': { path: ({ item }) => `/v1/queue/${item}/retry`, foreign: 'not-found' },
  'GET /v1/errors': { path: () => '/v1/errors?all=true', foreign: 'not-listed' },
  'GET /v1/report': { path: ({ worker }) => `/v1/report?worker=${worker}`, foreign: 'not-found' },
  'GET /v1/checkpoints': { foreign: 'not-listed' },
  'POST /v1/checkpoints': { body: ({ worker }) => ({ worker }), foreign: 'not-found' },
  'POST /v1/checkpoints/{id}/check': {
    path: ({ checkpoint }) => `/v1/checkpoints/${checkpoint}/check`,
    foreign: 'not-found',
  },
  'GET /v1/tokens': { foreign: 'not-listed' },
  'POST /v1/tokens': { body: () => ({ name: 'new', role: 'viewer' }), foreign: 'nothing-of-anybody' },
  'PATCH /v1/tokens/{name}': {
    path: () => '/v1/tokens/viewer',
    body: () => ({ expiresInMs: 60_000 }),
    foreign: 'nothing-of-anybody',
  },
  'DELETE /v1/tokens/{name}': { path: () => '/v1/tokens/viewer', foreign: 'nothing-of-anybody' },
  'GET /v1/people': { foreign: 'not-listed' },
  'POST /v1/people': { body: () => ({ name: 'somebody', role: 'viewer' }), foreign: 'nothing-of-anybody' },
  'PATCH /v1/people/{name}': {
    path: () => '/v1/people/ada',
    body: () => ({ role: 'viewer' }),
    foreign: 'nothing-of-anybody',
  },
  'POST /v1/people/{name}/link': { path: () => '/v1/people/somebody/link', foreign: 'nothing-of-anybody' },
  'POST /v1/people/{name}/mail': {
    path: () => '/v1/people/ada/mail',
    body: () => ({ address: 'ada@example.com' }),
    foreign: 'nothing-of-anybody',
  },
  'DELETE /v1/people/{name}': { path: () => '/v1/people/ada', foreign: 'nothing-of-anybody' },
  'GET /v1/silences': { foreign: 'not-listed' },
  'POST /v1/silences': { body: ({ worker }) => ({ worker, forMs: 60_000, reason: 'x' }), foreign: 'not-found' },
  // Silences have the id of the question here.
  'PATCH /v1/silences/{id}': {
    path: ({ escalation }) => `/v1/silences/${escalation}`,
    body: () => ({ forMs: 60_000 }),
    foreign: 'not-found',
  },
  'DELETE /v1/silences/{id}': { path: ({ escalation }) => `/v1/silences/${escalation}`, foreign: 'not-found' },
  'GET /v1/audit': { foreign: 'not-listed' },
  'POST /v1/audit/verify': { body: () => ({ kept: [] }), foreign: 'not-listed' },
  'GET /v1/machines': { foreign: 'not-listed' },
  'GET /v1/escalations': { foreign: 'not-listed' },
  'GET /v1/escalations/{id}': { path: ({ escalation }) => `/v1/escalations/${escalation}`, foreign: 'not-found' },
  'POST /v1/escalations/{id}/ack': {
    path: ({ escalation }) => `/v1/escalations/${escalation}/ack`,
    foreign: 'not-found',
  },
  'POST /v1/escalations/{id}/snooze': {
    path: ({ escalation }) => `/v1/escalations/${escalation}/snooze`,
    body: () => ({ forMs: 60_000 }),
    foreign: 'not-found',
  },
  'POST /v1/escalations/{id}/escalate': {
    path: ({ escalation }) => `/v1/escalations/${escalation}/escalate`,
    foreign: 'not-found',
  },
  'POST /v1/escalations/{id}/comment': {
    path: ({ escalation }) => `/v1/escalations/${escalation}/comment`,
    body: () => ({ text: 'look at this' }),
    foreign: 'not-found',
  },
  'POST /v1/escalations/{id}/resolve': {
    path: ({ escalation }) => `/v1/escalations/${escalation}/resolve`,
    body: () => ({ option: 'retry', asked: 1 }),
    foreign: 'not-found',
  },
};
