/** Tests that nothing is lost if a machine must move to another coordinator, and Postgres is restarted, in the middle of tasks. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Fleet } from '../../../../tools/fleet/fleet.ts';
import { until } from '../../../../tools/fleet/wait.ts';
import { takenWith } from '../../../../tools/fleet/witness.ts';
import { hellosTo, moveMachine, startReplicated } from '../support/replicas/drover.ts';
import type { ReplicatedDrover } from '../support/replicas/drover.ts';

const WORKERS = ['adam', 'bea'] as const;
const TEST_MS = 600_000;
/** Milliseconds for each step, on a loaded machine. */
const STEP_MS = 120_000;

test(
  'given tasks in the middle, when the machine moves to the other replica and Postgres restarts twice, then nothing is lost',
  { timeout: TEST_MS },
  async () => {
    await using drover = await startReplicated();
    const { server, replicas, people } = drover;
    const [first, second] = replicas;
    await addWorkers(people[0]);
    expect([hellosTo(first) > 0, hellosTo(second)]).toEqual([true, 0]);

    await give(drover, { round: 'moved', to: people[0] });
    await taken(drover, 'moved');
    await moveMachine(first, second);
    await server.restart();
    open(drover, 'moved');
    await reviewed(people[0]);
    // The previous connection is open again, and the machine has no reason to take it.
    first.network.mend();
    await accept(people[0]);
    await give(drover, { round: 'crashed', to: people[0] });
    open(drover, 'crashed');
    await server.crash();
    await reviewed(people[1]);
    await accept(people[1]);

    drover.expectAlive();
    expect(takenCounts(drover)).toEqual({ 'moved adam': 1, 'moved bea': 1, 'crashed adam': 1, 'crashed bea': 1 });
    expect(merged(drover)).toEqual(['crashed adam', 'crashed bea', 'first', 'moved adam', 'moved bea']);
  },
);

async function addWorkers(fleet: Fleet): Promise<void> {
  for (const worker of WORKERS) await fleet.add(worker);
  await fleet.reach(WORKERS, { status: 'idle', never: ['error'], withinMs: STEP_MS });
}

/** Gives a task to each worker, which ends when its gate is opened. */
async function give({ site }: ReplicatedDrover, { round, to }: { round: string; to: Fleet }): Promise<void> {
  for (const worker of WORKERS) {
    const words = `${round} ${worker}`;
    const file = `${round}-${worker}.txt`;
    const steps = [`WRITE ${file} ${words}`, `WAITFILE ${gate(site.dir, round)}`, `COMMIT ${words}`];
    await to.start(worker, [`Do ${words}.`, ...steps].join('\n'));
  }
}

function open({ site }: ReplicatedDrover, round: string): void {
  writeFileSync(gate(site.dir, round), '');
}

function gate(directory: string, round: string): string {
  return join(directory, `gate-${round}`);
}

async function taken({ site, expectAlive }: ReplicatedDrover, round: string): Promise<void> {
  const ask = (): true | undefined => {
    expectAlive();
    const lines = site.witnessed();
    return WORKERS.every((worker) => takenWith(lines, `${round} ${worker}`).length > 0) ? true : undefined;
  };
  await until(() => `both prompts to be taken`, ask, STEP_MS);
}

async function reviewed(fleet: Fleet): Promise<void> {
  await fleet.reach(WORKERS, { status: 'needs_review', never: ['error', 'needs_input'], withinMs: STEP_MS });
}

async function accept(fleet: Fleet): Promise<void> {
  for (const worker of WORKERS) await fleet.accept(worker);
  await fleet.reach(WORKERS, { status: 'idle', never: ['error', 'needs_input'], withinMs: STEP_MS });
}

/** Counts each prompt in the log of the agents themselves. */
function takenCounts({ site }: ReplicatedDrover): Record<string, number> {
  const lines = site.witnessed();
  const all = ['moved', 'crashed'].flatMap((round) => WORKERS.map((worker) => `${round} ${worker}`));
  return Object.fromEntries(all.map((words) => [words, takenWith(lines, words).length]));
}

/** Lists subjects of the commits in the source's default branch. */
function merged({ site }: ReplicatedDrover): readonly string[] {
  return site.git(site.source, 'log', '--format=%s', 'main').trim().split('\n').toSorted();
}
