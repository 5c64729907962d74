/** Makes rows of a machine's checkpoints, and drops rows that make room for them. */
import { surplusCheckpoints } from '@drover/core';
import type { StoreTransaction } from '@drover/store';
import type { Context } from '../../context/context.ts';
import { POLICY } from '../../facts/people/causes.ts';
import { policyInForce } from '../../facts/policies/in-force.ts';
import type { About, RecordOf } from '../about.ts';
import { checkpointRow } from '../rows.ts';

/**
 * Writes the row, unless it is a periodic one in which nothing had changed: the machine then names the commit of an existing checkpoint,
 * or none. The refs on the machine make room by the same rule.
 */
export async function saveCheckpoint(
  ctx: Context,
  tx: StoreTransaction,
  { about, entry }: { about: About; entry: RecordOf<'checkpoint'> },
): Promise<void> {
  const earlier = await tx.listCheckpoints({ workerId: about.row.id, limit: ROWS_READ_MAX });
  const same = entry.commit === null || earlier.some(({ commit }) => commit === entry.commit);
  if (entry.type === 'periodic' && same) return;
  // A checkpoint that a person asked for has the id of the request.
  const actor = entry.type === 'manual' ? await tx.causeOfRequest(about.row.id, entry.id) : null;
  const row = checkpointRow(about, entry, actor ?? POLICY);
  if (!(await tx.insertCheckpoint(row))) return;
  const all = [row, ...earlier].map(({ id, type, createdAt }) => ({ id, type, at: createdAt }));
  const { keptMax } = policyInForce(ctx, about.project, about.row.name).policy.checkpoint;
  await tx.deleteCheckpoints(surplusCheckpoints(all, keptMax));
}

/** More than are ever kept of one worker. */
const ROWS_READ_MAX = 1_000;
