/** What do the tests of other rooms use of this one? */
export { WORKER_SETTINGS } from './worker-settings.ts';
export { unboundedExports, unboundedParts } from './unbounded.ts';
