/** How do these tests wait? For a condition, with a deadline. */
import { setTimeout as delay } from 'node:timers/promises';
import { pauseAfter } from './kill/wait.ts';

/** Milliseconds that anything may take on a loaded machine. */
const DEADLINE_MS = 120_000;
const EVERY_MS = 20;

/** Asks every so many milliseconds at first, and less often the longer it waits. @throws when `ask` has not answered with something in time. */
export async function until<T>(
  what: string,
  ask: () => T | undefined | Promise<T | undefined>,
  everyMs = EVERY_MS,
): Promise<T> {
  const began = performance.now();
  const end = began + DEADLINE_MS;
  for (;;) {
    const answer = await ask();
    if (answer !== undefined && answer !== false) return answer;
    if (performance.now() > end) throw new Error(`Waited ${DEADLINE_MS} ms in vain for ${what}`);
    await delay(pauseAfter(performance.now() - began, everyMs));
  }
}
