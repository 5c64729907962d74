/** Waits of these tests: for a condition with a deadline, or for the one thing that is a time, the moment of a kill. */
import { setTimeout as delay } from 'node:timers/promises';

/** Milliseconds between two polls, which grow with the wait. Answering keeps the processor busy that the others wait for. */
const EVERY_MIN_MS = 100;
const EVERY_MAX_MS = 300;
const SHARE_OF_WAIT = 0.1;

/** Returns milliseconds on a clock that never jumps. */
export function now(): number {
  return performance.now();
}

/** Waits for a moment on the clock of `now`. The moment is the subject of the test; nothing else may wait for a time. */
export async function moment(at: number): Promise<void> {
  await delay(Math.max(0, at - now()));
}

/** @throws if `ask` has not answered within `ms`; the error says what it had seen by then. */
export async function until<T>(
  what: () => string | Promise<string>,
  ask: () => T | undefined | Promise<T | undefined>,
  ms: number,
): Promise<T> {
  const began = now();
  const end = began + ms;
  for (;;) {
    const answer = await ask();
    if (answer !== undefined) return answer;
    if (now() > end) throw new Error(`Waited ${ms} ms in vain for ${await what()}`);
    await delay(pauseAfter(now() - began));
  }
}

/** Returns the pause before the next poll, after so many milliseconds of waiting; the first is `everyMs`. */
export function pauseAfter(waitedMs: number, everyMs = EVERY_MIN_MS): number {
  return Math.max(everyMs, Math.min(EVERY_MAX_MS, waitedMs * SHARE_OF_WAIT));
}
