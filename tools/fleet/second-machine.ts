/** A second machine of a fleet: a user with a home of their own, without a Drover root and a repository. */
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { endProcess, output } from './processes.ts';
import type { Ended } from './processes.ts';
import type { Sandbox, Up } from './sandbox.ts';
import { until } from './wait.ts';

/** Name of the machine, and its user. */
interface Who {
  readonly name: string;
  readonly user: string;
}

/** The machine agent of that machine, which can be killed and started again. */
export class SecondMachine implements AsyncDisposable {
  readonly home: string;
  readonly dataDir: string;
  readonly #sandbox: Sandbox;
  #agent: ChildProcess | undefined;

  readonly name: string;

  private constructor(sandbox: Sandbox, { name, user }: Who) {
    this.#sandbox = sandbox;
    this.name = name;
    this.home = path.join(sandbox.directory, 'elsewhere', user);
    this.dataDir = path.join(this.home, '.drover-data');
  }

  /** Joins, as `server` unless it is named, and waits until its agent is connected. */
  static async join(sandbox: Sandbox, up: Up, who: Who = { name: 'server', user: 'bert' }): Promise<SecondMachine> {
    const machine = new SecondMachine(sandbox, who);
    await mkdir(machine.home, { recursive: true, mode: 0o700 });
    await writeFile(path.join(machine.home, '.gitconfig'), '[user]\nname = Bert\nemail = bert@example.com\n');
    const { token } = JSON.parse((await sandbox.drover(['machine', 'invite', '--json'])).stdout);
    const file = path.join(machine.home, 'join-token');
    await writeFile(file, `${token}\n`, { mode: 0o600 });
    const joined = await machine.drover(['machine', 'join', up.url, '--token-file', file, '--name', who.name]);
    if (joined.status !== 0) throw new Error(joined.stderr);
    await machine.start();
    return machine;
  }

  /** Runs a command of the machine's user. */
  async drover(args: readonly string[]): Promise<Ended> {
    const env = { HOME: this.home, DROVER_DATA_DIR: this.dataDir };
    return this.#sandbox.drover(args, { cwd: this.home, env });
  }

  /** Starts the machine's agent outside of any root, with the remembered coordinator, and waits until the agent is connected. */
  async start(): Promise<void> {
    const env = { ...this.#sandbox.env, HOME: this.home, DROVER_DATA_DIR: this.dataDir };
    const agent = spawn(this.#sandbox.program, ['server', 'agent'], {
      cwd: this.home,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#agent = agent;
    const said = output(agent);
    await until('the second machine to be connected', async () => {
      if (agent.exitCode !== null) throw new Error(`"drover server agent" ended:\n${said()}`);
      // The coordinator also reports "connected" after the join, and until the previous agent is missed.
      if (!said().includes('Connected to ')) return undefined;
      const machines = await this.#sandbox.ask<readonly { name: string; state: string }[]>('machines.list');
      return machines.some(({ name, state }) => name === this.name && state === 'connected') || undefined;
    });
  }

  /** Kills the agent alone, like a power failure; panes go on. */
  async kill(): Promise<void> {
    if (this.#agent !== undefined) await endProcess(this.#agent, 'SIGKILL');
  }

  /** Accepts work of a worker here, whose agent is killed in the middle of that, and waits until the worker is ready again. */
  async acceptAndKill(worker: string): Promise<void> {
    const accepting = this.#sandbox.drover(['accept', worker]);
    await until('the accept to begin', async () => {
      const workers =
        await this.#sandbox.ask<readonly { name: string; status: string; accepting: string | null }[]>('workers.list');
      const here = workers.find(({ name }) => name === worker);
      // Merged already, on a machine that was busy meanwhile: then nothing is cut off.
      return here === undefined || here.accepting !== null || here.status === 'idle' || undefined;
    });
    await this.kill();
    await this.start();
    await accepting;
    await this.#sandbox.until(worker, 'idle');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#agent !== undefined) await endProcess(this.#agent, 'SIGTERM');
  }
}
