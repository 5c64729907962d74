/** Chance with a seed: the same seed gives the same choices. */

/** Source of chance; each call answers anew. */
export interface Chance {
  /** Number of at least 0, less than 1. */
  part(): number;
  /** A whole number from 0, less than `limit`. */
  below(limit: number): number;
  pick<T>(from: readonly [T, ...T[]]): T;
  /** Tells whether it happens, in this share of all cases. */
  happens(share: number): boolean;
}

/** A linear congruential generator, with the numbers of Numerical Recipes. */
export function seededChance(seed: number): Chance {
  let state = seed >>> 0;
  const part = (): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
  // Seeds that lie close together begin far apart.
  for (let round = 0; round < 5; round += 1) part();
  const below = (limit: number): number => Math.floor(part() * limit);
  return { part, below, pick: (from) => from[below(from.length)] ?? from[0], happens: (share) => part() < share };
}
