/** Finds machines that sent reports that they had no right to make. */
import type { Machine } from '@drover/store';
import type { Context } from '../../context/context.ts';
import type { Finding } from './facts.ts';
import { orFine, warning } from './finding.ts';
import { refusalsOf } from '../../facts/machines/refusals.ts';

/** Shows the record of each machine. The record expires like history, a while after the last such report. */
export async function examineReports(ctx: Context, machines: readonly Machine[]): Promise<readonly Finding[]> {
  const records = await ctx.store.listRefusedReports();
  const found = machines.flatMap(({ id, name }) =>
    refusalsOf(records, id).map(({ says, count, bytes, sha256, firstAt, lastAt }) => {
      const times = `${count} time(s) between ${when(firstAt)} and ${when(lastAt)}, ${bytes} bytes`;
      const digest = `the last one has the SHA-256 ${sha256}`;
      return warning('reports', name, {
        says: `${says}, ${times}; Drover ignored these reports and kept none; ${digest}. The machine is faulty or hostile, or it joined a second time`,
        help: 'drover machine',
      });
    }),
  );
  return orFine('reports', 'machines', { says: 'each reports only on its own workers', found });
}

function when(ms: number): string {
  return new Date(ms).toISOString();
}
