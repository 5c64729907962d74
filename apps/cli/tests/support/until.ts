/** Waits of these tests: for a condition, with a deadline. */
import { setTimeout as delay } from 'node:timers/promises';
import { pauseAfter } from './kill/wait.ts';

/** Milliseconds that anything may take on a loaded machine. */
const DEADLINE_MS = 300_000;
const EVERY_MS = 20;
/** A poll that starts a process keeps a processor busy: the pause after it is as many times longer. */
const TIMES_POLL = 2;
const AFTER_POLL_MAX_MS = 1_000;

/** Polls every so many milliseconds at first, and less often later. @throws if `ask` has not answered in time. */
export async function until<T>(
  what: string,
  ask: () => T | undefined | Promise<T | undefined>,
  everyMs = EVERY_MS,
): Promise<T> {
  const began = performance.now();
  const end = began + DEADLINE_MS;
  for (;;) {
    const asked = performance.now();
    const answer = await ask();
    if (answer !== undefined && answer !== false) return answer;
    if (performance.now() > end) throw new Error(`Waited ${DEADLINE_MS} ms in vain for ${what}`);
    const at = performance.now();
    await delay(Math.max(pauseAfter(at - began, everyMs), Math.min(AFTER_POLL_MAX_MS, (at - asked) * TIMES_POLL)));
  }
}
