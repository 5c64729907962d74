/** Lost input, stuck turns and turns that do not get on, on real parts: tmux, git, Postgres, coordinator, machine agent, simulated agent. */
import { afterAll, beforeAll, test } from 'vitest';
import { play, SCENARIO_MS } from '../support/play.ts';
import { beyondSamples } from '../support/scenario.ts';
import { openStand, type Stand } from '../support/stand.ts';
import { LOST_INPUTS } from './lost-input.scenarios.ts';
import { STALLED_ONES } from './no-progress.scenarios.ts';
import { STUCK_ONES } from './stuck.scenarios.ts';

const SCENARIOS = beyondSamples([...STALLED_ONES, ...LOST_INPUTS, ...STUCK_ONES]);

let stand: Stand;
beforeAll(async () => void (stand = await openStand(SCENARIOS)));
afterAll(() => stand[Symbol.asyncDispose]());

test.concurrent.each(SCENARIOS)('$title', (scenario) => play(stand, scenario), SCENARIO_MS);
