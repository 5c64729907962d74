/** Entry of what tests take from here. */
export { workerSeen } from './worker-seen.ts';
