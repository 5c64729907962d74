/** The alternatives of level 2 on real parts: tmux, git, Postgres, coordinator, machine agent, simulated agent. */
import { afterAll, beforeAll, test } from 'vitest';
import { play, SCENARIO_MS } from '../support/play.ts';
import { openStand, type Stand } from '../support/stand.ts';
import { WAYS, WAYS_CONFIG } from './alternatives.scenarios.ts';

let stand: Stand;
beforeAll(async () => void (stand = await openStand(WAYS, WAYS_CONFIG)));
afterAll(() => stand[Symbol.asyncDispose]());

test.concurrent.each(WAYS)('$title', (scenario) => play(stand, scenario), SCENARIO_MS);
