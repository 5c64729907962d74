/** Dialogs, and a person's answers on real parts: tmux, git, Postgres, coordinator, machine agent, simulated agent. */
import { afterAll, beforeAll, test } from 'vitest';
import { DIALOG_ONES } from './dialogs.scenarios.ts';
import { play, SCENARIO_MS } from '../support/play.ts';
import { openStand, type Stand } from '../support/stand.ts';

let stand: Stand;
beforeAll(async () => void (stand = await openStand(DIALOG_ONES)));
afterAll(() => stand[Symbol.asyncDispose]());

test.concurrent.each(DIALOG_ONES)('$title', (scenario) => play(stand, scenario), SCENARIO_MS);
