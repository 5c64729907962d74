/** Waits in tests: for a condition, never for a time. */
import { setTimeout as sleep } from 'node:timers/promises';

/** Timeout in milliseconds, generous for a loaded machine: a passing test does not wait for it. */
const PATIENCE_MS = 60_000;

/** Resolves with the first value that is not null, undefined or false. @throws if there is none in time. */
export async function waitFor<T>(what: string, find: () => T | null | undefined | false): Promise<T> {
  const end = Date.now() + PATIENCE_MS;
  for (;;) {
    const found = find();
    if (found !== null && found !== undefined && found !== false) return found;
    if (Date.now() > end) throw new Error(`Waited ${PATIENCE_MS / 1_000} s in vain: ${what}`);
    await sleep(5);
  }
}
