/** The one place where the CLI asks for the time. */
import { setTimeout as delay } from 'node:timers/promises';

/** Epoch milliseconds. */
export function systemNow(): number {
  return Date.now();
}

/** Waits so many milliseconds. */
export async function systemSleep(ms: number): Promise<void> {
  await delay(ms);
}
