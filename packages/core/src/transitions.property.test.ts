/**
 * Proves that the policy makes every move of the transition table, and arms every deadline. A rule of `testing/rules` proves that the policy
 * makes no other move.
 */
import { expect, test } from 'vitest';
import { play } from './testing/history.ts';
import { DEADLINE_NAMES } from './worker/deadline.ts';
import { TRANSITIONS } from './worker/status.ts';
import { decide } from './decide.ts';

/** Events of each history. */
const LENGTH = 120;
/** Histories at most: twice as many as needed to make every move but those below. */
const HISTORIES_MAX = 6_000;
/** Moves that take a rebase and two requests at once; each has a story in `merge/stories/rebase.test.ts`. */
const TOLD: ReadonlySet<string> = new Set(['working>rebasing', 'rejected>rebasing']);

test('given enough histories, when they are played, then every move of the transition table is made', () => {
  const missing = new Set(TRANSITIONS.map(({ from, to }) => `${from}>${to}`).filter((move) => !TOLD.has(move)));

  for (let seed = 0; seed < HISTORIES_MAX && missing.size > 0; seed += 1)
    play(
      decide,
      ({ before, decision }) => {
        missing.delete(`${before.lifecycle.status}>${decision.worker.lifecycle.status}`);
        return null;
      },
      { seed, length: LENGTH },
    );

  expect([...missing]).toEqual([]);
});

/** Histories at most to arm every deadline: far more than the needed thirty or so. */
const ARMING_MAX = 1_000;

test('given enough histories, when they are played, then every deadline that has a name is armed', () => {
  const missing = new Set<string>(DEADLINE_NAMES);

  for (let seed = 0; seed < ARMING_MAX && missing.size > 0; seed += 1)
    play(
      decide,
      ({ decision }) => {
        for (const name of Object.keys(decision.worker.deadlines)) missing.delete(name);
        return null;
      },
      { seed, length: LENGTH },
    );

  expect([...missing]).toEqual([]);
});
