/** Lost machines and sessions that no row knows, on real parts: tmux, git, Postgres, coordinator, machine agent. */
import { afterAll, beforeAll, test } from 'vitest';
import { MACHINE_CONFIG, MACHINE_ONES } from './lost-machine.scenarios.ts';
import { play, SCENARIO_MS } from '../support/play.ts';
import { openStand, type Stand } from '../support/stand.ts';

let stand: Stand;
beforeAll(async () => void (stand = await openStand(MACHINE_ONES, MACHINE_CONFIG)));
afterAll(() => stand[Symbol.asyncDispose]());

test.each(MACHINE_ONES)('$title', (scenario) => play(stand, scenario), SCENARIO_MS);
