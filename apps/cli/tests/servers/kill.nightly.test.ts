/** Tests that a prompt is still taken exactly once, and its task still ends in one commit, if parts of Drover are killed in the middle. */
import { afterAll, beforeAll, test } from 'vitest';
import { startApart, startTogether } from '../../../../tools/fleet/drover.ts';
import { killAgainAndAgain, measure, rounds, timeoutFor } from '../support/kill/again.ts';
import type { Measured } from '../support/kill/again.ts';

/** Coordinator and agent in processes of their own, for three of the tests. */
let apart: Measured;
const stack = new AsyncDisposableStack();
beforeAll(async () => {
  apart = await measure('apart', stack.use(await startApart()));
}, timeoutFor(0));
afterAll(() => stack.disposeAsync());

test(
  'given tasks at work, when the coordinator is killed at six random moments, then each prompt is taken once and each task ends in its commit',
  { timeout: timeoutFor(rounds(2)) },
  async () => {
    const { coordinator } = apart.drover.processes;

    await killAgainAndAgain(apart, { name: 'coordinator', victims: [coordinator], times: rounds(2) });
  },
);

test(
  'given tasks at work, when the machine agent is killed at six random moments, then each prompt is taken once and each task ends in its commit',
  { timeout: timeoutFor(rounds(2)) },
  async () => {
    const { agent } = apart.drover.processes;

    await killAgainAndAgain(apart, { name: 'agent', victims: [agent], times: rounds(2) });
  },
);

test(
  'given tasks at work, when both are killed at three random moments, then each prompt is taken once and each task ends in its commit',
  { timeout: timeoutFor(rounds(1)) },
  async () => {
    const { coordinator, agent } = apart.drover.processes;

    await killAgainAndAgain(apart, { name: 'both', victims: [coordinator, agent], times: rounds(1) });
  },
);

test(
  'given tasks at work under "drover up", when it is killed with its database in the middle of two tasks, then each prompt is taken once and each task ends in its commit',
  { timeout: timeoutFor(rounds(1)) },
  async () => {
    await using drover = await startTogether();
    const { coordinator: up } = drover.processes;

    await killAgainAndAgain(await measure('together', drover, ['alba', 'bryn']), {
      name: 'up',
      victims: [up],
      times: rounds(1),
    });
  },
);
