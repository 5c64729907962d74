/** Permission prompts and a person's own hands on real parts: tmux, git, Postgres, coordinator, machine agent, simulated agent. */
import { afterAll, beforeAll, test } from 'vitest';
import { PERMISSIONS } from './permissions.scenarios.ts';
import { play, SCENARIO_MS } from '../support/play.ts';
import { openStand, type Stand } from '../support/stand.ts';
import { TAKEN_OVER } from './take-over.scenarios.ts';

const SCENARIOS = [...PERMISSIONS, ...TAKEN_OVER];

let stand: Stand;
beforeAll(async () => void (stand = await openStand(SCENARIOS)));
afterAll(() => stand[Symbol.asyncDispose]());

test.concurrent.each(SCENARIOS)('$title', (scenario) => play(stand, scenario), SCENARIO_MS);
