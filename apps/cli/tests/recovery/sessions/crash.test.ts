/** Session crash and start-up on real parts: tmux, git, Postgres, coordinator, machine agent, simulated agent. */
import { afterAll, beforeAll, test } from 'vitest';
import { CRASHES } from './crash.scenarios.ts';
import { play, SCENARIO_MS } from '../support/play.ts';
import { openStand, type Stand } from '../support/stand.ts';

let stand: Stand;
beforeAll(async () => void (stand = await openStand(CRASHES)));
afterAll(() => stand[Symbol.asyncDispose]());

test.concurrent.each(CRASHES)('$title', (scenario) => play(stand, scenario), SCENARIO_MS);
