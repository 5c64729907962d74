/** How the test of all callers calls each route of the public API, and what a caller of another project gets. */
import type { Sample, Target } from './route-samples.ts';

/** The path with its parameters and its query; absent: as the table has it. */
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

/** One call of each route. */
export const V1_SAMPLES: Readonly<Record<string, V1Sample>> = {
  'GET /v1/me': { foreign: 'nothing-of-anybody' },
  'GET /v1/workers': { foreign: 'not-listed' },
  'POST /v1/workers/{name}/message': ofWorker('message', { text: 'x' }),
  'POST /v1/workers/{name}/review': ofWorker('review', {}),
  'POST /v1/workers/{name}/reject': ofWorker('reject', { text: 'x' }),
  'POST /v1/workers/{name}/accept': ofWorker('accept', { head: '1a2b3c4d' }),
  'POST /v1/tasks': { body: ({ worker }) => ({ worker, prompt: 'x' }), foreign: 'not-found' },
  'GET /v1/events': { path: () => '/v1/events?wait=0&after=0', foreign: 'not-listed' },
  'GET /v1/webhook-endpoints': { foreign: 'nothing-of-anybody' },
  'POST /v1/webhook-endpoints': {
    body: () => ({ name: 'pager', url: 'https://example.com/' }),
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
