/** Defines a tool failure and its classes. */

/**
 * Classes, in the order in which their patterns are tried: the first that matches wins. Source: docs/recovery.md, tool failures inside an
 * agent's turn.
 */
export const FAILURE_CLASSES = [
  'network',
  'rate_limit',
  'timeout',
  'syntax',
  'permission',
  'resource',
  'validation',
  'external',
  'unknown',
] as const;

export type FailureClass = (typeof FAILURE_CLASSES)[number];

/** Activity of the agent. In `test` a red test was asked for; in `quality` a finding was. */
export type WorkPhase = 'build' | 'test' | 'quality';

/** Report of a hook about a failed tool of a coding agent. */
export interface ToolFailure {
  /** The tool's name as the agent calls it: `Bash`, `WebFetch`, `Edit`, … */
  readonly tool: string;
  /** Command line, if the tool ran one. */
  readonly command: string | null;
  /** Complete output and error text of the tool. */
  readonly text: string;
  readonly exitCode: number | null;
  /** Phase if the caller knows it; null lets the command line decide. */
  readonly phase: WorkPhase | null;
}

/** Result of the classification. */
export type Classification =
  /** Result, not an error: the tool did its work and the answer was no. */
  | { readonly kind: 'result'; readonly rule: ResultRule; readonly phase: WorkPhase | null; readonly evidence: string }
  | {
      readonly kind: 'failure';
      readonly class: FailureClass;
      /** The name of the rule that decided, for explanations. */
      readonly rule: string;
      readonly phase: WorkPhase | null;
      /** The line that decided, cut and without control characters. */
      readonly evidence: string;
    };

/** Reason why something that looks like a failure is a result. */
export type ResultRule = 'tests-failed' | 'findings' | 'person-declined';
