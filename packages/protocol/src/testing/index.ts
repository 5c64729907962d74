/** Entry for the tests of other rooms. */
export { WORKER_SETTINGS } from './worker-settings.ts';
export { unboundedExports, unboundedParts } from './unbounded.ts';
