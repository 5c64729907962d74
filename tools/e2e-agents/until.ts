// Polls until a condition holds or its time is over.
import { setTimeout as delay } from 'node:timers/promises';

/** Milliseconds between two questions. */
const EVERY_MS = 100;

/**
 * Asks until there is an answer.
 *
 * @throws with what was waited for after `withinMs` milliseconds.
 */
export async function until<T>(what: string, ask: () => Promise<T | undefined>, withinMs: number): Promise<T> {
  const end = performance.now() + withinMs;
  for (;;) {
    const answer = await ask();
    if (answer !== undefined) return answer;
    if (performance.now() > end) throw new Error(`Waited ${withinMs / 1_000} s in vain for ${what}`);
    await delay(EVERY_MS);
  }
}
