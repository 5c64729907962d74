/** Finds commands whose hint was lost: all connections and polls of a process read the outbox together, in one statement a second. */
import type { Context } from '../context/context.ts';
import type { Waiters } from '../context/waiters.ts';

/** Milliseconds between two reads: a command whose hint is lost is late by at most this. */
const READ_EVERY_MS = 1_000;

/** Wakes waiters for commands of a machine that has some; reads the database only while somebody waits. */
export class OutboxWatch implements Disposable {
  readonly #ctx: Context;
  readonly #commands: Waiters;
  #cancel: () => void;
  #isOver = false;

  constructor(ctx: Context, commands: Waiters) {
    this.#ctx = ctx;
    this.#commands = commands;
    this.#cancel = ctx.clock.after(READ_EVERY_MS, () => void this.#read());
  }

  async #read(): Promise<void> {
    const { store, clock, log } = this.#ctx;
    try {
      if (!this.#commands.isEmpty) for (const id of await store.machinesWithCommands()) this.#commands.wake(id);
    } catch (error) {
      log('debug', `Cannot read the outbox: ${String(error)}`);
    }
    if (!this.#isOver) this.#cancel = clock.after(READ_EVERY_MS, () => void this.#read());
  }

  [Symbol.dispose](): void {
    this.#isOver = true;
    this.#cancel();
  }
}
