/** Defines and makes a row of the error log. */

import type { Strategy } from './strategy.ts';
import { ERRORS, type ErrorCode } from './codes.ts';
import type { ErrorCategory, ErrorContext, ErrorSeverity } from './definition.ts';

/** A row of the error log. Plain data: it survives JSON unchanged. Times are epoch milliseconds. */
export interface ErrorRecord {
  readonly id: string;
  readonly code: ErrorCode;
  readonly category: ErrorCategory;
  readonly severity: ErrorSeverity;
  /** Sentence for people. */
  readonly message: string;
  /** Words of the failing part itself; may be long and technical. */
  readonly details: string | null;
  /** Part of Drover that noticed the error: `tmux`, `store`, `machine-agent`, … */
  readonly component: string;
  readonly machine: string | null;
  readonly worker: string | null;
  readonly role: string | null;
  readonly task: string | null;
  readonly run: string | null;
  readonly timestamp: number;
  /** Run time of the operation before it failed. */
  readonly durationMs: number | null;
  readonly recoverable: boolean;
  readonly retryable: boolean;
  readonly retryCount: number;
  /** Strategy chosen to recover; null until one is. */
  readonly strategy: Strategy | null;
  readonly stack: string | null;
  readonly context: ErrorContext;
  /** The id of the error that led to this one. */
  readonly cause: string | null;
  readonly recovered: boolean;
  readonly recoveredAt: number | null;
}

/** Fields that the caller of `makeError` must know. The rest has a default. */
export interface ErrorFields {
  readonly id: string;
  readonly now: number;
  readonly component: string;
  /** Names and numbers for the message. Worker, machine, role, task and run become columns of the row too. */
  readonly context?: ErrorContext;
  /** Replaces the message of the taxonomy; for errors that already carry good words of their own. */
  readonly message?: string;
  readonly details?: string | null;
  readonly durationMs?: number;
  readonly retryCount?: number;
  readonly strategy?: Strategy;
  readonly stack?: string | null;
  readonly cause?: string | null;
}

/** Makes a row of the error log from a code and the known facts of this occurrence. */
export function makeError(code: ErrorCode, fields: ErrorFields): ErrorRecord {
  const { category, severity, recoverable, retryable, message } = ERRORS[code];
  const context = fields.context ?? {};
  return {
    id: fields.id,
    code,
    category,
    severity,
    message: fields.message ?? message(context),
    details: fields.details ?? null,
    component: fields.component,
    machine: context.machine ?? null,
    worker: context.worker ?? null,
    role: context.role ?? null,
    task: context.task ?? null,
    run: context.run ?? null,
    timestamp: fields.now,
    durationMs: fields.durationMs ?? null,
    recoverable,
    retryable,
    retryCount: fields.retryCount ?? 0,
    strategy: fields.strategy ?? null,
    stack: fields.stack ?? null,
    context,
    cause: fields.cause ?? null,
    recovered: false,
    recoveredAt: null,
  };
}

/** Returns the row after the trouble was over. A row that is recovered already stays as it is. */
export function markRecovered<T extends ErrorRecord>(error: T, now: number): T {
  return error.recovered ? error : { ...error, recovered: true, recoveredAt: now };
}

/** Returns a person's remedies for an error, best first. */
export function remediationOf(error: Pick<ErrorRecord, 'code' | 'context'>): readonly string[] {
  return ERRORS[error.code].remediation(error.context);
}
