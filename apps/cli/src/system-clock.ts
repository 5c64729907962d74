/** The clock of the CLI; no other code asks for the time. */
import { setTimeout as delay } from 'node:timers/promises';

/** Returns epoch milliseconds. */
export function systemNow(): number {
  return Date.now();
}

/** Calls `run` after so many milliseconds, if the process still runs then: the alarm alone does not keep it running. */
export function systemAlarm(ms: number, run: () => void): void {
  setTimeout(run, ms).unref();
}

/** Waits so many milliseconds, or until the signal fires. Never rejects. */
export async function systemSleep(ms: number, signal?: AbortSignal): Promise<void> {
  await delay(ms, undefined, signal === undefined ? {} : { signal }).catch(() => {});
}
