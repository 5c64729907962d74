/** Waits for conditions in tests. */
import { until } from '../../../../tools/fleet/wait.ts';

/** Waits until the condition holds: one that throws does not hold yet. The failure after `withinMs` milliseconds names it, and what it threw last. */
export async function waitFor(condition: () => boolean | Promise<boolean>, withinMs = 60_000): Promise<void> {
  let thrown: unknown;
  const holds = async (): Promise<boolean> => {
    try {
      return await condition();
    } catch (error) {
      thrown = error;
      return false;
    }
  };
  await until(String(condition), holds, withinMs).catch((error: unknown) => {
    throw new Error(String(error), { cause: thrown });
  });
}
