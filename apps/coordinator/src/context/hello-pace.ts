/**
 * Lets machines in one after the other. After an outage all machines come at once: each that has proved its identity either goes on, or
 * is given a turn. The turn is kept, so that no later machine passes an earlier one (docs/adr/0012).
 */

/**
 * Hellos that a replica answers in a second: 500 machines are back within 40 s, and the database keeps a fifth of its processor
 * (bench/RESULTS.md).
 */
const PER_SECOND = 14;
/** Milliseconds within which a turn is given at once: a running fleet never has to wait. */
const AT_ONCE_MS = 1_000;
/** Hellos that may be in progress. Beyond that, hellos come faster than the replica answers them, whatever the rate. */
const UNDER_WAY_MAX = 16;
/** Milliseconds after which an unused turn is lost: its machine has gone to another replica, or away. */
const KEPT_MS = 30_000;

/** Answer to a hello: go on and call `done` in the end, or wait. */
export type Turn =
  | { readonly kind: 'now'; readonly done: () => void }
  | { readonly kind: 'later'; readonly afterMs: number };

/** Turns of one replica, kept in memory: a machine asks again for a turn that is lost with its replica. */
export class HelloPace {
  readonly #elapsed: () => number;
  /** Time of the turn of each machine that waits; the newest turn is the last entry. */
  readonly #turns = new Map<string, number>();
  #freeAt = 0;
  #underWay = 0;

  /** @param elapsed Milliseconds that only grow. */
  constructor(elapsed: () => number) {
    this.#elapsed = elapsed;
  }

  /** @param machineId A machine that has proved its identity: strangers take no turns. */
  ask(machineId: string): Turn {
    const now = this.#elapsed();
    this.#forget(now - KEPT_MS);
    // A machine has one turn at a time: a machine that says hello without end takes no others.
    const given = this.#turns.get(machineId);
    const at = given ?? this.#next(now);
    const hasCome = at <= (given === undefined ? now + AT_ONCE_MS : now);
    this.#turns.delete(machineId);
    if (hasCome && this.#underWay < UNDER_WAY_MAX) return this.#goOn();
    // A machine whose turn has come while others are in progress asks again soon.
    const turn = hasCome ? now + AT_ONCE_MS : at;
    this.#turns.set(machineId, turn);
    return later(turn - now);
  }

  #goOn(): Turn {
    this.#underWay += 1;
    return { kind: 'now', done: () => void (this.#underWay -= 1) };
  }

  #next(now: number): number {
    const at = Math.max(now, this.#freeAt);
    this.#freeAt = at + 1_000 / PER_SECOND;
    return at;
  }

  /** Drops old turns. The entries are roughly in order of time; later calls drop the rest. */
  #forget(before: number): void {
    for (const [machineId, at] of this.#turns) {
      if (at > before) return;
      this.#turns.delete(machineId);
    }
  }
}

function later(afterMs: number): Turn {
  return { kind: 'later', afterMs: Math.max(1, Math.ceil(afterMs)) };
}
