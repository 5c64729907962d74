// What went wrong: incidents, the error log, and the episodes of recovery.
import type { Alternative, ErrorCode, ErrorRecord, RecoveryLevel, Strategy } from '@drover/core';

/** One trouble of one worker, from its first error to its end. Times are epoch milliseconds. */
export interface IncidentRow {
  readonly id: string;
  readonly workerId: string;
  readonly workerName: string;
  readonly taskId: string | null;
  readonly code: ErrorCode;
  /** Only rises (R6). */
  readonly level: RecoveryLevel;
  readonly attempts: number;
  readonly openedAt: number;
  readonly closedAt: number | null;
  /** How it ended; null while it is open. */
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
  /** From when the machine saw it until it was decided on, in milliseconds; null where no machine saw it. */
  readonly detectMs: number | null;
  /** When its task or its worker ended, if it belongs to no incident and did not recover before; else null. */
  readonly calledOffAt: number | null;
  /** What the worker's terminal and git said when it came; null: no machine could be asked. */
  readonly evidence: Evidence | null;
}

/** The last lines of a worker's pane, and what `git status` printed of its worktree, without secrets. */
export interface Evidence {
  readonly pane: readonly string[];
  readonly git: readonly string[];
}

/**
 * A row of the error log as it is read: how its incident ended, or `cancelled` if it was called off without one; else null. It
 * is over when it recovered or there is an outcome.
 */
export interface ListedError extends ErrorRow {
  readonly outcome: IncidentOutcome | null;
}

/** One line of how a worker's tasks went. `at` is epoch milliseconds. */
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

/** Which incidents, newest first. `since` is epoch milliseconds of their opening. */
export interface IncidentFilter {
  readonly workerId?: string;
  readonly workerIds?: readonly string[];
  readonly workerName?: string;
  readonly since?: number;
  /** Only those that are not closed. */
  readonly open?: boolean;
  readonly limit: number;
}

/** Which errors, newest first. `since` is epoch milliseconds. */
export interface ErrorFilter {
  readonly workerIds?: readonly string[];
  readonly workerName?: string;
  readonly incidentId?: string;
  readonly code?: ErrorCode;
  readonly since?: number;
  /** The beginning or the end of their id. */
  readonly idPart?: string;
  /** Only those that are not over: neither recovered, nor of an incident that ended otherwise. */
  readonly open?: boolean;
  /** Only what comes after this one. */
  readonly after?: { readonly at: number; readonly id: string };
  readonly limit: number;
}

/** Which errors without an incident: of one worker, and of some parts. */
export interface LooseErrors {
  readonly workerId: string;
  /** How the names of the parts begin; empty: all. */
  readonly component: string;
  /** Of this task alone. */
  readonly task?: string;
}

/** How errors without an incident end, and when, in epoch milliseconds: it works again, or what they were about is gone. */
export interface LooseEnd {
  readonly outcome: 'recovered' | 'cancelled';
  readonly at: number;
}

/** Which lines of episodes, newest first. `since` is epoch milliseconds. */
export interface EpisodeFilter {
  readonly workerIds?: readonly string[];
  readonly workerName?: string;
  readonly incidentId?: string;
  readonly since?: number;
  readonly limit: number;
}

/** What is done to incidents, errors and episodes inside a transaction. */
export interface IncidentTransaction {
  readIncident(id: string): Promise<IncidentRow | null>;
  /** Adds it, or writes the present level, attempts, alternatives, end and outcome of the one that is there. One that is closed stays as it is. */
  saveIncident(incident: IncidentRow): Promise<void>;
  /** The same of several, of which none is named twice. */
  saveIncidents(incidents: readonly IncidentRow[]): Promise<void>;
  listIncidents(filter: IncidentFilter): Promise<readonly IncidentRow[]>;
  insertError(error: ErrorRow): Promise<void>;
  insertErrors(errors: readonly ErrorRow[]): Promise<void>;
  /** An answer about an error came; an id that is none's changes nothing. */
  saveEvidence(errorId: string, evidence: Evidence): Promise<void>;
  readError(id: string): Promise<ErrorRow | null>;
  /** The newest error of an incident: the cause of the next one. */
  lastErrorOf(incidentId: string): Promise<string | null>;
  /** Marks the errors of an incident that are not marked yet. */
  markErrorsRecovered(incidentId: string, recoveredAt: number): Promise<void>;
  /** Ends the open errors of a worker that belong to no incident. */
  endLooseErrors(which: LooseErrors, end: LooseEnd): Promise<void>;
  insertEpisodes(episodes: readonly Omit<EpisodeRow, 'id'>[]): Promise<void>;
  listEpisodes(filter: EpisodeFilter): Promise<readonly EpisodeRow[]>;
}

/** What is read or written of incidents, errors and episodes by itself. */
export interface IncidentStore {
  listIncidents(filter: IncidentFilter): Promise<readonly IncidentRow[]>;
  listErrors(filter: ErrorFilter): Promise<readonly ListedError[]>;
  listEpisodes(filter: EpisodeFilter): Promise<readonly EpisodeRow[]>;
}
