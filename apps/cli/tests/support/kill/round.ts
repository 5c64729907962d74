/** A round: a task for each worker, a kill at a random moment of each task, and the conditions afterwards. */
import type { RunningDrover } from '../../../../../tools/fleet/drover.ts';
import type { DroverProcess } from '../../../../../tools/fleet/process.ts';
import { moment, now } from '../../../../../tools/fleet/wait.ts';
import { takenWith } from '../../../../../tools/fleet/witness.ts';

/** Milliseconds until a task without any kill must have ended on a loaded machine. */
const TASK_MS = 300_000;
/** Milliseconds that kills may cost a task beyond three times its usual time. */
const KILL_COST_MS = 20_000;
/**
 * Milliseconds that a round may take also after a short measurement, because the machine may be busier by then. The
 * limit is less than the deadlines for lost machines and commands (40 s): after a kill nothing may have to wait for a
 * deadline.
 */
const ROUND_MS = 36_000;
/** Milliseconds that the agent works, so that some moments fall into its turn. */
const TURN_MS = 1_000;
/** Longest time that a killed process stays away, in milliseconds. Half of the killed processes come back at once. */
const AWAY_MAX_MS = 1_500;
/** Share of the restarts that are killed as well, at some time in so many milliseconds: starting is a moment too. */
const AGAIN_SHARE = 0.3;
const AGAIN_MAX_MS = 2_000;

/** A task for one worker in one round. */
export interface Job {
  readonly worker: string;
  /** Words that are in this prompt only; also the subject of its commit. */
  readonly words: string;
}

/** Victims and times of the kills, drawn before the round. */
export interface Plan {
  /** Share of each job's time that has passed at the kill, from 0 (requested) to 1 (waiting for review). */
  readonly shares: readonly number[];
  readonly fates: readonly Fate[];
}

/** Fate of one process. */
export interface Fate {
  /** Milliseconds until the process is started again. */
  readonly awayMs: number;
  /** Milliseconds after which the next process is killed too; null lets it run. */
  readonly againMs: number | null;
}

export function drawPlan(random: () => number, { jobs, victims }: { jobs: number; victims: number }): Plan {
  return {
    shares: Array.from({ length: jobs }, () => random()),
    fates: Array.from({ length: victims }, () => ({
      awayMs: random() < 0.5 ? 0 : Math.round(random() * AWAY_MAX_MS),
      againMs: random() < AGAIN_SHARE ? Math.round(random() * AGAIN_MAX_MS) : null,
    })),
  };
}

export function jobsOf(workers: readonly string[], round: string): readonly Job[] {
  return workers.map((worker) => ({ worker, words: `${round} of ${worker}` }));
}

/** Runs tasks without any kill. @returns the time of the tasks in milliseconds, from the request to waiting for review. */
export async function measureTask(drover: RunningDrover, jobs: readonly Job[]): Promise<number> {
  const startedAt = now();
  await Promise.all(jobs.map((job) => drover.fleet.start(job.worker, promptOf(job))));
  const ends = jobs.map(async ({ worker }) => {
    await drover.fleet.reach([worker], { status: 'needs_review', never: ['error', 'needs_input'], withinMs: TASK_MS });
    return now() - startedAt;
  });
  const times = await Promise.all(ends);
  return times.reduce((sum, time) => sum + time, 0) / times.length;
}

/** Gives the tasks, kills, starts again and waits until all tasks wait for review. */
export async function killDuring(
  drover: RunningDrover,
  jobs: readonly Job[],
  { victims, plan, taskMs }: { victims: readonly DroverProcess[]; plan: Plan; taskMs: number },
): Promise<void> {
  const { shares, fates } = plan;
  const killAt = now() + Math.max(...shares) * taskMs;
  const starts = jobs.map(async (job, at) => {
    await moment(killAt - (shares[at] ?? 0) * taskMs);
    await drover.fleet.start(job.worker, promptOf(job));
  });
  await moment(killAt);
  await Promise.all([...starts, ...victims.map((victim, at) => suffer(victim, fates[at]))]);
  const workers = jobs.map(({ worker }) => worker);
  const withinMs = Math.max(ROUND_MS, KILL_COST_MS + 3 * taskMs);
  await drover.fleet.reach(workers, { status: 'needs_review', never: ['error', 'needs_input'], withinMs });
}

async function suffer(victim: DroverProcess, { awayMs, againMs }: Fate = { awayMs: 0, againMs: null }): Promise<void> {
  await victim.kill();
  await moment(now() + awayMs);
  victim.start();
  if (againMs === null) return;
  await moment(now() + againMs);
  await victim.kill();
  victim.start();
}

/** Lists errors after a round; none if every prompt was taken exactly once and every task is one commit. */
export function wrongs({ site }: RunningDrover, jobs: readonly Job[]): readonly string[] {
  const lines = site.witnessed();
  return jobs.flatMap(({ worker, words }) => {
    const taken = takenWith(lines, words).length;
    const commits = site.commits(worker);
    return [
      ...(taken === 1 ? [] : [`${worker}: the prompt was taken ${taken} times`]),
      ...(commits.length === 1 && commits[0] === words
        ? []
        : [`${worker}: its commits are ${JSON.stringify(commits)}`]),
    ];
  });
}

/** Adds workers of a round and waits until they can take a task. */
export async function addWorkers({ fleet }: RunningDrover, names: readonly string[]): Promise<void> {
  await Promise.all(names.map((name) => fleet.add(name)));
  await fleet.reach(names, { status: 'idle', never: ['error'], withinMs: TASK_MS });
}

/** Removes the workers of a round; the next round does not wait for that. */
export async function retireWorkers({ fleet }: RunningDrover, names: readonly string[]): Promise<void> {
  await Promise.all(names.map((name) => fleet.nuke(name)));
}

function promptOf({ worker, words }: Job): string {
  return [`Do ${words}.`, `WRITE work/${worker}.txt ${words}`, `SLOW ${TURN_MS}`, `COMMIT ${words}`].join('\n');
}
