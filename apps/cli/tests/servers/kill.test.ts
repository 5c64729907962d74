/**
 * Is a prompt still taken exactly once, and does its task still end in one commit, when Drover is killed in the middle?
 * DROVER_KILL_SEED replays a run (its seed is printed), DROVER_KILL_ROUNDS makes it longer.
 */
import { randomInt } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { RunningDrover } from '../support/kill/drover.ts';
import type { DroverProcess } from '../support/kill/process.ts';
import { startApart, startTogether } from '../support/kill/drover.ts';
import { seeded } from '../support/kill/random.ts';
import { reportOf } from '../support/kill/report.ts';
import { drawPlan, jobsOf, killDuring, measureTask, retireWorkers, addWorkers, wrongs } from '../support/kill/round.ts';

const SEED = Number(process.env['DROVER_KILL_SEED'] ?? randomInt(1e9));
const WORKERS = ['alba', 'bryn', 'cora', 'dara', 'enid'] as const;

/** Rounds of one test. One kill in each, at another moment of each of the five tasks: four rounds are 20 moments. */
function rounds(usual: number): number {
  return Number(process.env['DROVER_KILL_ROUNDS'] ?? usual);
}

function timeoutFor(count: number): number {
  return 240_000 + count * 240_000;
}

/** A Drover at work, and how long a task takes there without any kill, in milliseconds. */
interface Measured {
  readonly drover: RunningDrover;
  readonly taskMs: number;
  /** Workers of the round before, which the next one lets go. */
  former: readonly string[];
}

/** Coordinator and agent in processes of their own serve three of the tests. */
let apart: Measured;
const stack = new AsyncDisposableStack();
beforeAll(async () => {
  apart = await measure('apart', stack.use(await startApart()));
}, timeoutFor(0));
afterAll(() => stack.disposeAsync());

async function measure(name: string, drover: RunningDrover): Promise<Measured> {
  await drover.fleet.connected();
  const former = namesIn(name, 0);
  await addWorkers(drover, former);
  const quiet = jobsOf(former, `${name} quiet`);
  const taskMs = await measureTask(drover, quiet);
  expect(wrongs(drover, quiet)).toEqual([]);
  console.log(`${name}: seed ${SEED}, a task takes ${Math.round(taskMs)} ms`);
  return { drover, taskMs, former };
}

async function killAgainAndAgain(
  measured: Measured,
  { name, victims, times }: { name: string; victims: readonly DroverProcess[]; times: number },
): Promise<void> {
  const { drover, taskMs } = measured;
  const random = seeded(SEED);
  await drover.fleet.connected();

  for (let round = 1; round <= times; round += 1) {
    const names = namesIn(name, round);
    const jobs = jobsOf(names, `${name} ${round}`);
    await retireWorkers(drover, measured.former);
    measured.former = names;
    await addWorkers(drover, names);
    const plan = drawPlan(random, { jobs: jobs.length, victims: victims.length });

    await reportOf(drover, { title: `${name} round ${round}, seed ${SEED}`, jobs, plan }, async () => {
      await killDuring(drover, jobs, { victims, plan, taskMs });
      expect(wrongs(drover, jobs)).toEqual([]);
    });
  }
}

/** Each round has workers of its own. */
function namesIn(name: string, round: number): readonly string[] {
  return WORKERS.map((worker) => `${worker}-${name}-${round}`);
}

test(
  'given tasks at work, when the coordinator is killed at 20 random moments, then each prompt is taken once and each task ends in its commit',
  { timeout: timeoutFor(rounds(4)) },
  async () => {
    const { coordinator } = apart.drover.processes;

    await killAgainAndAgain(apart, { name: 'coordinator', victims: [coordinator], times: rounds(4) });
  },
);

test(
  'given tasks at work, when the machine agent is killed at 20 random moments, then each prompt is taken once and each task ends in its commit',
  { timeout: timeoutFor(rounds(4)) },
  async () => {
    const { agent } = apart.drover.processes;

    await killAgainAndAgain(apart, { name: 'agent', victims: [agent], times: rounds(4) });
  },
);

test(
  'given tasks at work, when both are killed at 10 random moments, then each prompt is taken once and each task ends in its commit',
  { timeout: timeoutFor(rounds(2)) },
  async () => {
    const { coordinator, agent } = apart.drover.processes;

    await killAgainAndAgain(apart, { name: 'both', victims: [coordinator, agent], times: rounds(2) });
  },
);

test(
  'given tasks at work under "drover up", when it is killed with its database at 10 random moments, then each prompt is taken once and each task ends in its commit',
  { timeout: timeoutFor(rounds(2)) },
  async () => {
    await using drover = await startTogether();
    const { coordinator: up } = drover.processes;

    await killAgainAndAgain(await measure('together', drover), { name: 'up', victims: [up], times: rounds(2) });
  },
);
