// Describes the decision log: what was decided, under which facts, and the evidence of deliveries.
import type { MachineSession } from './machines.ts';
import type { DecisionRecord, Receipt, RecordedDecision, Reply, WorkerEvent, WorkerStatus } from '@drover/core';
import type { NewCommand } from './commands.ts';
import type { Cause, NewAudit } from './people.ts';
import type { WorkerRow } from './workers.ts';

/** Line of the decision log. */
export interface EventRow {
  readonly id: number;
  readonly workerId: string;
  readonly workerName: string;
  readonly at: number;
  readonly requestId: string | null;
  readonly actor: Cause;
  readonly event: WorkerEvent;
  readonly rules: readonly string[];
  readonly records: readonly DecisionRecord[];
  readonly reply: Reply;
  readonly statusBefore: WorkerStatus;
  readonly statusAfter: WorkerStatus;
  /** The version of the policy that it was decided under. */
  readonly policy: string;
}

/** Decision with everything that is needed to replay it. */
export interface NewEvent extends Omit<EventRow, 'id' | 'policy'> {
  /** True for a decision that is no line of the history that people read: kept to be replayed. */
  readonly isQuiet: boolean;
  readonly decided: Omit<RecordedDecision, 'id' | 'event'>;
}

/** Rows written for every decision: the worker as it is from now on, the commands of its machine, and the line of its history. */
export interface SavedDecision {
  readonly row: WorkerRow;
  readonly commands: readonly NewCommand[];
  readonly event: NewEvent;
  /** Absent: no request caused it and no command follows from it. */
  readonly audit?: NewAudit;
}

/** Filter of the decision log. */
export interface EventFilter {
  /** Owner of the lines: this worker, or the workers of this project that are there when it is read; absent: all. */
  readonly of?: { readonly workerId: string } | { readonly projectId: string };
  readonly limit: number;
}

/** Filter of a follower of the decision log: lines after the last one that it has, oldest first. */
export interface FeedFilter extends EventFilter {
  readonly after: number;
}

/** Page of a follower. A follower that goes on after the last id of each page misses nothing and sees nothing twice (X12). */
export interface FeedPage {
  readonly events: readonly EventRow[];
  /** Transactions are under way whose lines come before others that are there: read again soon. */
  readonly isBehind: boolean;
}

/** The evidence of one attempt to deliver a text. `at` is epoch milliseconds. */
export interface ReceiptRow {
  readonly textId: string;
  readonly purpose: string;
  readonly outcome: string;
  readonly receipt: Receipt;
  readonly at: number;
}

/** The same, and the worker that the text was for. */
export type WorkerReceipt = ReceiptRow & { readonly workerId: string };

/** A session that speaks from a buffer. */
export type Reporting = MachineSession & { readonly agentEpoch: string };

/** Reports of one machine that were refused for one reason, in one transaction. `sha256`: the digest of the last of them. */
export interface RefusedReports {
  readonly reason: string;
  readonly count: number;
  readonly bytes: number;
  readonly sha256: string;
}

/** Refused reports of one machine and reason since the first. Times are epoch milliseconds. */
export interface RefusalRecord extends RefusedReports {
  readonly machineId: string;
  readonly firstAt: number;
  readonly lastAt: number;
}
