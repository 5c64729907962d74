/** Session crash, start-up, lost sessions and worktrees on real parts: tmux, git, Postgres, coordinator, machine agent, simulated agent. */
import { afterAll, beforeAll, test } from 'vitest';
import { play, SCENARIO_MS } from '../support/play.ts';
import { beyondSamples } from '../support/scenario.ts';
import { openStand, type Stand } from '../support/stand.ts';
import { CRASHES } from './crash.scenarios.ts';
import { SESSIONS } from './lost-sessions.scenarios.ts';

const SCENARIOS = beyondSamples([...CRASHES, ...SESSIONS]);

let stand: Stand;
beforeAll(async () => void (stand = await openStand(SCENARIOS)));
afterAll(() => stand[Symbol.asyncDispose]());

test.concurrent.each(SCENARIOS)('$title', (scenario) => play(stand, scenario), SCENARIO_MS);
