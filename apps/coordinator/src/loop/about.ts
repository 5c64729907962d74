/** Holds facts of a decision that are known when its records become rows. */
import { inHand } from '@drover/core';
import type { DecisionRecord, Worker, WorkerEvent } from '@drover/core';
import type { Cause, Machine, Project, WorkerRow } from '@drover/store';
import type { Callable } from './escalations/callable.ts';
import type { Changes } from './changes.ts';

/** A decision, around its records. `row` is the row before; `after` is the new state. */
export interface About {
  readonly row: WorkerRow;
  readonly after: Worker;
  readonly event: WorkerEvent;
  /** Cause of the event. */
  readonly by: Cause;
  readonly project: Project;
  readonly machine: Machine | null;
  readonly records: readonly DecisionRecord[];
  /** Id of an incident that this decision opened. */
  readonly fresh: string;
  /** Epoch milliseconds. */
  readonly now: number;
}

/** A decision together with the collector of its rows. */
export interface Saving extends About {
  readonly changes: Changes;
  /** People and places that may be called about its questions. */
  readonly callable: Callable;
}

export type RecordOf<K extends DecisionRecord['kind']> = Extract<DecisionRecord, { readonly kind: K }>;

/** Returns the task that a decision is about, also a task that it ended. */
export function taskOf({ row, after }: About): string | null {
  return inHand(after.task)?.id ?? inHand(row.state.task)?.id ?? null;
}
