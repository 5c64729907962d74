// Plays runs two at once, and kills the gateway that serves them at a step of each: a run comes to its end as if nothing had been killed.
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { RunEventView, RunView } from '@drover/api';
import { checkMain } from '../../demo/git.ts';
import { HOSTS } from '../../demo/team/team.ts';
import { Fleet as Client } from '../../fleet/fleet.ts';
import { until } from '../../fleet/wait.ts';
import { gatewayOf, PATIENCE_MS, type Rounds, type Served } from './served.ts';

/** Steps of a run from which on a gateway is killed, in their order. */
const STEPS = ['ordered', 'typed', 'at work', 'result', 'fetched', 'review typed', 'review', 'accept'] as const;
type Step = (typeof STEPS)[number];
/** Runs of a round: they need an author and a reviewer each. */
const AT_ONCE = 2;
/** Milliseconds after the beginning of a step within which the gateway is killed. */
const WITHIN_MS = 1_200;
/** Milliseconds that an author works before its commit, and after its result. */
const WORK_MS = 1_500;
/** Times that each run has an event, whatever is killed. */
const COUNTS = { placed: 2, 'task-ended': 2, accepted: 1 } as const;

interface Kill {
  readonly step: Step;
  readonly afterMs: number;
  /** True: the gateway comes back once the other one serves; false: at once. */
  readonly isReplaced: boolean;
}

