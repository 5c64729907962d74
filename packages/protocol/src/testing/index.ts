/** What do the tests of other rooms use of this one? */
export { SEAT } from './seat.ts';
export { unboundedExports, unboundedParts } from './unbounded.ts';
