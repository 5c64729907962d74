// A coordinator on one processor, its Postgres, and a process full of machines: started, asked, and ended.
import { fork, spawnSync } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import { freePort } from '../../tools/fleet/place.ts';
import { databaseUrl, withClient } from '../src/client.ts';
import type { BenchPostgres } from '../src/postgres.ts';
import { counted, countFromNow, serverSeconds } from './database.ts';
import type { Counted } from './database.ts';
import { fillScene } from './scene.ts';
import type { Size } from './scene.ts';
import type { Used } from './coordinator.ts';
import type { Ask, Told } from './machines.ts';

/** Result of one phase. `seconds` is how long it lasted. */
export interface Phase {
  readonly seconds: number;
  readonly told: Told;
  /** Seconds of a processor. */
  readonly coordinatorCpu: number;
  readonly databaseCpu: number;
  readonly rssMib: number;
  readonly statements: number;
  readonly top: readonly Counted[];
  readonly warnings: readonly string[];
}

/** Machines must all be there by then, in milliseconds. */
const CONNECTED_MS = 180_000;

export interface StartOptions {
  readonly size: Size;
  readonly name: string;
  readonly withinMs: number;
  readonly progressMs: number;
}

/** A fleet that runs. */
export class LoadRun implements AsyncDisposable {
  readonly #stack: AsyncDisposableStack;
  readonly #postgres: BenchPostgres;
  readonly #client: Client;
  readonly #url: string;
  readonly #machines: ChildProcess;
  readonly #port: number;
  #coordinator: ChildProcess | null = null;

  private constructor(parts: {
    stack: AsyncDisposableStack;
    postgres: BenchPostgres;
    client: Client;
    url: string;
    machines: ChildProcess;
    port: number;
  }) {
    this.#stack = parts.stack;
    this.#postgres = parts.postgres;
    this.#client = parts.client;
    this.#url = parts.url;
    this.#machines = parts.machines;
    this.#port = parts.port;
  }

  /** Starts all of it; the machines say hello within `withinMs` milliseconds. */
  static async start(postgres: BenchPostgres, { size, name, withinMs, progressMs }: StartOptions): Promise<LoadRun> {
    await using stack = new AsyncDisposableStack();
    const server = postgres.server.superuserConnectionString;
    await withClient(server, (client) => client.query(`create database ${name}`));
    const url = databaseUrl(server, name);
    const scene = await fillScene(url, size);
    const file = join(postgres.directory, `${name}.json`);
    writeFileSync(file, JSON.stringify(scene));
    const client = new Client({ connectionString: url });
    await client.connect();
    stack.defer(() => client.end());
    const machines = fork(join(import.meta.dirname, 'machines.ts'));
    stack.defer(() => ended(machines));
    const port = await freePort();
    const run = new LoadRun({ stack: new AsyncDisposableStack(), postgres, client, url, machines, port });
    await run.startCoordinator();
    run.#ask({ kind: 'start', file, url: `http://127.0.0.1:${port}`, withinMs, progressMs });
    run.#stack.use(stack.move());
    return run;
  }

  /** Starts it on a processor of its own, where that can be said. */
  async startCoordinator(): Promise<void> {
    const env = { ...process.env, DATABASE_URL: this.#url, LOAD_PORT: String(this.#port) };
    // LOAD_PROFILE=DIRECTORY leaves a profile of the coordinator's processor time there.
    const profile = process.env['LOAD_PROFILE'];
    const execArgv = profile === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${profile}`];
    const child = fork(join(import.meta.dirname, 'coordinator.ts'), { env, execArgv });
    const failed = once(child, 'exit').then(() => Promise.reject(new Error('The coordinator did not start')));
    await Promise.race([once(child, 'message'), failed]);
    failed.catch(() => {});
    spawnSync('taskset', ['--all-tasks', '--pid', '--cpu-list', '0', String(child.pid)]);
    this.#coordinator = child;
  }

  /** Kills it, as an outage does. */
  async killCoordinator(): Promise<void> {
    const child = this.#coordinator;
    if (child === null) return;
    this.#coordinator = null;
    const gone = once(child, 'exit');
    child.kill('SIGKILL');
    await gone;
  }

  /** Waits until so many machines are connected. */
  async connected(machines: number): Promise<void> {
    const end = performance.now() + CONNECTED_MS;
    for (;;) {
      const told = await this.read();
      if (told.connected >= machines) return;
      if (performance.now() > end)
        throw new Error(`Only ${told.connected} of ${machines} connected: ${told.trouble.join('; ')}`);
      await delay(500);
    }
  }

  setActive(isActive: boolean): void {
    this.#ask({ kind: 'active', isActive });
  }

  /** Returns how the machines are, and what they did since they were asked last. */
  async read(): Promise<Told> {
    const answer = once(this.#machines, 'message');
    this.#ask({ kind: 'read' });
    const [told] = (await answer) as [Told];
    return told;
  }

  /** Measures what happens meanwhile. */
  async phase(meanwhile: () => Promise<void>): Promise<Phase> {
    await this.read();
    await countFromNow(this.#client);
    const before = { at: performance.now(), used: await this.#used(), database: this.databaseSeconds() };
    await meanwhile();
    const seconds = (performance.now() - before.at) / 1_000;
    const [used, told] = [await this.#used(), await this.read()];
    const databaseCpu = this.databaseSeconds() - before.database;
    const top = await counted(this.#client);
    return {
      seconds,
      told,
      coordinatorCpu: used.cpu - before.used.cpu,
      databaseCpu,
      rssMib: used.rssMib,
      statements: top.reduce((sum, { calls }) => sum + calls, 0),
      top,
      warnings: used.warnings,
    };
  }

  databaseSeconds(): number {
    return serverSeconds(this.#postgres.server.pid);
  }

  async #used(): Promise<Used> {
    const child = this.#coordinator;
    if (child === null) throw new Error('The coordinator does not run');
    const answer = once(child, 'message');
    child.send('used');
    const [used] = (await answer) as [Used];
    return used;
  }

  #ask(ask: Ask): void {
    this.#machines.send(ask);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#coordinator !== null) await ended(this.#coordinator);
    await this.#stack.disposeAsync();
  }
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.disconnect();
  await gone;
}
