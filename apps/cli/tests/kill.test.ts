/**
 * Is a prompt still taken exactly once, and does its task still end in one commit, when Drover is killed in the middle?
 * DROVER_KILL_SEED replays a run (its seed is printed), DROVER_KILL_ROUNDS makes it longer.
 */
import { randomInt } from 'node:crypto';
import { expect, test } from 'vitest';
import type { RunningDrover } from './support/kill-drover.ts';
import { startApart, startTogether } from './support/kill-drover.ts';
import { seeded } from './support/kill-random.ts';
import { reportOf } from './support/kill-report.ts';
import { acceptAll, drawPlan, jobsOf, killDuring, measureLife, wrongs } from './support/kill-round.ts';

const SEED = Number(process.env['DROVER_KILL_SEED'] ?? randomInt(1e9));
/** One kill in each round, at another moment of the life of each worker's task: 20 moments. */
const ROUNDS = Number(process.env['DROVER_KILL_ROUNDS'] ?? 4);
const WORKERS = ['alba', 'bryn', 'cora', 'dara', 'enid'] as const;
const TEST_MS = 60_000 + ROUNDS * 90_000;

async function killAgainAndAgain(
  drover: RunningDrover,
  { name, victims }: { name: string; victims: readonly ('coordinator' | 'agent')[] },
): Promise<void> {
  const random = seeded(SEED);
  const { fleet, processes } = drover;
  await fleet.connected();
  for (const worker of WORKERS) await fleet.add(worker);
  await fleet.reach(WORKERS, { status: 'idle', never: ['error'], withinMs: 60_000 });
  const quiet = jobsOf(WORKERS, `${name} quiet`);
  const lifeMs = await measureLife(drover, quiet);
  expect(wrongs(drover, quiet)).toEqual([]);
  console.log(`${name}: seed ${SEED}, a task lives ${Math.round(lifeMs)} ms`);

  for (let round = 1; round <= ROUNDS; round += 1) {
    await acceptAll(drover, jobsOf(WORKERS, ''));
    const jobs = jobsOf(WORKERS, `${name} ${round}`);
    const doomed = [...new Set(victims.map((victim) => processes[victim]))];
    const plan = drawPlan(random, { jobs: jobs.length, victims: doomed });
    const title = `${name} round ${round}, seed ${SEED}`;

    await reportOf(drover, { title, jobs, plan }, async () => {
      await killDuring(drover, jobs, plan, lifeMs);
      expect(wrongs(drover, jobs)).toEqual([]);
    });
  }
}

test(
  'given tasks at work, when the coordinator is killed at random moments, then each prompt is taken once and each task ends in its commit',
  { timeout: TEST_MS },
  async () => {
    await using drover = await startApart();
    await killAgainAndAgain(drover, { name: 'coordinator', victims: ['coordinator'] });
  },
);

test(
  'given tasks at work, when the machine agent is killed at random moments, then each prompt is taken once and each task ends in its commit',
  { timeout: TEST_MS },
  async () => {
    await using drover = await startApart();
    await killAgainAndAgain(drover, { name: 'agent', victims: ['agent'] });
  },
);

test(
  'given tasks at work, when both are killed at random moments, then each prompt is taken once and each task ends in its commit',
  { timeout: TEST_MS },
  async () => {
    await using drover = await startApart();
    await killAgainAndAgain(drover, { name: 'both', victims: ['coordinator', 'agent'] });
  },
);

test(
  'given tasks at work under "drover up", when it is killed at random moments with its database, then each prompt is taken once and each task ends in its commit',
  { timeout: TEST_MS },
  async () => {
    await using drover = await startTogether();
    await killAgainAndAgain(drover, { name: 'up', victims: ['coordinator', 'agent'] });
  },
);
