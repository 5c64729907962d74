/** Waits for conditions in tests. */
import { expect } from 'vitest';

/** Waits until the condition holds; fails after `withinMs` milliseconds. */
export async function waitFor(condition: () => boolean | Promise<boolean>, withinMs = 60_000): Promise<void> {
  await expect.poll(condition, { timeout: withinMs, interval: 20 }).toBe(true);
}
