/** Collects the examples. */

import type { Example } from './example.ts';
import { LOOKALIKES } from './lookalikes.ts';
import { NETWORK_AND_LIMITS } from './network-and-limits.ts';
import { PERMISSION_AND_VALIDATION } from './permission-and-validation.ts';
import { RESULTS } from './results.ts';
import { SYNTAX } from './syntax.ts';
import { TIME_AND_RESOURCES } from './time-and-resources.ts';

/** All examples by their subject. Data of the tests; nothing else reads them. */
export const EXAMPLES: Readonly<Record<string, readonly Example[]>> = {
  'the network and rate limits': NETWORK_AND_LIMITS,
  'time, resources and services': TIME_AND_RESOURCES,
  syntax: SYNTAX,
  'permission and validation': PERMISSION_AND_VALIDATION,
  'what only looks like a failure of a class': LOOKALIKES,
  'results and broken test runs': RESULTS,
};

/** All examples in one list. */
export const ALL_EXAMPLES: readonly Example[] = Object.values(EXAMPLES).flat();
