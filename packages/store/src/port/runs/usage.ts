// Use by tasks, of runs and outside of them.
import type { DayUsage } from '@drover/core';

/** Use by a worker for a task on one day. `since` is the begin of the count on its machine, epoch milliseconds. */
export interface UsageRow extends DayUsage {
  readonly workerId: string;
  readonly taskId: string;
  readonly since: number;
  readonly projectId: string;
  readonly workerName: string;
}

/** Filter of what was used, the newest day first. `sinceDay`: days that begin then or later. */
export interface UsageFilter extends Partial<
  Pick<UsageRow, 'projectId' | 'workerName' | 'taskId' | 'workerId' | 'since'>
> {
  readonly sinceDay?: number;
  readonly limit: number;
}

/** Days of a project from `sinceDay` on, `today` apart; and tasks apart from their workers' others. */
export interface UsageSpan extends Record<'sinceDay' | 'today', number> {
  readonly projectId: string;
  readonly taskIds: readonly string[];
}

/** Sum of what a worker used: for one of the named tasks, or for all others (`taskId` is null); on the day of `today`, or before it. */
export interface UsageSum extends Omit<DayUsage, 'day'> {
  readonly workerId: string;
  readonly taskId: string | null;
  readonly isToday: boolean;
}
