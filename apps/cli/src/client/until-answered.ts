/** Repeats a call while the coordinator is away, for commands that go on until Ctrl-C. */
import { CommandError } from '../exit-codes.ts';
import type { Surroundings } from '../surroundings.ts';

/** Milliseconds between two tries while nothing answers. */
export const AGAIN_MS = 1_000;

/** Calls until the coordinator answers, and says once that it does not. @throws {CommandError} for any other failure. */
export async function untilAnswered<T>(
  { terminal, sleep }: Pick<Surroundings, 'terminal' | 'sleep'>,
  call: () => Promise<T>,
): Promise<T> {
  for (let isTold = false; ; isTold = true) {
    try {
      return await call();
    } catch (error) {
      if (!(error instanceof CommandError) || error.code !== 'unreachable') throw error;
      if (!isTold) terminal.err(`${error.message}. Trying again until it answers; Ctrl-C ends`);
      await sleep(AGAIN_MS);
    }
  }
}
