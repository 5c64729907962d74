/** A second machine of a fleet: a user with a home of their own, who has no Drover root and no repository. */
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { endProcess, output } from './processes.ts';
import type { Sandbox, Up } from './sandbox.ts';
import { until } from './until.ts';

/** The machine agent of that machine, which can be killed and started again. */
export class SecondMachine implements AsyncDisposable {
  readonly home: string;
  readonly dataDir: string;
  readonly #sandbox: Sandbox;
  #agent: ChildProcess | undefined;

  private constructor(sandbox: Sandbox) {
    this.#sandbox = sandbox;
    this.home = path.join(sandbox.directory, 'elsewhere', 'bert');
    this.dataDir = path.join(this.home, '.drover-data');
  }

  /** Joins as `server`, and waits until it is connected. */
  static async join(sandbox: Sandbox, up: Up): Promise<SecondMachine> {
    const machine = new SecondMachine(sandbox);
    await mkdir(machine.home, { recursive: true, mode: 0o700 });
    await writeFile(path.join(machine.home, '.gitconfig'), '[user]\nname = Bert\nemail = bert@example.com\n');
    const { token } = JSON.parse((await sandbox.drover(['machines', 'invite', '--json'])).stdout);
    const file = path.join(machine.home, 'join-token');
    await writeFile(file, `${token}\n`, { mode: 0o600 });
    await machine.start(up, ['--join-file', file, '--name', 'server']);
    return machine;
  }

  /** Starts its agent outside of any root, and waits until it is connected. */
  async start(up: Up, args: readonly string[] = ['--name', 'server']): Promise<void> {
    const env = { ...this.#sandbox.env, HOME: this.home, DROVER_DATA_DIR: this.dataDir };
    const agent = spawn(this.#sandbox.program, ['agent', '--url', up.url, ...args], {
      cwd: this.home,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#agent = agent;
    const said = output(agent);
    await until('the second machine to be connected', async () => {
      if (agent.exitCode !== null) throw new Error(`drover agent ended:\n${said()}`);
      const machines = await this.#sandbox.ask<readonly { name: string; state: string }[]>('machines.list');
      return machines.some(({ name, state }) => name === 'server' && state === 'connected') || undefined;
    });
  }

  /** As a cut of the power does to the agent alone; panes go on. */
  async kill(): Promise<void> {
    if (this.#agent !== undefined) await endProcess(this.#agent, 'SIGKILL');
  }

  /** Accepts work of a worker here, whose agent is killed in the middle of that, and waits until the worker is ready again. */
  async acceptAndKill(up: Up, worker: string): Promise<void> {
    const accepting = this.#sandbox.drover(['accept', worker]);
    await until('the accept to begin', async () => {
      const workers =
        await this.#sandbox.ask<readonly { name: string; status: string; accepting: string | null }[]>('workers.list');
      const here = workers.find(({ name }) => name === worker);
      // Merged already, on a machine that was busy meanwhile: then nothing is cut off.
      return here === undefined || here.accepting !== null || here.status === 'idle' || undefined;
    });
    await this.kill();
    await this.start(up);
    await accepting;
    await this.#sandbox.until(worker, 'idle');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#agent !== undefined) await endProcess(this.#agent, 'SIGTERM');
  }
}
