// Gives options to a worker of a test that does not care for them.
import type { WorkerOptions } from '../port/workers.ts';

/** A worker of the simulated agent on a small screen, that takes from the work queue and asks for permission; but for `patch`. */
export function workerOptions(patch: Partial<WorkerOptions> = {}): WorkerOptions {
  return {
    profile: 'sim',
    model: null,
    rolePrompt: '',
    skipPermissions: false,
    allowedTools: [],
    excludedFromPool: false,
    sessionWidth: 80,
    sessionHeight: 24,
    ...patch,
  };
}
