/** The growth of the time that an expression takes. */
export { slowTextFor } from './growth.ts';
export type { SlowText } from './growth.ts';
