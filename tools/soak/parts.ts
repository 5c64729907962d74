// Starts the processes of the soak's Drover, kills each of them and starts it again.
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { DROVER, type Place } from './place.ts';

/** Milliseconds that a part that died by itself is left alone before it is started again. */
const REST_MS = 500;

/** Process of Drover. The soak starts it again when it ends, as a service manager does. */
export class Part implements AsyncDisposable {
  readonly name: string;
  /** Times that the part ended although the soak did not kill it. */
  ownEnds = 0;
  readonly #start: () => ChildProcess;
  #child: ChildProcess;
  #over = false;
  #killed = false;

  constructor(
    place: Place,
    name: string,
    { args, env }: { args: readonly string[]; env: Readonly<Record<string, string>> },
  ) {
    this.name = name;
    this.#start = () => {
      const log = openSync(join(place.dir, `${name}.log`), 'a');
      const child = spawn(DROVER, [...args, '--json'], {
        cwd: place.root,
        env: { ...env },
        stdio: ['ignore', log, log],
        detached: true,
      });
      closeSync(log);
      child.once('exit', () => void this.#again());
      return child;
    };
    this.#child = this.#start();
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  /** Ends this life with SIGKILL. */
  kill(): void {
    this.#killed = true;
    this.#child.kill('SIGKILL');
  }

  async #again(): Promise<void> {
    if (this.#over) return;
    if (!this.#killed) this.ownEnds += 1;
    this.#killed = false;
    await delay(REST_MS);
    if (!this.#over) this.#child = this.#start();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#over = true;
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const gone = once(this.#child, 'exit');
    this.#child.kill('SIGTERM');
    await Promise.race([gone, delay(10_000)]);
    this.#child.kill('SIGKILL');
  }
}

/** A process that belongs to the soak's directory. */
export interface Found {
  readonly pid: number;
  readonly command: string;
}

/** Command lines of each kind of process. */
const KINDS = {
  tmux: /^(?:\S*\/)?tmux[: ]/u,
  'sim-agent': /^sim-agent/u,
  drover: /^fleet-server (?:agent|coordinator)/u,
} as const;

/** Processes of this soak: those whose command line or environment names its directory. */
export function processesOf({ dir }: Place, kind: keyof typeof KINDS): readonly Found[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/u.test(name));
  return pids.flatMap((name) => {
    const command = wordsIn(name, 'cmdline');
    if (!KINDS[kind].test(command) || !`${command} ${wordsIn(name, 'environ')}`.includes(dir)) return [];
    return [{ pid: Number(name), command }];
  });
}

/** @returns undefined when the process has ended. */
function wordsIn(pid: string, file: string): string {
  try {
    return readFileSync(join('/proc', pid, file), 'utf8').replaceAll('\0', ' ');
  } catch {
    return '';
  }
}

/** Returns the directory that a process works in, such as the worktree of an agent; null when it is gone. */
export function placeOf(pid: number): string | null {
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    return null;
  }
}

/** Ends a process with SIGKILL, if it is still there. */
export function killOne(pid: number | null | undefined): void {
  if (pid == null || pid === 0) return;
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // the process has ended
  }
}

/** Sessions outlive their machine agent, and all of it a soak that was killed. */
export function killAll(place: Place): void {
  for (const kind of ['drover', 'tmux', 'sim-agent'] as const)
    for (const { pid } of processesOf(place, kind)) killOne(pid);
}

/** Resident memory in bytes and open handles of a process; null when it is gone. */
export function weigh(pid: number): { readonly bytes: number; readonly handles: number } | null {
  try {
    const [, kib = ''] = /VmRSS:\s+(\d+) kB/u.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return kib === '' ? null : { bytes: Number(kib) * 1_024, handles: readdirSync(`/proc/${pid}/fd`).length };
  } catch {
    return null;
  }
}
