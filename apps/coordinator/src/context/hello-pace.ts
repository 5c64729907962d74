/**
 * Lets machines in one after the other. After an outage all of them come at once: each one that has proved who it is either goes on, or is
 * told when its turn is. The turn is kept for it, so that no machine that comes later passes it (docs/adr/0012).
 */

/** Hellos that a replica answers in a second: 500 machines are back within 40 s, and the database has a fifth of its processor left (bench/RESULTS.md). */
const PER_SECOND = 14;
/** A turn that comes within this time, in milliseconds, is given at once: a fleet that runs is never told to wait. */
const AT_ONCE_MS = 1_000;
/** Hellos that are being answered. When there are more, they come faster than they are answered, whatever the rate. */
const UNDER_WAY_MAX = 16;
/** A turn that is not taken within this time, in milliseconds, is lost: its machine has gone to another replica, or away. */
const KEPT_MS = 30_000;

/** What a hello is told: to go on, and to call `done` in the end, or how long to wait. */
export type Turn =
  | { readonly kind: 'now'; readonly done: () => void }
  | { readonly kind: 'later'; readonly afterMs: number };

/** The turns of one replica, in its memory: what is lost with it, a machine asks for again. */
export class HelloPace {
  readonly #elapsed: () => number;
  /** When the turn is of each machine that was told to wait; the last one given is the last. */
  readonly #turns = new Map<string, number>();
  #freeAt = 0;
  #underWay = 0;

  /** @param elapsed Milliseconds that only grow. */
  constructor(elapsed: () => number) {
    this.#elapsed = elapsed;
  }

  /** @param machineId One that has proved who it is: strangers take no turns. */
  ask(machineId: string): Turn {
    const now = this.#elapsed();
    this.#forget(now - KEPT_MS);
    // One turn for a machine at a time: one that says hello without end takes no others.
    const given = this.#turns.get(machineId);
    const at = given ?? this.#next(now);
    const hasCome = at <= (given === undefined ? now + AT_ONCE_MS : now);
    this.#turns.delete(machineId);
    if (hasCome && this.#underWay < UNDER_WAY_MAX) return this.#goOn();
    // Where its turn has come and others are not done, it asks again soon.
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

  /** They are about in the order of time; what is left over goes with a later call. */
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
