// Runs: goals on their way through the stages of a flow.
import type { Run, RunEvent, RunRecord, RunStatus } from '@drover/core';
import type { Cause } from '../people.ts';

/** A flow as it was when a run began. `createdAt` is epoch milliseconds. */
export interface FlowRow {
  readonly digest: string;
  readonly name: string;
  readonly text: string;
  readonly createdAt: number;
}

/** A run. Times are epoch milliseconds. */
export interface RunRow {
  /** Id of the request that started it. */
  readonly id: string;
  readonly projectId: string;
  /** Machine whose depot has its commits. */
  readonly machineId: string;
  /** Digest of its flow. */
  readonly flow: string;
  readonly flowName: string;
  readonly goal: string;
  readonly status: RunStatus;
  readonly state: Run;
  /** Number of its last event. */
  readonly seq: number;
  readonly actor: Cause;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly endedAt: number | null;
}

/** An event of a run, and the answer of the policy. */
export interface RunEventRow {
  readonly runId: string;
  readonly seq: number;
  /** Id by which the same event counts once. */
  readonly eventId: string;
  readonly at: number;
  readonly kind: string;
  readonly event: RunEvent;
  readonly actor: Cause;
  readonly rules: readonly string[];
  readonly records: readonly RunRecord[];
}

/** A message between agents of a run. */
export interface RunMessageRow {
  readonly id: string;
  readonly runId: string;
  readonly sender: string;
  readonly receiver: string;
  readonly text: string;
  readonly state: 'queued' | 'delivered' | 'refused' | 'expired';
  /** Reason of a refusal; otherwise null. */
  readonly why: string | null;
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** A worker that gets work of a run as soon as its machine has the commits. `key`: the row of the request. */
export interface RunReservation {
  readonly key: string;
  readonly workerId: string;
}

/** Filter of runs, newest first. */
export interface RunFilter {
  readonly projectId?: string;
  /** Matches only runs that have not ended. */
  readonly open?: boolean;
  /** Run that they try again. */
  readonly retryOf?: string;
  /** Ids that begin or end so. */
  readonly idPart?: string;
  /** Place in the list after which rows are read. */
  readonly after?: Pick<RunRow, 'createdAt' | 'id'>;
  readonly limit: number;
}
