/** A decision about a run: its row before and after, and the event. */
import type { Run } from '@drover/core';
import type { RunEventRow, RunRow } from '@drover/store';

export interface Moment {
  readonly before: Run;
  readonly row: RunRow;
  readonly event: RunEventRow;
}

/** Names an attempt at an item. */
export function keyOf({
  runId,
  item,
  attempt,
}: {
  readonly runId: string;
  readonly item: string;
  readonly attempt: number;
}): string {
  return `${runId} ${item} ${attempt}`;
}
