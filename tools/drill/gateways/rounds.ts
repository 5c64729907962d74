// Runs a round: each worker comes to the phase that is its turn, then the gateway that serves them is killed, and all work is brought to
// its end.
import { setTimeout as delay } from 'node:timers/promises';
import type { WorkerView } from '@drover/api';
import type { SeededRandom } from '@drover/testkit';
import { checkMain } from '../../demo/git.ts';
import type { Happenings } from '../../demo/happenings.ts';
import type { Stage } from '../../demo/stage.ts';
import { makeRepositories } from '../../demo/team/story.ts';
import { HOSTS, type Team } from '../../demo/team/team.ts';
import { processesIn } from '../../fleet/left-overs.ts';
import { until } from '../../fleet/wait.ts';

const PROJECT = 'shop';
const GATEWAYS = ['north', 'south'] as const;
/** Phases that a worker is in when its gateway is killed. */
const PHASES = ['delivery', 'crash recovery', 'accept'] as const;
/** Milliseconds after the beginning of a phase within which the gateway is killed. */
const WITHIN_MS = 2_500;
/** Milliseconds for the end of a task: a lease, a take, a restart of the program, on a loaded computer. */
const PATIENCE_MS = 240_000;

type Phase = (typeof PHASES)[number];

interface Parts {
  readonly stage: Stage;
  readonly team: Team;
  readonly happenings: Happenings;
  readonly random: SeededRandom;
}

/** All rounds on one fleet. */
export class Rounds {
  readonly #parts: Parts;
  #workers: readonly string[] = [];
  #source = '';
  readonly #tasks: string[] = [];
  readonly #moments = new Map<Phase, number>();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Prepares two hosts, two gateways that may serve them, and workers on both. */
  async prepare(workers: number): Promise<void> {
    const { stage, team, happenings } = this.#parts;
    for (const name of GATEWAYS) await team.joinGateway(name);
    for (const name of HOSTS) await team.addHost(name);
    this.#source = (await makeRepositories(stage.place))[PROJECT];
    await team.drover('project', 'add', PROJECT, '--source', `file://${this.#source}`, '--branch', 'main');
    this.#workers = Array.from({ length: workers }, (_, index) => `w${index}`);
    for (const [index, worker] of this.#workers.entries())
      await team.drover('add', worker, '--profile', 'sim', '--machine', HOSTS[index % HOSTS.length] ?? '');
    for (const worker of this.#workers) await happenings.state(worker, 'idle');
  }

  /** @returns what was killed when. */
  async play(round: number): Promise<string> {
    const { team, random } = this.#parts;
    const phases = this.#workers.map((_, index) => PHASES[(round + index) % PHASES.length] ?? 'delivery');
    const tasks = this.#workers.map((_, index) => `r${round}-${index}`);
    this.#tasks.push(...tasks);
    const works = this.#workers.map((worker, index) => ({ worker, task: tasks[index] ?? '', phase: phases[index] }));
    for (const { worker, task, phase } of works) if (phase !== 'delivery') await this.#readyFor(worker, task, phase);
    const served = await team.machine(HOSTS[0], 'has a gateway', ({ ssh }) => ssh?.gateway != null);
    const gateway = served.ssh?.gateway ?? '';
    const afterMs = random.int(0, WITHIN_MS);
    const begun = Promise.all(works.map(({ worker, task, phase }) => this.#begin(worker, task, phase)));
    await delay(afterMs);
    await team.kill(gateway, 'is gone');
    await begun;
    await team.restartGateway(gateway);
    for (const { worker, task, phase } of works) await this.#finish(worker, task, phase);
    for (const phase of phases) this.#moments.set(phase, (this.#moments.get(phase) ?? 0) + 1);
    return `${gateway} was killed after ${afterMs} ms of ${phases.join(', ')}; all work is in main`;
  }

  /** Main has each task once, with one line in its file: a text that came twice would have made two. */
  async judge(): Promise<string> {
    const files = Object.fromEntries(this.#tasks.map((task) => [`${task}.txt`, 'once']));
    await checkMain(this.#parts.stage.place, { at: this.#source, subjects: this.#tasks, files });
    const moments = [...this.#moments].map(([phase, count]) => `${count} of ${phase}`).join(', ');
    return `${this.#tasks.length} tasks, each once in main; moments: ${moments}. 0 lost, 0 doubled.`;
  }

  /** Prints the history of each worker that is in trouble. */
  async explain(): Promise<string> {
    const troubled: string[] = [];
    for (const worker of this.#workers) {
      const { status } = await this.#view(worker);
      if (status !== 'error' && status !== 'needs_input') continue;
      troubled.push(`${worker}:\n${await this.#parts.team.drover('why', worker, '--all')}`);
    }
    return troubled.join('\n');
  }

  async #readyFor(worker: string, task: string, phase: Phase | undefined): Promise<void> {
    const { happenings } = this.#parts;
    const since = Date.now();
    if (phase === 'accept') {
      await this.#start(worker, `EDIT ${task}.txt once\nCOMMIT ${task}`);
      await happenings.state(worker, 'needs_review', since);
    } else {
      // A simulated agent remembers for good which lines it has done once: each task's is another one.
      await this.#start(worker, `ONCE: SAY ${task} begins; SLOW 240000\nEDIT ${task}.txt once\nCOMMIT ${task}`);
      await happenings.rule(worker, 'taken:task', since);
    }
  }

  async #begin(worker: string, task: string, phase: Phase | undefined): Promise<void> {
    if (phase === 'delivery') return this.#start(worker, `EDIT ${task}.txt once\nCOMMIT ${task}`);
    if (phase === 'accept') return this.#accept(worker);
    const { worktree } = await this.#view(worker);
    const agent = (await processesIn([worktree])).find(({ command }) => command.includes('sim-agent'));
    if (agent === undefined) throw new Error(`No program works in ${worktree}`);
    process.kill(agent.pid, 'SIGKILL');
    return undefined;
  }

  /** Brings a worker's work to review and into main, whatever state the kill has left it in. */
  async #finish(worker: string, task: string, phase: Phase | undefined): Promise<void> {
    const isUnderReview = async (): Promise<boolean> => {
      const { status } = await this.#view(worker);
      if (status === 'error' || status === 'needs_input') throw new Error(`${worker} is ${status} at ${task}`);
      return status === 'needs_review';
    };
    if (phase !== 'accept') {
      await until(`the end of ${task} of ${worker} (${phase ?? ''})`, isUnderReview, PATIENCE_MS);
      await this.#accept(worker);
    }
    const isIdle = async (): Promise<boolean> => (await this.#view(worker)).status === 'idle';
    await until(`${worker} to be idle after ${task}`, isIdle, PATIENCE_MS);
  }

  async #start(worker: string, prompt: string): Promise<void> {
    await this.#parts.team.drover('start', '--worker', worker, '--prompt', prompt);
  }

  async #accept(worker: string): Promise<void> {
    const { team } = this.#parts;
    await team.drover('review', worker);
    await team.drover('accept', worker);
  }

  async #view(worker: string): Promise<WorkerView> {
    const all: readonly WorkerView[] = JSON.parse(await this.#parts.team.drover('status', '--json'));
    const view = all.find(({ name }) => name === worker);
    if (view === undefined) throw new Error(`There is no worker ${worker}`);
    return view;
  }
}
