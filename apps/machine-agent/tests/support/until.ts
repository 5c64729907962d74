/** Waits in tests for a condition, with a deadline. */

/** Milliseconds that anything may take on a loaded machine. */
const DEADLINE_MS = 180_000;
const EVERY_MS = 10;

/** @throws when `ask` has not answered with something in time. */
export async function until<T>(
  what: string,
  ask: () => T | undefined | Promise<T | undefined>,
  ms = DEADLINE_MS,
): Promise<T> {
  const end = performance.now() + ms;
  for (;;) {
    const answer = await ask();
    if (answer !== undefined && answer !== false) return answer;
    if (performance.now() > end) throw new Error(`Waited ${ms} ms in vain for ${what}`);
    await new Promise((resolve) => setTimeout(resolve, EVERY_MS));
  }
}
