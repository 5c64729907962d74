/** Shares polls: scenarios that run at once poll together, because single polls kept the coordinator busy with nothing else. */
import { setTimeout as delay } from 'node:timers/promises';

/** Milliseconds in which others may join, half of the pause between two polls of one scenario. */
const JOIN_MS = 50;

/** Asks once for all callers within a moment. The query begins after the last of them joined: no answer is older than its caller. */
export function together<T>(ask: () => Promise<T>): () => Promise<T> {
  let next: Promise<T> | null = null;
  return () =>
    (next ??= delay(JOIN_MS).then(() => {
      next = null;
      return ask();
    }));
}
