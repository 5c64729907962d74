/** Settings for tests to which it does not matter which. */
import type { WorkerSettings } from '../worker-settings.ts';

/** The settings of a worker named `alba`, in a project with no checks. */
export const WORKER_SETTINGS: WorkerSettings = {
  workerId: '11111111-1111-4111-8111-111111111111',
  name: 'alba',
  profile: 'sim',
  model: null,
  skipPermissions: false,
  allowedTools: [],
  sessionWidth: 200,
  sessionHeight: 50,
  env: {},
  project: {
    id: '33333333-3333-4333-8333-333333333333',
    root: '/r',
    source: '/s',
    defaultBranch: 'main',
    copyFiles: [],
    keep: [],
    trust: {},
    validate: [],
    setup: [],
    workerSetup: [],
    validateFrom: 'config',
    validateTimeoutMs: 1,
    runHooks: false,
    branchPrefix: 'drover',
    agentPush: false,
    follow: 'nothing',
    publish: 'main',
    openRequest: [],
  },
};
