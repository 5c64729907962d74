/** Sessions, worktrees and the alternatives of level 2 on real parts: tmux, git, Postgres, coordinator, machine agent, simulated agent. */
import { afterAll, beforeAll, test } from 'vitest';
import { SESSIONS } from './lost-sessions.scenarios.ts';
import { play, SCENARIO_MS } from '../support/play.ts';
import { openStand, type Stand } from '../support/stand.ts';

let stand: Stand;
beforeAll(async () => void (stand = await openStand(SESSIONS)));
afterAll(() => stand[Symbol.asyncDispose]());

test.concurrent.each(SESSIONS)('$title', (scenario) => play(stand, scenario), SCENARIO_MS);
