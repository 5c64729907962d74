/** Calls about runs that only their routes refuse, by route and status. */
import { CALLS, MERGE, runIs } from './calls.ts';
import type { Call } from './calls.ts';

export const REFUSED_RUNS: Readonly<Record<string, Readonly<Record<number, Call>>>> = {
  'POST /v1/runs': {
    404: (api) => api.POST('/v1/runs', { body: { project: 'shop', flow: 'nothing', inputs: {} } }),
  },
  'POST /v1/runs/plan': {
    404: (api) => api.POST('/v1/runs/plan', { body: { project: 'shop', flow: 'nothing', inputs: {} } }),
    409: async (api, { store }) => {
      Object.assign(store, { listProjects: () => Promise.resolve([]) });
      return api.POST('/v1/runs/plan', { body: { flow: 'change', inputs: { goal: 'x' } } });
    },
  },
  'POST /v1/runs/{id}/stop': whenOver('stop'),
  'POST /v1/runs/{id}/pause': whenOver('pause'),
  'POST /v1/runs/{id}/resume': whenOver('resume'),
  'POST /v1/runs/{id}/answer': {
    409: (api, { own }) =>
      api.POST('/v1/runs/{id}/answer', { params: { path: { id: own.run } }, body: { option: 'start' } }),
  },
  'POST /v1/runs/{id}/review': {
    409: (api, { own }) => api.POST('/v1/runs/{id}/review', { params: { path: { id: own.run } }, body: {} }),
  },
  'POST /v1/runs/{id}/accept': {
    409: async (api, scene) => {
      await runIs(scene, { questions: [MERGE] });
      const params = { path: { id: scene.own.run } };
      return api.POST('/v1/runs/{id}/accept', { params, body: { head: 'c'.repeat(40) } });
    },
  },
  'POST /v1/runs/{id}/retry': {
    409: (api, { own }) => api.POST('/v1/runs/{id}/retry', { params: { path: { id: own.run } }, body: {} }),
  },
};

/** Calls about a run that has ended. */
function whenOver(act: 'stop' | 'pause' | 'resume'): Readonly<Record<number, Call>> {
  return {
    410: async (api, scene) => {
      await runIs(scene, { status: 'finished' });
      const call = CALLS[`POST /v1/runs/{id}/${act}`];
      if (call === undefined) throw new Error(`There is no call to ${act} a run`);
      return call(api, scene);
    },
  };
}
