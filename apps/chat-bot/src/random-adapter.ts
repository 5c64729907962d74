/** Draws random numbers; nothing else in this app does. */

/** Random number in [0, 1). */
export const systemRandom = (): number => Math.random();
