/** Lost input and partial sends on real parts: tmux, git, Postgres, coordinator, machine agent, simulated agent. */
import { afterAll, beforeAll, test } from 'vitest';
import { LOST_INPUTS } from './lost-input.scenarios.ts';
import { play, SCENARIO_MS } from '../support/play.ts';
import { openStand, type Stand } from '../support/stand.ts';

let stand: Stand;
beforeAll(async () => void (stand = await openStand(LOST_INPUTS)));
afterAll(() => stand[Symbol.asyncDispose]());

test.concurrent.each(LOST_INPUTS)('$title', (scenario) => play(stand, scenario), SCENARIO_MS);