/** Rounds of runs. */
export class RunRounds implements Rounds {
  readonly #served: Served;
  readonly #client: Client;
  readonly #runs: string[] = [];
  readonly #steps = new Map<Step, number>();
  /** The previous kill: one gateway always lives. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(served: Served) {
    this.#served = served;
    this.#client = new Client(
      () => served.team.endpoints[0] ?? null,
      () => {},
    );
  }

  async play(round: number): Promise<{ kills: number; said: string }> {
    const { random, workers } = this.#served;
    const kills = Array.from({ length: AT_ONCE }, (_, at): Kill => {
      const step = STEPS[(round + at * (STEPS.length / AT_ONCE)) % STEPS.length] ?? 'ordered';
      return { step, afterMs: random.int(0, WITHIN_MS), isReplaced: random.chance(0.5) };
    });
    await Promise.all(kills.map((kill, at) => this.#playRun(`r${round}-${at}`, kill)));
    await this.#client.reach(workers, { status: 'idle', never: ['error'], withinMs: PATIENCE_MS });
    for (const { step } of kills) this.#steps.set(step, (this.#steps.get(step) ?? 0) + 1);
    const said = kills.map(
      ({ step, afterMs, isReplaced }) => `${afterMs} ms after "${step}"${isReplaced ? ', until it was replaced' : ''}`,
    );
    return { kills: kills.length, said: `gateways were killed ${said.join('; ')}; both runs are in main` };
  }

  /** Main has the commit of each run once, with one line in its file, and no agent took a text besides its two. */
  async judge(): Promise<string> {
    const { stage, source, happenings } = this.#served;
    const files = Object.fromEntries(this.#runs.map((name) => [`${name}.txt`, 'once']));
    await checkMain(stage.place, { at: source, subjects: this.#runs, files });
    const taken = happenings.all.filter(({ rules }) => rules.some((rule) => rule.startsWith('taken:'))).length;
    if (taken !== 2 * this.#runs.length)
      throw new Error(`Agents took ${taken} texts in ${this.#runs.length} runs, expected two for each`);
    const steps = [...this.#steps].map(([step, count]) => `${count} of ${step}`).join(', ');
    return `${this.#runs.length} runs, each once in main; kills: ${steps}. 0 lost, 0 doubled, 0 repeated.`;
  }

  async #playRun(name: string, kill: Kill): Promise<void> {
    const goal = `EDIT ${name}.txt once\nSLOW ${WORK_MS}\nCOMMIT ${name}\nRESULT\nSLOW ${WORK_MS}`;
    const since = Date.now();
    const id = await this.#client.startRun('change', goal);
    this.#runs.push(name);
    try {
      await this.#killAt('ordered', kill, null);
      const author = await this.#workerOf(id, 'build');
      await this.#killAt('typed', kill, author);
      await this.#taken(author, since);
      await this.#killAt('at work', kill, author);
      await this.#gives(author, since);
      await this.#killAt('result', kill, author);
      await this.#events(id, 'the end of its work', (events) => count(events, 'task-ended') > 0);
      await this.#killAt('fetched', kill, author);
      const reviewer = await this.#workerOf(id, 'review');
      await this.#killAt('review typed', kill, reviewer);
      await this.#taken(reviewer, since);
      await this.#killAt('review', kill, reviewer);
      await this.#run(id, 'to ask for a yes', ({ questions }) => questions.length > 0);
      await this.#client.acceptRun(id);
      await this.#killAt('accept', kill, null);
      await this.#end(id, name);
    } catch (error) {
      const why = await this.#served.team.drover('run', 'why', id);
      throw new Error(`${name}, killed ${kill.afterMs} ms after "${kill.step}": ${String(error)}\n${why}`, {
        cause: error,
      });
    }
  }

  /** Checks that the run has finished, and that each of its steps was made once. */
  async #end(id: string, name: string): Promise<void> {
    const { status, why } = await this.#run(id, 'to end', ({ endedAt }) => endedAt !== null);
    if (status !== 'finished') throw new Error(`${name} is ${status}: ${why}`);
    const events = await this.#client.runEvents(id);
    for (const [kind, times] of Object.entries(COUNTS))
      if (count(events, kind) !== times)
        throw new Error(`${name} has "${kind}" ${count(events, kind)} times, expected ${times}`);
    const gaps = events.filter(({ seq }, at) => seq !== at + 1);
    if (gaps.length > 0) throw new Error(`${name} has a gap before event ${gaps[0]?.seq}`);
  }

  /** Kills the gateway of a worker's host if it is time. @param worker Absent: the host that keeps the commits of runs. */
  async #killAt(step: Step, kill: Kill, worker: string | null): Promise<void> {
    if (step !== kill.step) return;
    const before = this.#last;
    this.#last = before.catch(() => {}).then(() => this.#kill(kill, this.#hostOf(worker)));
    await this.#last;
  }

  async #kill({ afterMs, isReplaced }: Kill, host: string): Promise<void> {
    const { team } = this.#served;
    const gateway = await gatewayOf(this.#served, host);
    await delay(afterMs);
    await team.kill(gateway, 'is gone');
    if (isReplaced)
      await team.machine(host, 'has another gateway', ({ ssh }) => ssh?.gateway != null && ssh.gateway !== gateway);
    await team.restartGateway(gateway);
  }

  #hostOf(worker: string | null): string {
    return HOSTS[Math.max(0, this.#served.workers.indexOf(worker ?? '')) % HOSTS.length] ?? HOSTS[0];
  }

  async #workerOf(id: string, stage: string): Promise<string> {
    const workerIn = ({ stages }: RunView): string | null =>
      stages.find(({ name }) => name === stage)?.items[0]?.worker ?? null;
    return workerIn(await this.#run(id, `to place its ${stage}`, (run) => workerIn(run) !== null)) ?? '';
  }

  async #taken(worker: string, since: number): Promise<void> {
    const ask = (): boolean =>
      this.#served.happenings.all.some(
        (event) => event.worker === worker && event.at >= since && event.rules.includes('taken:task'),
      );
    await until(`${worker} to take its task`, ask, PATIENCE_MS);
  }

  /** Waits for the result that an agent writes on its host, of which nobody is told before its turn ends. */
  async #gives(worker: string, since: number): Promise<void> {
    const { team } = this.#served;
    const { id = '' } = (await this.#client.worker(worker)) ?? {};
    const directory = join(team.stateOf(this.#hostOf(worker)), 'hooks', `${id}.results`);
    const ask = async (): Promise<boolean> => {
      const results = (await readdir(directory)).filter((file) => /^\d+\.json$/u.test(file));
      const times = await Promise.all(results.map(async (file) => (await stat(join(directory, file))).mtimeMs));
      return times.some((at) => at >= since);
    };
    await until(`the result of ${worker}`, ask, PATIENCE_MS);
  }

  async #events(id: string, what: string, fits: (events: readonly RunEventView[]) => boolean): Promise<void> {
    await until(`${what} of run ${id}`, async () => fits(await this.#client.runEvents(id)), PATIENCE_MS);
  }

  async #run(id: string, what: string, fits: (run: RunView) => boolean): Promise<RunView> {
    const ask = async (): Promise<RunView | undefined> => {
      const run = await this.#client.run(id);
      if (fits(run)) return run;
      if (run.endedAt !== null) throw new Error(`The run ended too early: ${run.why}`);
      return undefined;
    };
    return until(`run ${id} ${what}`, ask, PATIENCE_MS);
  }
}

function count(events: readonly RunEventView[], kind: string): number {
  return events.filter((event) => event.kind === kind).length;
}
