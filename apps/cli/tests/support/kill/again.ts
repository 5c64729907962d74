/**
 * Kills Drover in the middle of tasks, round after round. DROVER_KILL_SEED replays a run (its seed is printed),
 * DROVER_KILL_ROUNDS makes it longer.
 */
import { randomInt } from 'node:crypto';
import { expect } from 'vitest';
import type { RunningDrover } from '../../../../../tools/fleet/drover.ts';
import type { DroverProcess } from '../../../../../tools/fleet/process.ts';
import { seeded } from './random.ts';
import { reportOf } from './report.ts';
import { drawPlan, jobsOf, killDuring, measureTask, retireWorkers, addWorkers, wrongs } from './round.ts';

const SEED = Number(process.env['DROVER_KILL_SEED'] ?? randomInt(1e9));
const WORKERS = ['alba', 'bryn', 'cora'] as const;

/** Number of rounds of one test. Each round has one kill, at another moment of each of the tasks: two rounds with three workers are six moments. */
export function rounds(usual: number): number {
  return Number(process.env['DROVER_KILL_ROUNDS'] ?? usual);
}

/** Milliseconds for a test of that many rounds. */
export function timeoutFor(count: number): number {
  return 600_000 + count * 400_000;
}

/** A Drover at work, and the milliseconds that a task takes there without any kill. */
export interface Measured {
  readonly drover: RunningDrover;
  readonly taskMs: number;
  /** As many as a round has moments. */
  readonly workers: readonly string[];
  /** Workers of the previous round, which the next one removes. */
  former: readonly string[];
}

/** Lets each worker do a task without a kill, and measures the time of one. */
export async function measure(
  name: string,
  drover: RunningDrover,
  workers: readonly string[] = WORKERS,
): Promise<Measured> {
  await drover.fleet.connected();
  const former = namesIn(workers, name, 0);
  await addWorkers(drover, former);
  const quiet = jobsOf(former, `${name} quiet`);
  const taskMs = await measureTask(drover, quiet);
  expect(wrongs(drover, quiet)).toEqual([]);
  console.log(`${name}: seed ${SEED}, a task takes ${Math.round(taskMs)} ms`);
  return { drover, taskMs, workers, former };
}

/** Kills the victims once a round, at moments drawn from the seed; each prompt must be taken once, and end in its commit. */
export async function killAgainAndAgain(
  measured: Measured,
  { name, victims, times }: { name: string; victims: readonly DroverProcess[]; times: number },
): Promise<void> {
  const { drover, taskMs, workers } = measured;
  const random = seeded(SEED);
  await drover.fleet.connected();

  for (let round = 1; round <= times; round += 1) {
    const names = namesIn(workers, name, round);
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

/** Names the workers of a round, which has its own. */
function namesIn(workers: readonly string[], name: string, round: number): readonly string[] {
  return workers.map((worker) => `${worker}-${name}-${round}`);
}
