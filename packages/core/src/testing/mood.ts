/** Draws the probabilities of a history. Histories differ in them: budgets are only spent if the same goes wrong again and again. */
import type { Dice } from './dice.ts';

/** Probabilities that hold for one whole history. */
export interface Mood {
  /** Probability that a command does not end well. */
  readonly fault: number;
  /** Probability that a screen shows neither work nor a prompt. */
  readonly odd: number;
  /** Share in [0, 1) that selects the most frequent bad end, and the most frequent screen. */
  readonly favourite: number;
  /** Probability that the program of the pane ends. */
  readonly exit: number;
  /** Probability that a person says something. */
  readonly person: number;
  /** Probability that an event comes that is out of place. */
  readonly wild: number;
  /** Probability that an earlier event comes again, or late. */
  readonly again: number;
  /** Probability that the next event leads on to a merge, which a history by chance alone seldom comes to. */
  readonly merges: number;
}

/** Draws the mood of a history from its dice. */
export function moodFrom(dice: Dice): Mood {
  return {
    fault: dice.pick([0.02, 0.15, 0.5, 0.85]),
    odd: dice.pick([0.05, 0.25, 0.95]),
    favourite: dice.next(),
    exit: dice.pick([0.01, 0.05, 0.25]),
    person: dice.pick([0.02, 0.06, 0.15]),
    wild: dice.pick([0, 0.03, 0.1]),
    again: dice.pick([0, 0.05, 0.15]),
    merges: dice.pick([0, 0, 0.8]),
  };
}

/** Picks an item, mostly the favourite of the mood. */
export function favoured<T>(items: readonly [T, ...T[]], mood: Mood, dice: Dice): T {
  if (dice.chance(0.3)) return dice.pick(items);
  return items[Math.floor(mood.favourite * items.length)] ?? items[0];
}
