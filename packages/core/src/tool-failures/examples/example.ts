/** What does an example of a tool's output consist of? */

import type { FailureClass, ResultRule } from '../failure.ts';

/** What is expected, the program or tool, its exit code, and what it said. */
export type Example = readonly [
  expected: FailureClass | ResultRule,
  command: string,
  exitCode: number | null,
  text: string,
];
