/** Stuck turns and errors that the agent shows on real parts: tmux, git, Postgres, coordinator, machine agent, simulated agent. */
import { afterAll, beforeAll, test } from 'vitest';
import { STUCK_ONES } from './stuck.scenarios.ts';
import { play, SCENARIO_MS } from '../support/play.ts';
import { openStand, type Stand } from '../support/stand.ts';

let stand: Stand;
beforeAll(async () => void (stand = await openStand(STUCK_ONES)));
afterAll(() => stand[Symbol.asyncDispose]());

test.concurrent.each(STUCK_ONES)('$title', (scenario) => play(stand, scenario), SCENARIO_MS);
