/** Tests that a prompt is still taken exactly once, and its task still ends in one commit, if "drover up" is killed in the middle. */
import { test } from 'vitest';
import { startTogether } from '../../../../tools/fleet/drover.ts';
import { killAgainAndAgain, measure, rounds, timeoutFor } from '../support/kill/again.ts';

test(
  'given tasks at work under "drover up", when it is killed with its database at two random moments, then each prompt is taken once and each task ends in its commit',
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
