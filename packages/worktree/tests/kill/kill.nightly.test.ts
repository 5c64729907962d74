/** Drover and git that are killed in the middle of their work cost nothing. `main.ts` beside this kills each call many times, by hand. */
import { expect, test } from 'vitest';
import { repeatStep } from './die.ts';
import { KILL_STEPS } from './steps/index.ts';

/**
 * Deaths by step: the share of its calls after which it dies, and how much of that call is done by then. At the last
 * it is over, and its answer is lost.
 */
const DEATHS = [
  [0.45, 0.6],
  [0.85, Infinity],
] as const;

test.each(Object.keys(KILL_STEPS))(
  'given "%s", when it is killed in one of its calls and is repeated, then nothing is lost and the end is the same',
  async (name) => {
    await using step = await repeatStep(name);
    const { calls } = step;

    const hits: boolean[] = [];
    for (const [share, part] of DEATHS)
      hits.push((await step.dieAt({ call: Math.floor(share * calls.length), part })).wasHit);

    expect(calls.length).toBeGreaterThan(3);
    expect(hits.at(-1)).toBe(false);
  },
);
