/** Turns that do not get on, on real parts: tmux, git, Postgres, coordinator, machine agent, simulated agent. */
import { afterAll, beforeAll, test } from 'vitest';
import { STALLED_ONES } from './no-progress.scenarios.ts';
import { play, SCENARIO_MS } from '../support/play.ts';
import { openStand, type Stand } from '../support/stand.ts';

let stand: Stand;
beforeAll(async () => void (stand = await openStand(STALLED_ONES)));
afterAll(() => stand[Symbol.asyncDispose]());

test.concurrent.each(STALLED_ONES)('$title', (scenario) => play(stand, scenario), SCENARIO_MS);
