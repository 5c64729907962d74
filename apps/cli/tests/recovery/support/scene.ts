/** A scenario on the stand: its worker, acts of a person and the world, and queries about it. */
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, globSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { ErrorView, EscalationView, QueueItemView, WhyView, WorkerView } from '@drover/api';
import { until } from '../../../../../tools/fleet/wait.ts';
import { MAIN } from '../../../../../tools/fleet/program.ts';
import type { OwnWorker } from './own-worker.ts';
import { oneByOne } from './one-by-one.ts';
import type { Stand } from './stand.ts';

const run = promisify(execFile);

/** The end of a command. */
interface Said {
  readonly stdout: string;
  readonly stderr: string;
}

export class Scene {
  readonly stand: Stand;
  readonly name: string;

  constructor(stand: Stand, { worker }: Pick<OwnWorker, 'worker'>) {
    this.stand = stand;
    this.name = worker;
  }

  get worktree(): string {
    return join(this.stand.site.root, '.worktrees', this.name);
  }

  /** Adds the worker, and waits for nothing. */
  async addWorker(): Promise<void> {
    await this.stand.api.workers.add.mutate({ requestId: randomUUID(), name: this.name });
  }

  /** Adds the worker and gives it the task. */
  async begin(prompt: string): Promise<void> {
    await this.addWorker();
    await this.reach('idle');
    await this.start(prompt);
  }

  async start(prompt: string): Promise<void> {
    await this.stand.api.workers.start.mutate({ requestId: randomUUID(), name: this.name, prompt });
  }

  async message(text: string): Promise<void> {
    await this.stand.api.workers.message.mutate({ requestId: randomUUID(), name: this.name, text });
  }

  /** Reviews, then accepts the shown commit, like a person. */
  async accept(): Promise<void> {
    await this.stand.api.workers.review.mutate({ name: this.name });
    await this.stand.api.workers.accept.mutate({ requestId: randomUUID(), name: this.name });
  }

  /**
   * Accepts the worker's work, once it waits for review, until it is merged. All scenarios share the source: colleagues
   * commit there before or after, because git's lock and half-written files would get the merge refused.
   */
  async merge(): Promise<void> {
    await this.reach('needs_review');
    await oneByOne(this.stand.site, async () => {
      await this.accept();
      await until(`${this.name} to be merged`, async () => (await this.view())?.status === 'idle' || undefined);
    });
  }

  /** Waits for a state, and for a note that matches. */
  async reach(status: string, note = /(?:)/u): Promise<void> {
    let last = 'not there';
    await until(`${this.name} to be ${status}`, async () => {
      const worker = await this.view();
      last = `${worker?.status ?? 'gone'}: ${worker?.note ?? ''}`;
      return (worker?.status === status && note.test(worker.note)) || undefined;
    }).catch(async (error: unknown) => {
      const told = (await this.why()).history.map(({ rules, said }) => `[${rules.join(' ')}] ${said.join(' | ')}`);
      throw new Error(`${String(error)}; it is ${last}\n${told.toReversed().join('\n')}`, { cause: error });
    });
  }

  /** Waits until a rule has fired so many times. */
  async fired(rule: string, times = 1): Promise<void> {
    await until(`${this.name}: ${rule}`, async () => {
      const { history } = await this.why();
      return history.filter(({ rules }) => rules.includes(rule)).length >= times || undefined;
    });
  }

  /** Waits until the worker's agent wrote such a line. */
  async witnessed(event: string, words = ''): Promise<void> {
    await until(`${this.name}: ${event}`, () => {
      const pids = this.agentPids();
      const lines = this.stand.site.witnessed().filter((line) => pids.has(line.pid) && line.event === event);
      return lines.some((line) => JSON.stringify(line).includes(words)) || undefined;
    });
  }

  /** Counts texts with these words that its agent took. */
  taken(words: string): number {
    return this.takenAt(words).length;
  }

  /** Returns the times at which the worker's agent took texts with these words, epoch milliseconds. */
  takenAt(words: string): readonly number[] {
    const pids = this.agentPids();
    const lines = this.stand.site.witnessed().filter(({ pid, event }) => pids.has(pid) && event === 'taken');
    return lines.filter(({ prompt }) => prompt?.includes(words)).map(({ t }) => t);
  }

