/**
 * Counts reports that a machine had no right to make. Such a report has no consequences and is not stored: each machine and reason has a
 * count and a digest of the last report, which the doctor shows.
 */
import { createHash } from 'node:crypto';
import type { ObservationBody } from '@drover/protocol';
import type { Machine, RefusalRecord, RefusedReports, StoreTransaction } from '@drover/store';
import type { Context } from '../../context/context.ts';
import { REFUSALS } from '../../context/refused-reports.ts';
import type { Refusal } from '../../context/refused-reports.ts';

/** Reports of one machine in one transaction. */
interface Refused {
  readonly machine: Machine;
  readonly refused: readonly { readonly refusal: Refusal; readonly body: ObservationBody }[];
}

/**
 * Counts the reports. @returns a function that counts and logs them after the commit; a reason is logged when it is new: a machine that
 * lies goes on lying.
 */
export async function countRefusals(
  ctx: Context,
  tx: StoreTransaction,
  { machine: { id, name }, refused }: Refused,
): Promise<() => void> {
  if (refused.length === 0) return () => {};
  const byReason = [...Map.groupBy(refused, ({ refusal }) => refusal)];
  const rows = byReason.map(([reason, some]) => rowOf(reason, some));
  const fresh = await tx.countRefusedReports(id, rows, ctx.clock.now());
  return () => {
    for (const { refusal } of refused) ctx.counters?.refused(refusal);
    for (const [refusal] of byReason) {
      if (!fresh.includes(refusal)) continue;
      const { level, says } = REFUSALS[refusal];
      ctx.log(level, `The machine "${name}" ${says}: Drover ignores it`, { machineId: id, refusal });
    }
  };
}

function rowOf(reason: Refusal, refused: Refused['refused']): RefusedReports {
  const texts = refused.map(({ body }) => JSON.stringify(body));
  const bytes = texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  const sha256 = createHash('sha256')
    .update(texts.at(-1) ?? '')
    .digest('hex');
  return { reason, count: texts.length, bytes, sha256 };
}

/** Lists the refused reports of a machine, without those that honest machines send as well. */
export function refusalsOf(
  records: readonly RefusalRecord[],
  machineId: string,
): readonly (RefusalRecord & { readonly says: string })[] {
  return records.flatMap((record) => {
    if (record.machineId !== machineId || !(record.reason in REFUSALS)) return [];
    const { level, says } = REFUSALS[record.reason as Refusal];
    return level === 'warn' ? [{ ...record, says }] : [];
  });
}
