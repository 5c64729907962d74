/** Plays a scenario for each mechanism of recovery, on real parts: tmux, git, Postgres, coordinator, machine agent, simulated agent. */
import { afterAll, beforeAll, test } from 'vitest';
import { play, SCENARIO_MS } from './support/play.ts';
import { openStand, type Stand } from './support/stand.ts';
import { SAMPLES } from './table.ts';

let stand: Stand;
beforeAll(async () => void (stand = await openStand(SAMPLES)));
afterAll(() => stand[Symbol.asyncDispose]());

test.concurrent.each(SAMPLES)('$title', (scenario) => play(stand, scenario), SCENARIO_MS);
