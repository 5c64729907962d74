/** A git that is killed in the middle of its work costs nothing. `main.ts` beside this kills each call many times, by hand. */
import { expect, test } from 'vitest';
import { repeatStep } from './die.ts';
import { KILL_STEPS } from './steps.ts';

/** Each death costs a copy of three repositories and some thirty git processes, on a machine that does other things too. */
const SLOW = { timeout: 300_000 } as const;

/** Parts of a call's time after which it is killed, in turn; at the last it is over, and its answer is lost. */
const MOMENTS = [0.3, 0.8, 100] as const;

/** Calls that one step of many dies at, spread over all of them. */
const CALLS_MAX = 9;

test.each(Object.keys(KILL_STEPS))(
  'given "%s", when git is killed in one of its calls and the step is repeated, then nothing is lost and the end is the same',
  SLOW,
  async (name) => {
    await using step = await repeatStep(name);
    const { callsMs } = step;
    const each = Math.ceil(callsMs.length / CALLS_MAX);

    const deaths: boolean[] = [];
    for (const [turn, call] of [...callsMs.keys()].filter((one) => one % each === 0).entries()) {
      const afterMs = (MOMENTS[turn % MOMENTS.length] ?? 0) * (callsMs[call] ?? 0);
      deaths.push((await step.dieAt({ call, afterMs })).wasHit);
    }

    expect(deaths.length).toBeGreaterThan(3);
    expect(deaths).toContain(false);
  },
);
