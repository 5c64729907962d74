/** Waits for conditions in tests. */
import { until } from '../../../../tools/fleet/wait.ts';

/** Waits until the condition holds; fails after `withinMs` milliseconds. */
export async function waitFor(condition: () => boolean | Promise<boolean>, withinMs = 60_000): Promise<void> {
  await until('a condition to hold', condition, withinMs);
}
