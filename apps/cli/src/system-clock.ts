/** The one place where the CLI asks for the time. */
import { setTimeout as delay } from 'node:timers/promises';

/** Epoch milliseconds. */
export function systemNow(): number {
  return Date.now();
}

/** Waits so many milliseconds, or until the signal fires. Never rejects. */
export async function systemSleep(ms: number, signal?: AbortSignal): Promise<void> {
  await delay(ms, undefined, signal === undefined ? {} : { signal }).catch(() => {});
}
