/** Draws for property tests: evenly and repeatably from one seed, and cheaply, for a history draws hundreds of times. */

/** Draws from one seed: the same seed gives the same draws. */
export interface Dice {
  /** A number in [0, 1). */
  next(): number;
  /** Returns true with this probability. */
  chance(probability: number): boolean;
  /** Picks an item, each as likely as the others. */
  pick<T>(items: readonly [T, ...T[]]): T;
}

/** Makes a mulberry32 generator: even numbers from a seed of 32 bits. */
export function diceFrom(seed: number): Dice {
  let state = seed >>> 0;
  function next(): number {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  }
  return {
    next,
    chance: (probability) => next() < probability,
    pick: (items) => items[Math.floor(next() * items.length)] ?? items[0],
  };
}
