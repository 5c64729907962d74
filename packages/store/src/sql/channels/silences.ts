// Spans without calls about some questions.
import type { SilenceRow } from '../../port/channels.ts';
import { send } from '../../connection/pipeline.ts';
import { instant } from '../../connection/values.ts';
import { columnsWithout } from '../../tables/columns.ts';
import type { Db, Trx } from '../db.ts';
import { change, insertion, removal, writes } from '../steps/rows.ts';

const READ = [
  ...columnsWithout('silences', 'workerName', 'machineName'),
  'workerName as worker',
  'machineName as machine',
] as const;

/** Begins a silence. */
export async function insertSilence(db: Trx, row: SilenceRow): Promise<void> {
  const { worker: workerName, machine: machineName, ...rest } = row;
  await send(db, insertion('silences', [{ ...rest, workerName, machineName }]));
}

/** Ends a silence early. @returns whether there was one. */
export async function deleteSilence(db: Trx, id: string): Promise<boolean> {
  return writes(db, removal('silences', { id }));
}

/** Writes its end and its reason. @returns whether there is one. */
export async function saveSilence(
  db: Trx,
  { id, until, reason }: Pick<SilenceRow, 'id' | 'until' | 'reason'>,
): Promise<boolean> {
  return writes(db, change('silences', { id }, { until, reason }));
}

/** Lists silences that are not over, the first to end first. */
export async function listSilences(db: Db, now: number): Promise<readonly SilenceRow[]> {
  const query = db.selectFrom('silences').select(READ).where('until', '>', instant(now));
  return query.orderBy('until').orderBy('id').execute();
}
