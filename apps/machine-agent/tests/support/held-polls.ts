/** Holds polls for a coordinator of tests until there is something to say. */
import type { ServerResponse } from 'node:http';

export class HeldPolls {
  readonly #held = new Set<() => void>();

  /** Ends all held polls. */
  wake(): void {
    for (const wake of this.#held) wake();
  }

  /** Holds a poll until `wake`, until the machine hangs up, or the time is over. */
  async hold(seconds: number, response: ServerResponse): Promise<void> {
    if (seconds === 0) return;
    await new Promise<void>((resolve) => {
      const done = (): void => {
        clearTimeout(timer);
        this.#held.delete(done);
        resolve();
      };
      const timer = setTimeout(done, seconds * 1_000);
      this.#held.add(done);
      response.on('close', done);
    });
  }
}
