/** Tells a run that the machine of a worker that does one of its tasks is away, or back. */
import { runOf } from '@drover/core';
import type { DueWork, WorkerRow } from '@drover/store';
import type { About } from '../about.ts';
import { runEventDue } from './due.ts';

interface Decided extends Pick<About, 'after' | 'by' | 'now'> {
  /** Row before the decision. */
  readonly row: Pick<WorkerRow, 'id' | 'version' | 'state'>;
}

/** @returns null if the decision changes nothing for a run. */
export function machineDue({ row, after, by, now }: Decided): DueWork | null {
  const run = runOf(after.task);
  const [was, isAway] = [row.state, after].map(({ incident: { open } }) => open?.code === 'MACHINE_LOST');
  if (run === null || isAway === undefined || was === isAway) return null;
  const event = { kind: 'machine-changed', workerId: row.id, isAway } as const;
  return runEventDue({ runId: run.runId, id: `machine ${row.id} ${row.version}`, event, by }, now);
}
