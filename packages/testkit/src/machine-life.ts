/** One life of the simulated machine agent's process: when it dies, whatever it was doing never goes on. */
import type { VirtualTime } from './virtual-time.ts';

/** A process that can die between any two steps. */
export class MachineLife {
  readonly #time: VirtualTime;
  isAlive = true;

  constructor(time: VirtualTime) {
    this.#time = time;
  }

  /** Never settles once the process has died. */
  sleep(ms: number): Promise<void> {
    return new Promise((resolve) => {
      this.#time.after(ms, () => {
        if (this.isAlive) resolve();
      });
    });
  }

  /** Calls `run` later, unless the process has died. */
  after(ms: number, run: () => void): () => void {
    return this.#time.after(ms, () => {
      if (this.isAlive) run();
    });
  }

  /** What comes from outside reaches only a process that lives. */
  async hear<T>(outside: Promise<T>): Promise<T> {
    try {
      const value = await outside;
      return this.isAlive ? value : await never();
    } catch (error) {
      if (!this.isAlive) await never();
      throw error;
    }
  }
}

/** What a dead process waits for. */
export function never(): Promise<never> {
  return new Promise(() => {});
}
