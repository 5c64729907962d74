/** Failed checks and conflicts on real parts: tmux, git, Postgres, coordinator, machine agent, simulated agent. */
import { afterAll, beforeAll, test } from 'vitest';
import { REPO, REWORKS } from './failed-accept.scenarios.ts';
import { play, SCENARIO_MS } from '../support/play.ts';
import { beyondSamples } from '../support/scenario.ts';
import { openStand, type Stand } from '../support/stand.ts';

const SCENARIOS = beyondSamples(REWORKS);

let stand: Stand;
beforeAll(async () => void (stand = await openStand(SCENARIOS, REPO)));
afterAll(() => stand[Symbol.asyncDispose]());

const [together, last] = [SCENARIOS.filter(({ isLast }) => isLast !== true), SCENARIOS.filter(({ isLast }) => isLast)];

test.concurrent.each(together)('$title', (scenario) => play(stand, scenario), SCENARIO_MS);
test.each(last)('$title', (scenario) => play(stand, scenario), SCENARIO_MS);
