/** What is known about an error code before it happens? The shape every row of the taxonomy has. */

/** Whose fault, or whose business, a failure is. */
export type ErrorCategory = 'AGENT_ERROR' | 'WORKFLOW_ERROR' | 'SYSTEM_ERROR' | 'EXTERNAL_ERROR' | 'USER_ERROR';

/** How loud a failure is. `fatal` stops the thing it belongs to; `info` is never alarming. */
export type ErrorSeverity = 'fatal' | 'error' | 'warning' | 'info';

/**
 * What helps, and so where recovery starts (docs/recovery.md, the four levels):
 * `transient` the same again (level 1); `systematic` something else (level 2); `fatal` and `needs-person` a person
 * (level 4). `needs-person` differs from `fatal` in that nothing is broken: an answer lets the work go on.
 */
export type ErrorKind = 'transient' | 'systematic' | 'fatal' | 'needs-person';

/**
 * What a message may name. Everything is optional, because an error is also reported when little is known; every
 * message must read well without any of them.
 */
export interface ErrorContext {
  readonly worker?: string;
  readonly machine?: string;
  readonly project?: string;
  readonly role?: string;
  readonly task?: string;
  readonly run?: string;
  readonly stage?: string;
  /** The agent profile: `claude`, `codex`, … */
  readonly profile?: string;
  /** The program that failed, without its arguments. */
  readonly program?: string;
  readonly path?: string;
  readonly branch?: string;
  readonly session?: string;
  /** The name of a command-line argument, option or field. */
  readonly argument?: string;
  /** What would have been right, in words. */
  readonly expected?: string;
  /** How long was waited, in milliseconds. */
  readonly timeoutMs?: number;
  /** How long until the next try, in milliseconds. */
  readonly retryInMs?: number;
  readonly exitStatus?: number;
  readonly signal?: number;
  /** How many times something was tried or went round. */
  readonly count?: number;
  /** What the program itself said, one line. */
  readonly said?: string;
}

/** One row of the taxonomy. */
export interface ErrorDefinition {
  readonly category: ErrorCategory;
  readonly severity: ErrorSeverity;
  readonly kind: ErrorKind;
  /** Whether Drover, alone or with a person's answer, can bring the work to its end. */
  readonly recoverable: boolean;
  /** Whether doing the same again can help. */
  readonly retryable: boolean;
  /** One sentence for people: names the thing, says what happened. */
  readonly message: (about: ErrorContext) => string;
  /** What a person can do, best first. Whole sentences or exact commands; never empty. */
  readonly remediation: (about: ErrorContext) => readonly string[];
}