  /** Returns the milliseconds between consecutive texts that its agent took. */
  pauses(): readonly number[] {
    const taken = this.takenAt('');
    return taken.slice(1).map((at, index) => at - (taken[index] ?? 0));
  }

  /** Ends the agent's program like the system when memory is short. */
  killAgent(): void {
    const pid = [...this.agentPids()].at(-1);
    if (pid !== undefined) process.kill(pid, 'SIGKILL');
  }

  /** Waits until a commit is on the worker's branch, also before Drover knows about the commit. */
  async committed(subject: string): Promise<void> {
    await until(`a commit of ${this.name}`, () => this.stand.site.commits(this.name).includes(subject) || undefined);
  }

  /** Returns process ids of all runs of its agent. */
  agentPids(): ReadonlySet<number> {
    const lines = this.stand.site.witnessed().filter(({ event }) => event === 'started');
    return new Set(
      lines.filter((line) => JSON.stringify(line).includes(`/.worktrees/${this.name}"`)).map((l) => l.pid),
    );
  }

  async view(): Promise<WorkerView | undefined> {
    return (await this.stand.workers()).find(({ name }) => name === this.name);
  }

  async why(): Promise<WhyView> {
    return this.stand.api.workers.why.query({ name: this.name, limit: 100 });
  }

  async errors(): Promise<readonly ErrorView[]> {
    return this.stand.api.errors.query({ worker: this.name, all: true, limit: 100 });
  }

  async questions(): Promise<readonly EscalationView[]> {
    return this.stand.api.escalations.list.query({ worker: this.name, all: false, limit: 10 });
  }

  /** Waits for an item that the worker found for the work queue. */
  async queueItem(title: RegExp): Promise<QueueItemView> {
    return until(`an item of ${this.name}`, async () => {
      const items = await this.stand.api.queue.list.query({ all: true, limit: 100 });
      return items.find((item) => item.foundBy === this.name && title.test(item.title));
    });
  }

  /** Waits for the question about the worker. */
  async asked(): Promise<EscalationView> {
    return until(`a question about ${this.name}`, async () => (await this.questions())[0]);
  }

  /** Waits for the question about the worker and answers it by a typed command. */
  async answer(option: string, text?: string): Promise<Said> {
    const question = await this.asked();
    const words = text === undefined ? [] : ['--text', text];
    return this.drover('answer', question.shortId, '--option', option, ...words);
  }

  /** Types a command of Drover. */
  async drover(...args: readonly string[]): Promise<Said> {
    return run(process.execPath, [MAIN, ...args], { ...this.stand.site.place });
  }

  /** Makes a token, as an admin. @returns the token's secret. */
  async tokenOf(person: string, role: 'viewer' | 'operator'): Promise<string> {
    return (await this.stand.api.tokens.create.mutate({ name: person, role })).secret;
  }

  /** Types a command as the owner of a token. */
  async droverAs(secret: string, ...args: readonly string[]): Promise<Said> {
    const { cwd, env } = this.stand.site.place;
    return run(process.execPath, [MAIN, ...args], { cwd, env: { ...env, DROVER_TOKEN: secret } });
  }

  /** Gives a command to the tmux server that holds the worker's session. */
  async tmux(...args: readonly string[]): Promise<string> {
    const { dir } = this.stand.site;
    for (const socket of globSync(join(dir, 'run/fleets/**')).filter((file) => /tmux|sock/u.test(file))) {
      const ended = await run('tmux', ['-S', socket, ...args]).catch(() => null);
      if (ended !== null) return ended.stdout;
    }
    throw new Error(`No tmux server of ${dir} did: ${args.join(' ')}`);
  }

  /** Waits until Drover has started a tmux server. */
  async tmuxThere(): Promise<void> {
    await until('a tmux server', async () => (await this.tmux('list-sessions').catch(() => null)) ?? undefined);
  }

  /** Types keys like an attached person. */
  async keys(...keys: readonly string[]): Promise<void> {
    await this.tmux('send-keys', '-t', `=drover-${this.name}:`, ...keys);
  }

  /** Puts a file into its worktree. */
  async touch(name: string): Promise<void> {
    writeFileSync(join(this.worktree, name), '');
  }

  async fileThere(name: string): Promise<void> {
    await until(`${name} of ${this.name}`, () => existsSync(join(this.worktree, name)) || undefined);
  }
}
