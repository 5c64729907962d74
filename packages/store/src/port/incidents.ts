// Describes incidents, the error log, and the episodes of recovery.
import type { Alternative, ErrorCode, ErrorRecord, RecoveryLevel, Strategy } from '@drover/core';

/** Incident of one worker, from its first error to its end. Times are epoch milliseconds. */
export interface IncidentRow {
  readonly id: string;
  readonly workerId: string;
  readonly workerName: string;
  readonly taskId: string | null;
  readonly code: ErrorCode;
  /** Level, which only rises (R6). */
  readonly level: RecoveryLevel;
  readonly attempts: number;
  readonly openedAt: number;
  readonly closedAt: number | null;
  readonly outcome: IncidentOutcome | null;
  readonly tried: readonly Alternative[];
}

/** Recovery helped; a person took it; a person's answer ended it; or what it was about is gone. */
export type IncidentOutcome = 'recovered' | 'escalated' | 'resolved' | 'cancelled';

/** A row of the error log: core's record, and the worker and machine that it is about, by name. */
export interface ErrorRow extends ErrorRecord {
  readonly incidentId: string | null;
  readonly workerId: string | null;
  readonly machineId: string | null;
  /** Milliseconds from when the machine saw it until it was decided on; null where no machine saw it. */
  readonly detectMs: number | null;
  /** Time when its task or its worker ended, if it belongs to no incident and did not recover before; else null. */
  readonly calledOffAt: number | null;
  /** Facts of the worker's terminal and git when the error came; null: no machine could be asked. */
  readonly evidence: Evidence | null;
}

/** The last lines of a worker's pane, and what `git status` printed of its worktree, without secrets. */
export interface Evidence {
  readonly pane: readonly string[];
  readonly git: readonly string[];
}

/**
 * Row of the error log as it is read: how its incident ended, or `cancelled` if it was called off without one; else
 * null. An error is over when it recovered or there is an outcome.
 */
export interface ListedError extends ErrorRow {
  readonly outcome: IncidentOutcome | null;
}

/** Step in the recovery of a worker, or the beginning or end of one of its tasks. `at` is epoch milliseconds. */
export interface EpisodeRow {
  readonly id: number;
  readonly workerId: string;
  readonly workerName: string;
  readonly taskId: string | null;
  readonly incidentId: string | null;
  readonly at: number;
  readonly kind: 'task' | 'attempt' | 'recovered' | 'escalated' | 'answered' | 'cancelled';
  readonly code: ErrorCode | null;
  readonly level: RecoveryLevel | null;
  readonly attempt: number | null;
  readonly action: string;
  readonly strategy: Strategy | null;
  readonly detail: Readonly<Record<string, unknown>>;
}

/** Filter of incidents, newest first. `since` is epoch milliseconds of their opening. */
export interface IncidentFilter {
  readonly workerId?: string;
  readonly workerIds?: readonly string[];
  readonly workerName?: string;
  readonly since?: number;
  /** Matches only incidents that are not closed. */
  readonly open?: boolean;
  readonly limit: number;
}

/** Filter of errors, newest first. `since` is epoch milliseconds. */
export interface ErrorFilter {
  readonly workerIds?: readonly string[];
  readonly workerName?: string;
  readonly incidentId?: string;
  readonly code?: ErrorCode;
  readonly since?: number;
  /** The beginning or the end of their id. */
  readonly idPart?: string;
  /** Matches only errors that are not over: neither recovered, nor of an incident that ended otherwise. */
  readonly open?: boolean;
  /** Place in the list after which rows are read. */
  readonly after?: { readonly at: number; readonly id: string };
  readonly limit: number;
}

/** Filter of errors without an incident: of one worker, and of some components. */
export interface LooseErrors {
  readonly workerId: string;
  /** Prefix of the component names; empty: all. */
  readonly component: string;
  /** Task of the errors. */
  readonly task?: string;
}

/** End of errors without an incident, in epoch milliseconds: the worker works again, or the subject of the errors is gone. */
export interface LooseEnd {
  readonly outcome: 'recovered' | 'cancelled';
  readonly at: number;
}

/** Filter of episodes, newest first. `since` is epoch milliseconds. */
export interface EpisodeFilter {
  readonly workerIds?: readonly string[];
  readonly workerName?: string;
  readonly incidentId?: string;
  readonly since?: number;
  readonly limit: number;
}
