/** The port to the metrics: told of what was committed. */
import type { Decision, Worker, WorkerEvent } from '@drover/core';
import type { Refusal } from './refused-reports.ts';

/** A decision, after its commit. Times are epoch milliseconds. */
export interface Committed {
  readonly before: Worker;
  readonly event: WorkerEvent;
  readonly decision: Decision;
  readonly now: number;
  /** When the machine saw what was decided on, by its own clock; null: no machine saw it. */
  readonly seenAt: number | null;
}

/** Told of what happened, after its commit and never otherwise: a transaction that is repeated counts once. */
export interface Counters {
  decided(committed: Committed): void;
  /** An observation is stored, and what follows from it; `tookMs` counts from when it was taken up. */
  observed(kind: string, tookMs: number): void;
  /** An observation cannot be read by this build: it is acknowledged, and nothing follows from it. */
  unread(): void;
  /** A machine reports what is not its own to report: nothing follows from it. */
  refused(reason: Refusal | 'superseded'): void;
  /** Work that was due is done, so late. */
  done(kind: string, lateMs: number): void;
}
