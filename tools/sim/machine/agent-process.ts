/**
 * One process of a machine agent. Everything that the real core touches goes through here, so that nothing happens after the
 * process died: no timer fires, no answer arrives, and the disk is closed to it.
 */
import type { Clock, CrashPoint, Log } from '@drover/machine-agent/testing';
import type { VirtualTime } from '@drover/testkit';

/** Ends what a dead process was doing; only the code that it is thrown into can catch it. */
export class AgentDied extends Error {
  override readonly name = 'AgentDied';
}

/** What a process is made of. */
export interface AgentProcessParts {
  readonly time: VirtualTime;
  /** The machine's own clock. */
  readonly now: () => number;
  readonly random: () => number;
  readonly log: Log;
  /** Whether the process dies at this point of an order. */
  readonly diesAt: (point: CrashPoint, kind: string) => boolean;
}

/** A process that can die between any two steps. */
export class AgentProcess {
  readonly #parts: AgentProcessParts;
  readonly #onDeath: (() => void)[] = [];
  isAlive = true;

  constructor(parts: AgentProcessParts) {
    this.#parts = parts;
  }

  /** The clock that its parts see. */
  readonly clock: Clock = {
    now: () => this.#parts.now(),
    elapsed: () => this.#parts.time.now(),
    setTimer: (ms, run) => this.after(ms, run),
  };

  readonly random = (): number => (this.isAlive ? this.#parts.random() : 0);

  readonly log: Log = (level, message, fields) => {
    if (this.isAlive) this.#parts.log(level, message, fields);
  };

  /** A point of the real core at which the process may die. */
  readonly crashPoint = (point: CrashPoint, kind: string): void => {
    if (!this.isAlive || this.#parts.diesAt(point, kind)) throw new AgentDied(`the agent died at "${point}"`);
  };

  /** The process ends as if killed; `close` gives back what it held open. */
  die(): void {
    this.isAlive = false;
    for (const close of this.#onDeath) close();
  }

  onDeath(close: () => void): void {
    this.#onDeath.push(close);
  }

  /** Never settles once the process has died. */
  sleep(ms: number): Promise<void> {
    return new Promise((resolve) => void this.after(ms, resolve));
  }

  /** Calls `run` later, unless the process has died. */
  after(ms: number, run: () => void): () => void {
    return this.#parts.time.after(ms, () => {
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
