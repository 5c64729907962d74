/** Dialogs, permission prompts, and a person's answers and own hands, on real parts: tmux, git, Postgres, coordinator, machine agent, simulated agent. */
import { afterAll, beforeAll, test } from 'vitest';
import { play, SCENARIO_MS } from '../support/play.ts';
import { beyondSamples } from '../support/scenario.ts';
import { openStand, type Stand } from '../support/stand.ts';
import { DIALOG_ONES } from './dialogs.scenarios.ts';
import { PERMISSIONS } from './permissions.scenarios.ts';
import { TAKEN_OVER } from './take-over.scenarios.ts';
import { TRUST_ONES } from './trust.scenarios.ts';

const SCENARIOS = beyondSamples([...PERMISSIONS, ...TAKEN_OVER, ...DIALOG_ONES, ...TRUST_ONES]);

let stand: Stand;
beforeAll(async () => void (stand = await openStand(SCENARIOS)));
afterAll(() => stand[Symbol.asyncDispose]());

test.concurrent.each(SCENARIOS)('$title', (scenario) => play(stand, scenario), SCENARIO_MS);
