/** Time that passes only when nothing is left to do. */
import { drained } from './macrotask-adapter.ts';

interface Timer {
  readonly at: number;
  readonly rank: number;
  readonly run: () => void;
  isCancelled: boolean;
}

/** Epoch milliseconds at which every simulation begins: 2026-01-01T00:00:00Z. */
const VIRTUAL_START = 1_767_225_600_000;

/** Clock that fires its timers one after another, each after everything before it has come to rest. */
export class VirtualTime {
  #now = VIRTUAL_START;
  #rank = 0;
  readonly #heap: Timer[] = [];
  readonly #rest: () => Promise<void>;

  /** @param rest Resolves when nothing goes on without time; for callers that wait for more than promises. */
  constructor(rest: () => Promise<void> = drained) {
    this.#rest = rest;
  }

  readonly now = (): number => this.#now;

  /** Calls `run` once after `ms` milliseconds unless the returned function is called before. */
  readonly after = (ms: number, run: () => void): (() => void) => {
    this.#rank += 1;
    const timer: Timer = { at: this.#now + Math.max(0, Math.ceil(ms)), rank: this.#rank, run, isCancelled: false };
    this.#push(timer);
    return () => {
      timer.isCancelled = true;
    };
  };

  readonly sleep = (ms: number): Promise<void> => new Promise((resolve) => void this.after(ms, resolve));

  /** Fires timers until this time, or until `isDone` says so after one of them. */
  async run(until: number, isDone: () => boolean = () => false): Promise<void> {
    await this.#rest();
    for (;;) {
      const next = this.#heap[0];
      if (next === undefined || next.at > until || isDone()) break;
      this.#pop();
      if (next.isCancelled) continue;
      this.#now = next.at;
      next.run();
      await this.#rest();
    }
    if (!isDone()) this.#now = Math.max(this.#now, until);
  }

  #push(timer: Timer): void {
    const heap = this.#heap;
    let at = heap.push(timer) - 1;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      const above = heap[parent];
      if (above === undefined || !isBefore(timer, above)) break;
      heap[at] = above;
      at = parent;
    }
    heap[at] = timer;
  }

  #pop(): void {
    const heap = this.#heap;
    const last = heap.pop();
    if (last === undefined || heap.length === 0) return;
    let at = 0;
    for (;;) {
      const left = heap[2 * at + 1];
      const right = heap[2 * at + 2];
      if (left === undefined) break;
      const isRight = right !== undefined && isBefore(right, left);
      const child = isRight ? right : left;
      if (!isBefore(child, last)) break;
      heap[at] = child;
      at = 2 * at + (isRight ? 2 : 1);
    }
    heap[at] = last;
  }
}

function isBefore(one: Timer, other: Timer): boolean {
  return one.at < other.at || (one.at === other.at && one.rank < other.rank);
}
