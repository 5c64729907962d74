/** A `drover server gateway` in a process of its own, of a user without a Drover root. */
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { endProcess, output } from '../../../../tools/fleet/processes.ts';
import type { Sandbox, Up } from '../../../../tools/fleet/sandbox.ts';
import { until } from '../../../../tools/fleet/wait.ts';

/** A running gateway. */
export class GatewayProcess implements AsyncDisposable {
  readonly #child: ChildProcess;

  private constructor(child: ChildProcess) {
    this.#child = child;
  }

  /** Joins under a name, and waits until the gateway is connected. */
  static async start(sandbox: Sandbox, up: Up, name: string): Promise<GatewayProcess> {
    const home = path.join(sandbox.directory, 'gateways', name);
    await mkdir(home, { recursive: true, mode: 0o700 });
    const env = { HOME: home, DROVER_DATA_DIR: path.join(home, 'data') };
    const { token } = JSON.parse((await sandbox.drover(['machine', 'invite', '--gateway', '--json'])).stdout);
    const file = path.join(home, 'join-token');
    await writeFile(file, `${token}\n`, { mode: 0o600 });
    const join = ['gateway', 'join', up.url, '--token-file', file, '--name', name];
    const joined = await sandbox.drover(join, { cwd: home, env });
    if (joined.status !== 0) throw new Error(joined.stderr);
    const child = spawn(sandbox.program, ['server', 'gateway'], {
      cwd: home,
      env: { ...sandbox.env, ...env },
      stdio: 'pipe',
    });
    const said = output(child);
    await until('the gateway to be connected', () => {
      if (child.exitCode !== null) throw new Error(`drover server gateway ended:\n${said()}`);
      return said().includes('The gateway is connected') || undefined;
    });
    return new GatewayProcess(child);
  }

  /** True until the process ends. */
  get isRunning(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null;
  }

  /** Kills the process, like a power failure; panes go on. */
  kill(): Promise<unknown> {
    return endProcess(this.#child, 'SIGKILL');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await endProcess(this.#child, 'SIGTERM');
  }
}
