/** Declares the port to the metrics: counts committed work. */
import type { Decision, Worker, WorkerEvent } from '@drover/core';
import type { Refusal } from './refused-reports.ts';

/** A decision, after its commit. Times are epoch milliseconds. */
export interface Committed {
  readonly before: Worker;
  readonly event: WorkerEvent;
  readonly decision: Decision;
  readonly now: number;
  /** Time at which the machine saw the event behind the decision, by its own clock; null: no machine saw the event. */
  readonly seenAt: number | null;
}

/** Counts events after their commit and never otherwise: a transaction that is repeated counts once. */
export interface Counters {
  decided(committed: Committed): void;
  /** Counts an observation that is stored with its consequences; `tookMs` runs from when the observation was taken up. */
  observed(kind: string, tookMs: number): void;
  /** Counts an observation that this build cannot read: the observation is acknowledged and has no consequences. */
  unread(): void;
  /** Counts a report that the machine has no right to make; the report has no consequences. */
  refused(reason: Refusal | 'superseded'): void;
  /** Counts due work that is done, and its lateness. */
  done(kind: string, lateMs: number): void;
}
