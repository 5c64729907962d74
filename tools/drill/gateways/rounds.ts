// Runs a round: each worker comes to the phase that is its turn, then the gateway that serves them is killed, and all work is brought to
// its end.
import { setTimeout as delay } from 'node:timers/promises';
import { checkMain } from '../../demo/git.ts';
import { HOSTS } from '../../demo/team/team.ts';
import { processesIn } from '../../fleet/left-overs.ts';
import { until } from '../../fleet/wait.ts';
import { gatewayOf, PATIENCE_MS, viewOf, type Rounds, type Served } from './served.ts';

/** Phases that a worker is in when its gateway is killed. */
const PHASES = ['delivery', 'crash recovery', 'accept'] as const;
/** Milliseconds after the beginning of a phase within which the gateway is killed. */
const WITHIN_MS = 2_500;

type Phase = (typeof PHASES)[number];

/** Rounds of single tasks. */
export class TaskRounds implements Rounds {
  readonly #served: Served;
  readonly #tasks: string[] = [];
  readonly #moments = new Map<Phase, number>();

  constructor(served: Served) {
    this.#served = served;
  }

  async play(round: number): Promise<{ kills: number; said: string }> {
    const { team, random, workers } = this.#served;
    const phases = workers.map((_, index) => PHASES[(round + index) % PHASES.length] ?? 'delivery');
    const tasks = workers.map((_, index) => `r${round}-${index}`);
    this.#tasks.push(...tasks);
    const works = workers.map((worker, index) => ({ worker, task: tasks[index] ?? '', phase: phases[index] }));
    for (const { worker, task, phase } of works) if (phase !== 'delivery') await this.#readyFor(worker, task, phase);
    const gateway = await gatewayOf(this.#served, HOSTS[0]);
    const afterMs = random.int(0, WITHIN_MS);
    const begun = Promise.all(works.map(({ worker, task, phase }) => this.#begin(worker, task, phase)));
    await delay(afterMs);
    await team.kill(gateway, 'is gone');
    await begun;
    await team.restartGateway(gateway);
    for (const { worker, task, phase } of works) await this.#finish(worker, task, phase);
    for (const phase of phases) this.#moments.set(phase, (this.#moments.get(phase) ?? 0) + 1);
    const said = `${gateway} was killed after ${afterMs} ms of ${phases.join(', ')}; all work is in main`;
    return { kills: 1, said };
  }

  /** Main has each task once, with one line in its file: a text that came twice would have made two. */
  async judge(): Promise<string> {
    const files = Object.fromEntries(this.#tasks.map((task) => [`${task}.txt`, 'once']));
    await checkMain(this.#served.stage.place, { at: this.#served.source, subjects: this.#tasks, files });
    const moments = [...this.#moments].map(([phase, count]) => `${count} of ${phase}`).join(', ');
    return `${this.#tasks.length} tasks, each once in main; moments: ${moments}. 0 lost, 0 doubled.`;
  }

  async #readyFor(worker: string, task: string, phase: Phase | undefined): Promise<void> {
    const { happenings } = this.#served;
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
    const { worktree } = await viewOf(this.#served, worker);
    const agent = (await processesIn([worktree])).find(({ command }) => command.includes('sim-agent'));
    if (agent === undefined) throw new Error(`No program works in ${worktree}`);
    process.kill(agent.pid, 'SIGKILL');
    return undefined;
  }

  /** Brings a worker's work to review and into main, whatever state the kill has left it in. */
  async #finish(worker: string, task: string, phase: Phase | undefined): Promise<void> {
    const isUnderReview = async (): Promise<boolean> => {
      const { status } = await viewOf(this.#served, worker);
      if (status === 'error' || status === 'needs_input') throw new Error(`${worker} is ${status} at ${task}`);
      return status === 'needs_review';
    };
    if (phase !== 'accept') {
      await until(`the end of ${task} of ${worker} (${phase ?? ''})`, isUnderReview, PATIENCE_MS);
      await this.#accept(worker);
    }
    const isIdle = async (): Promise<boolean> => (await viewOf(this.#served, worker)).status === 'idle';
    await until(`${worker} to be idle after ${task}`, isIdle, PATIENCE_MS);
  }

  async #start(worker: string, prompt: string): Promise<void> {
    await this.#served.team.drover('start', '--worker', worker, '--prompt', prompt);
  }

  async #accept(worker: string): Promise<void> {
    const { team } = this.#served;
    await team.drover('review', worker);
    await team.drover('accept', worker);
  }
}
