// The decision log: what was decided, under which facts, and the evidence of deliveries.
import type { MachineSession, NewObservation } from './machines.ts';
import type { DecisionRecord, Receipt, RecordedDecision, Reply, WorkerEvent, WorkerStatus } from '@drover/core';
import type { NewCommand } from './commands.ts';
import type { Cause, NewAudit } from './people.ts';
import type { WorkerRow } from './workers.ts';

/** One line of the decision log. */
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

/** One decision, with everything that is needed to take it again. */
export interface NewEvent extends Omit<EventRow, 'id' | 'policy'> {
  /** No line of the history that people read: kept to be decided again. */
  readonly isQuiet: boolean;
  readonly decided: Omit<RecordedDecision, 'id' | 'event'>;
}

/** What is written for every decision: the worker as it is from now on, what its machine is told, and the line of its history. */
export interface SavedDecision {
  readonly row: WorkerRow;
  readonly commands: readonly NewCommand[];
  readonly event: NewEvent;
  /** Absent: no request caused it and no command follows from it. */
  readonly audit?: NewAudit;
}

/** Which lines of the decision log are wanted. */
export interface EventFilter {
  /** Only of this worker, or of the workers of this project that are there when it is read; absent: of all. */
  readonly of?: { readonly workerId: string } | { readonly projectId: string };
  readonly limit: number;
}

/** Which lines a follower of the decision log wants: those after the last one that it has, oldest first. */
export interface FeedFilter extends EventFilter {
  readonly after: number;
}

/** What a follower gets. A follower that goes on after the last id of each page misses nothing and sees nothing twice (X12). */
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

/** All of one machine and reason since the first. Times are epoch milliseconds. */
export interface RefusalRecord extends RefusedReports {
  readonly machineId: string;
  readonly firstAt: number;
  readonly lastAt: number;
}

/** What is done to the decision log inside a transaction. */
export interface HistoryTransaction {
  /**
   * Notes that the machine's buffer is taken through the last of these numbers. The session is the machine's present one until the end of
   * the transaction.
   *
   * @returns those of which no observation is stored; `superseded` when the machine has said hello since: then nothing was written.
   */
  receiveReports(session: Reporting, seqs: readonly number[]): Promise<readonly number[] | 'superseded'>;
  /** Stores observations that were received in this transaction. */
  insertObservations(observations: readonly NewObservation[]): Promise<void>;
  /** Adds to what is on record of the machine. @returns the reasons that were not on record. */
  countRefusedReports(machineId: string, refused: readonly RefusedReports[], now: number): Promise<readonly string[]>;
  /**
   * Saves each worker, arms exactly the deadlines of its state, and adds its commands and the event: `saveWorker`, `setDeadlines`,
   * `insertCommands` and `insertEvent` at once.
   * No worker is named twice.
   */
  saveDecisions(decisions: readonly SavedDecision[]): Promise<void>;
  insertEvent(event: NewEvent): Promise<void>;
  findReply(workerId: string, requestId: string): Promise<Reply | null>;
  /** Who made this request of the worker; null where that is not known. */
  causeOfRequest(workerId: string, requestId: string): Promise<Cause | null>;
  /**
   * Removes what was, or ended, before this time: history, receipts, ended tasks, checkpoints of removed workers, questions and incidents that
   * are over. What is open stays at any age, with its errors. Of each kind so many rows at most. @returns whether nothing is left.
   */
  prune(before: number, rowsMax: number): Promise<boolean>;
  /**
   * Removes from before this time screens, finished commands and their results (history tells them), decisions that people do not
   * read as history, and of the others the facts to decide them again: a replay is exact from this time on. Of each kind so many rows at
   * most. @returns whether nothing is left.
   */
  thinHistory(before: number, rowsMax: number): Promise<boolean>;
  insertReceipts(receipts: readonly WorkerReceipt[]): Promise<void>;
}

/** What is read or written of the decision log by itself. */
export interface HistoryStore {
  /** Reports that were refused, by machine and reason. */
  listRefusedReports(): Promise<readonly RefusalRecord[]>;
  /** The worker that answered a request with this id before. */
  workerOfRequest(requestId: string): Promise<string | null>;
  /** The decision on a request of a worker in the log; null: there is none. */
  eventOfRequest(workerId: string, requestId: string): Promise<number | null>;
  /** Newest first. Of one worker all that is committed, of several as far as a follower may go on after the newest. */
  listEvents(filter: EventFilter): Promise<readonly EventRow[]>;
  followEvents(filter: FeedFilter): Promise<FeedPage>;
  /** Every decision of a worker from this id on, the quiet ones too, oldest first. */
  listDecisions(
    workerId: string,
    page: { readonly from: number; readonly limit: number },
  ): Promise<readonly RecordedDecision[]>;
  /** The id from which a worker's history can be decided again: the last one before `since`, else the first there is. */
  replayableFrom(workerId: string, since: number | null): Promise<number | null>;
  listReceipts(workerId: string, limit: number): Promise<readonly ReceiptRow[]>;
}
