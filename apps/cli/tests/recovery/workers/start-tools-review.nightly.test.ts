/** Blocked starts, failing tools, and what a review means, on real parts: tmux, git, Postgres, coordinator, machine agent, simulated agent. */
import { afterAll, beforeAll, test } from 'vitest';
import { REVIEWS } from './reviews.scenarios.ts';
import { play, SCENARIO_MS } from '../support/play.ts';
import { beyondSamples } from '../support/scenario.ts';
import { openStand, type Stand } from '../support/stand.ts';
import { TOOL_ONES } from './tool-failures.scenarios.ts';
import { WORKFLOW } from './blocked-start.scenarios.ts';

const SCENARIOS = beyondSamples([...WORKFLOW, ...TOOL_ONES, ...REVIEWS]);

let stand: Stand;
beforeAll(async () => void (stand = await openStand(SCENARIOS)));
afterAll(() => stand[Symbol.asyncDispose]());

test.concurrent.each(SCENARIOS)('$title', (scenario) => play(stand, scenario), SCENARIO_MS);
