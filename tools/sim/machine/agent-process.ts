/**
 * Simulates a process of a machine agent, or of a gateway. Everything that the real core touches goes through here, so that nothing happens after
 * the process died: no timer fires, no answer arrives, and the disk is closed to it. While the process is stopped, all that waits.
 */
import type { LocalClock, Log } from '@drover/base';
import type { CrashPoint } from '@drover/machine-agent/testing';
import type { VirtualTime } from '@drover/testkit';

/** Ends what a dead process was doing; only the code that it is thrown into can catch it. */
export class AgentDied extends Error {
  override readonly name = 'AgentDied';
}

export interface AgentProcessParts {
  readonly time: VirtualTime;
  /** The machine's own clock. */
  readonly now: () => number;
  readonly random: () => number;
  readonly log: Log;
  /** Tells whether the process dies at this point of a command. */
  readonly diesAt: (point: CrashPoint, kind: string) => boolean;
  /** The process in which this is one of several agents. */
  readonly within?: AgentProcess | undefined;
}

/** A process that can die between any two steps. */
export class AgentProcess {
  readonly #parts: AgentProcessParts;
  readonly #onDeath: (() => void)[] = [];
  #isDead = false;
  /** Callbacks that wait until the process goes on; null: it runs. */
  #waiting: (() => void)[] | null = null;

  constructor(parts: AgentProcessParts) {
    this.#parts = parts;
    parts.within?.onDeath(() => this.die());
  }

  get isAlive(): boolean {
    return !this.#isDead;
  }

  get isStopped(): boolean {
    return this.#waiting !== null || this.#parts.within?.isStopped === true;
  }

  /** The clock that its parts see. */
  readonly clock: LocalClock = {
    now: () => this.#parts.now(),
    elapsed: () => this.#parts.time.now(),
    after: (ms, run) => this.after(ms, run),
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
    if (this.#isDead) return;
    this.#isDead = true;
    for (const close of this.#onDeath) close();
  }

  onDeath(close: () => void): void {
    this.#onDeath.push(close);
  }

  /** Stops the process until it goes on, as after SIGSTOP. */
  stop(): void {
    this.#waiting ??= [];
  }

  goOn(): void {
    const waiting = this.#waiting ?? [];
    this.#waiting = null;
    for (const run of waiting) this.#whenRunning(run);
  }

  /** Waits. Never settles once the process has died. */
  sleep(ms: number): Promise<void> {
    return new Promise((resolve) => void this.after(ms, resolve));
  }

  /** Calls `run` later, unless the process has died. */
  after(ms: number, run: () => void): () => void {
    let isCancelled = false;
    const cancel = this.#parts.time.after(ms, () => {
      this.#whenRunning(() => {
        if (!isCancelled) run();
      });
    });
    return () => {
      isCancelled = true;
      cancel();
    };
  }

  /** Passes on what comes from outside, only while the process lives. */
  async hear<T>(outside: Promise<T>): Promise<T> {
    try {
      const value = await outside;
      if (this.isStopped) await this.#untilRunning();
      return this.isAlive ? value : await never();
    } catch (error) {
      if (this.isStopped) await this.#untilRunning();
      if (!this.isAlive) await never();
      throw error;
    }
  }

  #untilRunning(): Promise<void> {
    return new Promise((resolve) => this.#whenRunning(resolve));
  }

  #whenRunning(run: () => void): void {
    if (!this.isAlive) return;
    const { within } = this.#parts;
    if (this.#waiting !== null) this.#waiting.push(run);
    else if (within === undefined) run();
    else within.#whenRunning(() => this.isAlive && run());
  }
}

/** Returns a promise that a dead process waits for, and that never settles. */
export function never(): Promise<never> {
  return new Promise(() => {});
}
