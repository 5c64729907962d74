/** Waits for a condition with a deadline, or for the one thing that is a time: the moment of a kill. */
import { setTimeout as delay } from 'node:timers/promises';

/** Milliseconds that anything may take on a loaded machine. */
const WITHIN_MS = 300_000;
/** Milliseconds between two polls, which grow with the wait. Answering keeps the processor busy that the others wait for. */
const EVERY_MIN_MS = 20;
const EVERY_MAX_MS = 300;
const SHARE_OF_WAIT = 0.1;
/** A poll that starts a process keeps a processor busy: the pause after it is as many times longer. */
const TIMES_POLL = 2;
const AFTER_POLL_MAX_MS = 1_000;

/** Returns milliseconds on a clock that never jumps. */
export function now(): number {
  return performance.now();
}

/** Waits for a moment on the clock of `now`. The moment is the subject of the test; nothing else may wait for a time. */
export async function moment(at: number): Promise<void> {
  await delay(Math.max(0, at - now()));
}

/**
 * Polls until `ask` answers with something other than undefined or false.
 *
 * @throws after `withinMs`; the error says what was awaited, by then.
 */
export async function until<T>(
  what: string | (() => string | Promise<string>),
  ask: () => T | undefined | Promise<T | undefined>,
  withinMs = WITHIN_MS,
): Promise<T> {
  const began = now();
  for (;;) {
    const asked = now();
    const answer = await ask();
    if (answer !== undefined && answer !== false) return answer;
    const waited = now() - began;
    if (waited > withinMs)
      throw new Error(`Waited ${withinMs} ms in vain for ${typeof what === 'string' ? what : await what()}`);
    const afterPoll = Math.min(AFTER_POLL_MAX_MS, (now() - asked) * TIMES_POLL);
    await delay(Math.max(EVERY_MIN_MS, afterPoll, Math.min(EVERY_MAX_MS, waited * SHARE_OF_WAIT)));
  }
}
