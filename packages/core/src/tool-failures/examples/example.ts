/** Defines an example of a tool's output. */

import type { FailureClass, ResultRule } from '../failure.ts';

/** Expected classification, the program or tool, its exit code, and its output. */
export type Example = readonly [
  expected: FailureClass | ResultRule,
  command: string,
  exitCode: number | null,
  text: string,
];
