export {};
export { WORKER_NAME, workerNameProblem } from './worker-name.ts';
