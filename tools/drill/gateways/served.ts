// Prepares two hosts that only ssh reaches, two gateways that may serve them, and workers on both.
import type { WorkerView } from '@drover/api';
import type { SeededRandom } from '@drover/testkit';
import type { Happenings } from '../../demo/happenings.ts';
import type { Stage } from '../../demo/stage.ts';
import { makeRepositories } from '../../demo/team/story.ts';
import { HOSTS, type Team } from '../../demo/team/team.ts';

const PROJECT = 'shop';
const GATEWAYS = ['north', 'south'] as const;
/** Milliseconds for the end of a task: a lease, a take, a restart of the program, on a loaded computer. */
export const PATIENCE_MS = 240_000;

export interface Parts {
  readonly stage: Stage;
  readonly team: Team;
  readonly happenings: Happenings;
  readonly random: SeededRandom;
}

/** The fleet that all rounds are played on. */
export interface Served extends Parts {
  /** Names of the workers; the n-th is on the n-th host, counted round. */
  readonly workers: readonly string[];
  /** Path of the repository that gets their work. */
  readonly source: string;
}

/** Rounds with kills on one fleet. */
export interface Rounds {
  /** @returns the number of its kills, and what happened. */
  play(round: number): Promise<{ readonly kills: number; readonly said: string }>;
  /** Checks all rounds. @returns what was kept. @throws with what was not. */
  judge(): Promise<string>;
}

export async function serve(parts: Parts, count: number): Promise<Served> {
  const { stage, team, happenings } = parts;
  for (const name of GATEWAYS) await team.joinGateway(name);
  for (const name of HOSTS) await team.addHost(name);
  const source = (await makeRepositories(stage.place))[PROJECT];
  await team.drover('project', 'add', PROJECT, '--source', `file://${source}`, '--branch', 'main');
  const workers = Array.from({ length: count }, (_, index) => `w${index}`);
  for (const [index, worker] of workers.entries())
    await team.drover('add', worker, '--profile', 'sim', '--machine', HOSTS[index % HOSTS.length] ?? '');
  for (const worker of workers) await happenings.state(worker, 'idle');
  return { ...parts, workers, source };
}

/** Returns the gateway that serves a host, as soon as one does. */
export async function gatewayOf({ team }: Parts, host: string): Promise<string> {
  const served = await team.machine(host, 'has a gateway', ({ ssh }) => ssh?.gateway != null);
  return served.ssh?.gateway ?? '';
}

export async function viewOf({ team }: Parts, worker: string): Promise<WorkerView> {
  const all: readonly WorkerView[] = JSON.parse(await team.drover('status', '--json'));
  const view = all.find(({ name }) => name === worker);
  if (view === undefined) throw new Error(`There is no worker ${worker}`);
  return view;
}

/** Returns the history of each worker that is in trouble. */
export async function explain(served: Served): Promise<string> {
  const troubled: string[] = [];
  for (const worker of served.workers) {
    const { status } = await viewOf(served, worker);
    if (status !== 'error' && status !== 'needs_input') continue;
    troubled.push(`${worker}:\n${await served.team.drover('why', worker, '--all')}`);
  }
  return troubled.join('\n');
}
