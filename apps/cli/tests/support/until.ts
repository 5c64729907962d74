/** How do these tests wait? For a condition, with a deadline. */

/** Milliseconds that anything may take on a loaded machine. */
const DEADLINE_MS = 120_000;
const EVERY_MS = 20;

/** Asks every so many milliseconds. @throws when `ask` has not answered with something in time. */
export async function until<T>(
  what: string,
  ask: () => T | undefined | Promise<T | undefined>,
  everyMs = EVERY_MS,
): Promise<T> {
  const end = performance.now() + DEADLINE_MS;
  for (;;) {
    const answer = await ask();
    if (answer !== undefined && answer !== false) return answer;
    if (performance.now() > end) throw new Error(`Waited ${DEADLINE_MS} ms in vain for ${what}`);
    await new Promise((resolve) => setTimeout(resolve, everyMs));
  }
}
