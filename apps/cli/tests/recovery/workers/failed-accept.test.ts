/** Failed checks and conflicts on real parts: tmux, git, Postgres, coordinator, machine agent, simulated agent. */
import { afterAll, beforeAll, test } from 'vitest';
import { REPO, REWORKS } from './failed-accept.scenarios.ts';
import { play, SCENARIO_MS } from '../support/play.ts';
import { openStand, type Stand } from '../support/stand.ts';

let stand: Stand;
beforeAll(async () => void (stand = await openStand(REWORKS, REPO)));
afterAll(() => stand[Symbol.asyncDispose]());

const [together, last] = [REWORKS.filter(({ isLast }) => isLast !== true), REWORKS.filter(({ isLast }) => isLast)];

test.concurrent.each(together)('$title', (scenario) => play(stand, scenario), SCENARIO_MS);
test.each(last)('$title', (scenario) => play(stand, scenario), SCENARIO_MS);
