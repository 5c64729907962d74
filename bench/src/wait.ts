// Waits in a measurement: for a time, or for a condition with a deadline.
import { setTimeout as sleep } from 'node:timers/promises';

export { sleep };

const EVERY_MS = 20;

/** Waits until `ask` answers with something. @throws after `withinMs`, naming what was waited for. */
export async function until<T>(
  what: string,
  withinMs: number,
  ask: () => T | undefined | Promise<T | undefined>,
): Promise<T> {
  const end = performance.now() + withinMs;
  for (;;) {
    const answer = await ask();
    if (answer !== undefined) return answer;
    if (performance.now() > end) throw new Error(`Waited ${withinMs} ms in vain for ${what}`);
    await sleep(EVERY_MS);
  }
}

/** Milliseconds since the epoch with fractions: the same clock in every process of this machine. */
export function now(): number {
  return performance.timeOrigin + performance.now();
}
