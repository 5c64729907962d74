/** A host that ssh reaches, with a home of its own and nothing of Drover's: the target of `drover machine add`. */
import { execFileSync, spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { systemClock } from '@drover/base';
import { createLocalHost } from '@drover/host';
import { sshdProgram, startSshd, type SshdOptions, type TestSshd } from '@drover/host/testing';
import { endServers } from '@drover/tmux';
import { output, type Ended } from '../../../../tools/fleet/processes.ts';
import type { Sandbox } from '../../../../tools/fleet/sandbox.ts';
import { until } from '../../../../tools/fleet/wait.ts';

/** Fields of a machine over SSH that tests read. */
export interface ShownMachine {
  readonly name: string;
  readonly state: string;
  readonly ssh: {
    readonly state: string;
    readonly gateway: string | null;
    readonly epoch: number;
    readonly fingerprint: string | null;
    readonly why: string | null;
    readonly pinned: readonly string[];
  } | null;
}

/** A host, on a port of loopback. */
export class SshMachine implements AsyncDisposable {
  readonly sshd: TestSshd;
  readonly #sandbox: Sandbox;
  #again: ChildProcess | undefined;

  private constructor(sandbox: Sandbox, sshd: TestSshd) {
    this.#sandbox = sandbox;
    this.sshd = sshd;
  }

  /** Starts the host's sshd. */
  static async start(sandbox: Sandbox, options: SshdOptions = {}): Promise<SshMachine> {
    const sshd = await startSshd(options);
    await writeFile(path.join(sshd.home, '.gitconfig'), '[user]\nname = Cleo\nemail = cleo@example.com\n');
    return new SshMachine(sandbox, sshd);
  }

  /** Directory of Drover's state for this host. */
  get stateDirectory(): string {
    return path.join(this.sshd.home, '.local/state/drover');
  }

  /** The fingerprint of the host's present key. */
  get fingerprint(): string {
    const told = execFileSync('ssh-keygen', ['-lf', path.join(this.sshd.directory, 'host_key.pub')], {
      encoding: 'utf8',
    });
    return told.split(' ')[1] ?? '';
  }

  /** Adds the host by a typed command. */
  add(name: string, more: readonly string[] = []): Promise<Ended> {
    const { user, port, keyFile } = this.sshd;
    const way = [`${user}@127.0.0.1`, '--port', String(port), '--identity', keyFile, '--name', name];
    return this.#sandbox.drover(['machine', 'add', ...way, ...more]);
  }

  /** Returns the machine as the coordinator shows it. */
  async shown(name: string): Promise<ShownMachine> {
    const machines = await this.#sandbox.ask<readonly ShownMachine[]>('machines.list');
    const machine = machines.find((one) => one.name === name);
    if (machine === undefined) throw new Error(`there is no machine "${name}"`);
    return machine;
  }

  /** Lists the sockets of Drover's tmux servers that run on the host. */
  tmuxServers(): readonly string[] {
    const run = path.join(this.stateDirectory, 'run');
    return readdirSync(run).filter((name) => spawnSync('tmux', ['-S', path.join(run, name), 'ls']).status === 0);
  }

  /** Waits until the gateway reports this state. */
  async until(name: string, state: string): Promise<ShownMachine> {
    return until(`the machine ${name} to be ${state}`, async () => {
      const machine = await this.shown(name);
      return machine.ssh?.state === state ? machine : undefined;
    });
  }

  /** Sets the host up again: the same address, and another key. */
  async changeKey(): Promise<void> {
    this.#end();
    const key = path.join(this.sshd.directory, 'host_key');
    for (const file of [key, `${key}.pub`]) rmSync(file);
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', key]);
    await this.#startAgain();
  }

  /** Restarts the host, as far as loopback can: none of its processes is left, and its boot id is another. Needs `ownBootId`. */
  async reboot(bootId: string): Promise<void> {
    this.#end();
    for (const pid of this.#processes()) endNow(pid);
    writeFileSync(path.join(this.sshd.directory, 'boot-id'), `${bootId}\n`);
    await this.#startAgain();
  }

  /** Lists processes of the host by their home: only its sshd has another. */
  #processes(): readonly number[] {
    const home = `HOME=${this.sshd.home}`;
    return readdirSync('/proc')
      .filter((name) => /^\d+$/u.test(name))
      .filter((pid) => environmentOf(pid).includes(home))
      .map(Number);
  }

  #end(): void {
    const sessions = this.#sessions();
    (this.#again ?? this.sshd.process).kill('SIGKILL');
    for (const session of sessions) process.kill(session, 'SIGKILL');
  }

  async #startAgain(): Promise<void> {
    const program = sshdProgram() ?? '';
    const config = path.join(this.sshd.directory, 'sshd_config');
    this.#again = spawn(program, ['-D', '-e', '-f', config], { stdio: ['ignore', 'ignore', 'pipe'] });
    const said = output(this.#again);
    await until('sshd to listen again', () => said().includes('Server listening') || undefined);
  }

  /** Ends the connections, like a fault of the network. */
  cut(): void {
    for (const child of this.#sessions()) process.kill(child, 'SIGKILL');
  }

  #sessions(): readonly number[] {
    const pid = (this.#again ?? this.sshd.process).pid ?? 0;
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
    return children === '' ? [] : children.split(' ').map(Number);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    // Connections outlive their server, and hold its output open.
    this.#end();
    const run = path.join(this.stateDirectory, 'run');
    await endServers({ host: createLocalHost({ env: process.env }), clock: systemClock }, run);
    await this.sshd[Symbol.asyncDispose]();
  }
}

/** Reads the environment of a process that may have ended, or that belongs to another user. */
function environmentOf(pid: string): readonly string[] {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0');
  } catch {
    return [];
  }
}

function endNow(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // Ended together with another.
  }
}
