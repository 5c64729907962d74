// What does the process of a driver tell, and how does it try again?
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';

/** What a driver's process tells its parent. Milliseconds are from the first failed statement to the first answered one. */
export const REPORTS = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('transaction-open') }),
  z.object({ kind: z.literal('recovered'), afterMs: z.number() }),
  z.object({ kind: z.literal('gave-up') }),
]);

/** One message of `REPORTS`. */
export type Report = z.infer<typeof REPORTS>;

/** How long a driver may take to find the server that is back, in milliseconds. */
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
