/** Finds the run that a request means. */
import type { Refusal } from '@drover/api';
import type { RunRow } from '@drover/store';
import type { Context } from '../../context/context.ts';
import { refused } from '../../context/refused.ts';
import type { Reach } from '../workers/find.ts';

export type FoundRun = { readonly kind: 'found'; readonly row: RunRow } | Refusal;

/** Finds a run by a whole id, or by a beginning or end that only one has. If several match, the only open one wins. */
export async function findRun({ store }: Context, part: string, by: Reach): Promise<FoundRun> {
  const where = by.project === null ? {} : { projectId: by.project };
  const rows = await store.listRuns({ idPart: part, limit: 20, ...where });
  const open = rows.filter(({ endedAt }) => endedAt === null);
  const [row] = open.length === 1 ? open : rows;
  if (row === undefined) return refused('not-found', `There is no run "${part}": see "drover run list --all"`);
  if (rows.length === 1 || open.length === 1) return { kind: 'found', row };
  return refused('invalid', `"${part}" matches ${rows.length} runs: ${rows.map(({ id }) => id).join(', ')}`);
}
