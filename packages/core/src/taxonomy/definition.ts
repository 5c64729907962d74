/** Defines the shape of every row of the taxonomy: facts about an error code before it happens. */

/** Area of responsibility for a failure. */
export type ErrorCategory = 'AGENT_ERROR' | 'WORKFLOW_ERROR' | 'SYSTEM_ERROR' | 'EXTERNAL_ERROR' | 'USER_ERROR';

/** Loudness of a failure. `fatal` stops the thing it belongs to; `info` is never alarming. */
export type ErrorSeverity = 'fatal' | 'error' | 'warning' | 'info';

/**
 * Remedy for an error, and so the start of recovery (docs/recovery.md, the four levels): `transient` the same again (level 1); `systematic`
 * something else (level 2); `fatal` and `needs-person` a person (level 4). `needs-person` differs from `fatal` in that nothing is broken: an
 * answer lets the work go on.
 */
export type ErrorKind = 'transient' | 'systematic' | 'fatal' | 'needs-person';

/**
 * Facts that a message may name. Everything is optional, because an error is also reported when little is known; every message must read well
 * without any of them.
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
  /** Correct value, in words. */
  readonly expected?: string;
  /** Length of the wait, in milliseconds. */
  readonly timeoutMs?: number;
  /** Time until the next try, in milliseconds. */
  readonly retryInMs?: number;
  readonly exitStatus?: number;
  readonly signal?: number;
  /** Number of tries or rounds. */
  readonly count?: number;
  /** Class of a failed tool of the agent. */
  readonly toolClass?: string;
  /** Words of the program itself, one line. */
  readonly said?: string;
}

/** A row of the taxonomy. */
export interface ErrorDefinition {
  readonly category: ErrorCategory;
  readonly severity: ErrorSeverity;
  readonly kind: ErrorKind;
  /** True if Drover, alone or with a person's answer, can bring the work to its end. */
  readonly recoverable: boolean;
  /** True if doing the same again can help. */
  readonly retryable: boolean;
  /** Returns a sentence for people that names the thing and says what happened. */
  readonly message: (about: ErrorContext) => string;
  /** Returns a person's remedies, best first. Whole sentences or exact commands; never empty. */
  readonly remediation: (about: ErrorContext) => readonly string[];
}
