// What does recovery keep: incidents, errors, episodes, escalations, checkpoints, work items, accounts?
import type {
  AccountState,
  Alternative,
  CheckpointType,
  ErrorCode,
  ErrorRecord,
  ErrorSeverity,
  Question,
  RecoveryLevel,
  Strategy,
  Worker,
} from '@drover/core';
import type { Cause } from './rows.ts';

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

/** A row of the error log: core's record, and whom it concerns. `worker` and `machine` are names. */
export interface ErrorRow extends ErrorRecord {
  readonly incidentId: string | null;
  readonly workerId: string | null;
  readonly machineId: string | null;
  /** From when the machine saw it until it was decided on, in milliseconds; null where no machine saw it. */
  readonly detectMs: number | null;
  /** When its task or its worker ended, if it belongs to no incident and did not recover before; else null. */
  readonly calledOffAt: number | null;
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

/** One worker that an escalation is about: one alone, or one of a storm that was folded. */
export interface EscalationMember {
  readonly workerId: string;
  readonly workerName: string;
  readonly incidentId: string | null;
  /** Answered, or of no use any more. An escalation is over with the last of its members. */
  readonly over: boolean;
}

/** The answer that won. `at` is epoch milliseconds. */
export interface EscalationResolution {
  readonly option: string;
  readonly text: string | null;
  readonly by: string;
  /** Absent in rows of an older build. */
  readonly actor?: Cause;
  /** The client's id of the answer: the same one twice is answered, not repeated. */
  readonly orderId: string;
  readonly at: number;
}

/** Where an escalation stands: asked, seen by a person, answered, or of no use any more. */
export type EscalationStatus = 'open' | 'acked' | 'resolved' | 'expired' | 'cancelled';

/** An escalation. Accepted (`status`) and applied (`application`) are two facts. Times are epoch milliseconds. */
export interface EscalationRow {
  readonly id: string;
  /** One open escalation for each key. */
  readonly dedupeKey: string;
  readonly incidentId: string | null;
  readonly workerId: string;
  readonly workerName: string;
  readonly projectId: string;
  /** The life of the pane that the question is about. */
  readonly incarnation: string | null;
  readonly level: RecoveryLevel;
  readonly severity: ErrorSeverity;
  readonly status: EscalationStatus;
  readonly title: string;
  readonly body: string;
  /** The diagnostic bundle; the coordinator knows its shape. */
  readonly context: unknown;
  readonly question: Question;
  readonly resolution: EscalationResolution | null;
  /** What became of the answer at the worker; null until there is one. */
  readonly application: 'pending' | 'applied' | 'rejected_stale' | 'failed' | null;
  readonly members: readonly EscalationMember[];
  /** Raised by every change. */
  readonly version: number;
  readonly occurrences: number;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly ackedBy: string | null;
  readonly resolvedAt: number | null;
}

/** What is kept of a worker's work. `createdAt` is epoch milliseconds. */
export interface CheckpointRow {
  readonly id: string;
  readonly workerId: string;
  readonly workerName: string;
  readonly projectId: string;
  readonly taskId: string | null;
  readonly incidentId: string | null;
  readonly type: CheckpointType;
  /** Why it was made, for people. */
  readonly why: string;
  /** Files with uncommitted changes; null where the machine did not say. */
  readonly files: number | null;
  /** On a hidden ref; null where the machine had nothing to keep. */
  readonly commit: string | null;
  readonly base: string | null;
  readonly conversation: string | null;
  readonly prompt: string | null;
  readonly state: Worker;
  readonly machineId: string;
  /** Who wanted it; null in rows of an older build. */
  readonly actor: Cause | null;
  readonly createdAt: number;
}

/** How urgent a work item is, S0 first. */
export type QueueItemPriority = 'S0' | 'S1' | 'S2' | 'S3';

/** Work that recovery left for later. Times are epoch milliseconds. */
export interface QueueItemRow {
  readonly id: string;
  readonly projectId: string;
  readonly priority: QueueItemPriority;
  readonly title: string;
  readonly body: string;
  readonly class: string;
  /** One open or taken item for each key of a project. */
  readonly dedupeKey: string;
  /** Who found it, and where. */
  readonly source: Readonly<Record<string, unknown>>;
  /** Who filed it; null in rows of an older build. */
  readonly actor: Cause | null;
  readonly status: 'open' | 'taken' | 'done' | 'dropped';
  readonly workerId: string | null;
  readonly taskId: string | null;
  readonly failures: number;
  readonly occurrences: number;
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** An account with a provider, which several workers share. `updatedAt` is epoch milliseconds. */
export interface AccountRow {
  readonly key: string;
  readonly state: AccountState;
  readonly updatedAt: number;
}
