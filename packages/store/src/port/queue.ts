// The work queue.
import type { Cause } from './people.ts';

/** Urgency of a work item, S0 first. */
export type QueueItemPriority = 'S0' | 'S1' | 'S2' | 'S3';

/** Work that recovery left for later. Times are epoch milliseconds. */
export interface QueueItemRow {
  readonly id: string;
  readonly projectId: string;
  readonly priority: QueueItemPriority;
  readonly title: string;
  readonly body: string;
  readonly class: string;
  /** Key that at most one open or taken item of a project has. */
  readonly dedupeKey: string;
  /** Finder and place of the work. */
  readonly source: Readonly<Record<string, unknown>>;
  /** Cause of the work item. */
  readonly actor: Cause;
  readonly status: 'open' | 'taken' | 'done' | 'dropped';
  readonly workerId: string | null;
  readonly taskId: string | null;
  readonly failures: number;
  readonly occurrences: number;
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** The place of an item in the list. */
export type QueueItemPlace = Pick<QueueItemRow, 'priority' | 'createdAt' | 'id'>;

/** Filter of work items. */
export interface QueueItemFilter {
  readonly projectId?: string;
  readonly status?: readonly QueueItemRow['status'][];
  /** Place in the list after which rows are read. */
  readonly after?: QueueItemPlace;
  readonly limit: number;
}
