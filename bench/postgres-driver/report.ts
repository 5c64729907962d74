// Defines what the process of a driver reports, and retries its statements.
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';

/** Messages of a driver's process to its parent. Milliseconds are from the first failed statement to the first answered one. */
export const REPORTS = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('transaction-open') }),
  z.object({ kind: z.literal('recovered'), afterMs: z.number() }),
  z.object({ kind: z.literal('gave-up') }),
]);

export type Report = z.infer<typeof REPORTS>;

/** Milliseconds that a driver may take to find the server that is back. */
const PATIENCE_MS = 10_000;

/** Opens a transaction that the server's death will end, then asks until the server answers. Ends the process. */
export async function surviveRestart(
  transaction: (whileOpen: () => Promise<unknown>) => Promise<void>,
  ask: () => Promise<unknown>,
): Promise<void> {
  await transaction(async () => {
    tell({ kind: 'transaction-open' });
    await once(process, 'message'); // the server died and is back
  }).catch(() => {});
  const failedAt = performance.now();
  const elapsed = () => Math.round(performance.now() - failedAt);
  while (elapsed() < PATIENCE_MS) {
    const answered = await Promise.race([
      ask().then(
        () => true,
        () => false,
      ),
      sleep(1_000, false),
    ]);
    if (answered) {
      tell({ kind: 'recovered', afterMs: elapsed() });
      return process.disconnect?.();
    }
    await sleep(5);
  }
  tell({ kind: 'gave-up' });
  process.disconnect?.();
}

function tell(report: Report): void {
  process.send?.(report);
}
