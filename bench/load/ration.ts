// Gives processes a part of a processor's time, as if each were on a small machine of its own.
import { setTimeout as delay } from 'node:timers/promises';

/** Milliseconds of a round: long enough that stopping costs little, short enough that an answer is late by no more than this. */
const ROUND_MS = 50;

/** Stops each process for the rest of each round, until it is disposed of; then all go on. */
export class Ration implements AsyncDisposable {
  readonly #pids: readonly number[];
  readonly #ended: Promise<unknown>;
  #isOver = false;

  /** `share`: of the time, over 0 and under 1. */
  constructor(pids: readonly number[], share: number) {
    this.#pids = pids;
    // Spreads the turns of the processes over the round: they share the processors with what they ask and who asks them.
    this.#ended = Promise.all(pids.map((pid, index) => this.#ration(pid, (ROUND_MS * index) / pids.length, share)));
  }

  async #ration(pid: number, afterMs: number, share: number): Promise<void> {
    await delay(afterMs);
    while (!this.#isOver) {
      process.kill(pid, 'SIGCONT');
      await delay(ROUND_MS * share);
      process.kill(pid, 'SIGSTOP');
      await delay(ROUND_MS * (1 - share));
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isOver = true;
    await this.#ended;
    for (const pid of this.#pids) process.kill(pid, 'SIGCONT');
  }
}
