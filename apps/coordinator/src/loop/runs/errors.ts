/** Writes the errors of a run into the error log. */
import { makeError } from '@drover/core';
import type { RunRecord } from '@drover/core';
import type { Project, RunRow, StoreTransaction } from '@drover/store';
import type { Context } from '../../context/context.ts';

interface Noting {
  readonly row: RunRow;
  readonly project: Project;
  readonly records: readonly RunRecord[];
  readonly now: number;
}

export async function noteRunErrors(
  ctx: Context,
  tx: StoreTransaction,
  { row, project, records, now }: Noting,
): Promise<void> {
  const errors = records.flatMap((entry) => {
    if (entry.kind !== 'error') return [];
    const error = makeError(entry.code, {
      id: ctx.ids.uuid(),
      now,
      component: 'run',
      message: `${entry.item}: ${entry.problem}`,
      context: { project: project.name, run: row.id, stage: entry.item },
    });
    const of = { workerId: null, machineId: null, incidentId: null, detectMs: null, calledOffAt: null, evidence: null };
    return [{ ...error, ...of }];
  });
  if (errors.length > 0) await tx.insertErrors(errors);
}
