// Questions to people.
import type { ErrorSeverity, Oncall, Question, RecoveryLevel } from '@drover/core';
import type { Cause } from './people.ts';

/** Worker that an escalation is about: one alone, or one of a storm that was folded. */
export interface EscalationMember {
  readonly workerId: string;
  readonly workerName: string;
  readonly incidentId: string | null;
  /** True if it is answered, or of no use any more. An escalation is over with the last of its members. */
  readonly over: boolean;
}

/** The answer that won. `at` is epoch milliseconds. */
export interface EscalationResolution {
  readonly option: string;
  readonly text: string | null;
  readonly by: string;
  readonly actor: Cause;
  /** The client's id of the answer: the same one twice is answered, not repeated. */
  readonly requestId: string;
  readonly at: number;
}

/** The state of an escalation: asked, seen by a person, answered, or of no use any more. */
export type EscalationStatus = 'open' | 'acked' | 'resolved' | 'expired' | 'cancelled';

/** An escalation. Accepted (`status`) and applied (`application`) are two facts. Times are epoch milliseconds. */
export interface EscalationRow {
  readonly id: string;
  /** Key that at most one open escalation has. */
  readonly dedupeKey: string;
  readonly incidentId: string | null;
  readonly workerId: string;
  readonly workerName: string;
  readonly projectId: string;
  /** The incarnation of the pane that the question is about. */
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
  /** State of the answer at the worker; null until there is an answer. */
  readonly application: 'pending' | 'applied' | 'rejected_stale' | 'failed' | null;
  readonly members: readonly EscalationMember[];
  /** Times that the question was asked: 1, and one more with each change of the question or its screen, and when it opens again. */
  readonly asked: number;
  /** Version, raised by every change. */
  readonly version: number;
  readonly occurrences: number;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly ackedBy: string | null;
  readonly resolvedAt: number | null;
  /** People who are called about it, and when; null: nobody yet, until the patrol sees it. */
  readonly oncall: Oncall | null;
}

/** Response of a person to an escalation, and the reply that it got: the same response again gets that reply. */
export interface EscalationResponse {
  /** The client's id of it. */
  readonly requestId: string;
  readonly escalationId: string;
  readonly kind: 'answer' | 'ack' | 'snooze' | 'escalate' | 'comment';
  /** Number of the asking that it responds to: see `asked` of the escalation. */
  readonly asked: number;
  /** Option of an answer; otherwise null. */
  readonly option: string | null;
  readonly text: string | null;
  /** End of a snooze, epoch milliseconds; otherwise null. */
  readonly until: number | null;
  readonly actor: Cause;
  /** The outcome; the coordinator knows its shape. */
  readonly reply: unknown;
  /** Epoch milliseconds. */
  readonly at: number;
}

/** Filter of escalations, newest first. `since` is epoch milliseconds of their opening. */
export interface EscalationFilter {
  readonly projectId?: string;
  readonly dedupeKey?: string;
  /** Matches also an escalation that a folded storm made it a member of. */
  readonly workerId?: string;
  readonly workerName?: string;
  readonly incidentId?: string;
  /** Matches only escalations that still wait for an answer. */
  readonly open?: boolean;
  /** Matches only escalations in one of these states. */
  readonly status?: readonly EscalationStatus[];
  /** Place in the list after which rows are read. */
  readonly after?: { readonly at: number; readonly id: string };
  readonly since?: number;
  /** Ids that begin or end so. */
  readonly idPart?: string;
  readonly limit: number;
}
