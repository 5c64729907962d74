/** How do these tests wait? For a condition with a deadline, or for the one thing that is a time: the moment of a kill. */
import { setTimeout as delay } from 'node:timers/promises';

const EVERY_MS = 100;

/** Milliseconds on a clock that never jumps. */
export function now(): number {
  return performance.now();
}

/** Waits for a moment on the clock of `now`. The moment is what is tested; nothing else may be waited for by time. */
export async function moment(at: number): Promise<void> {
  await delay(Math.max(0, at - now()));
}

/** @throws when `ask` has not answered with something within `ms`; the error says what it had seen by then. */
export async function until<T>(
  what: () => string | Promise<string>,
  ask: () => T | undefined | Promise<T | undefined>,
  ms: number,
): Promise<T> {
  const end = now() + ms;
  for (;;) {
    const answer = await ask();
    if (answer !== undefined) return answer;
    if (now() > end) throw new Error(`Waited ${ms} ms in vain for ${await what()}`);
    await delay(EVERY_MS);
  }
}
