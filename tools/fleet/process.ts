/** A `drover` process as its user would start it, which can be killed at any moment and started again. */
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { MAIN } from './program.ts';
import { until } from './wait.ts';

/** Milliseconds for a start, which is slow while two cores serve everything else. */
const READY_MS = 300_000;

export interface DroverPlace {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

/** Milliseconds until a process that ended is started again. */
const REST_MS = 500;

/** A part of Drover, over all its processes. */
export class DroverProcess implements AsyncDisposable {
  /** Output of all processes, with their starts and ends. */
  readonly said: string[] = [];
  readonly #place: DroverPlace;
  readonly #args: readonly string[];
  #child: ChildProcess | null = null;
  #isReady = false;
  #diedBy: string | null = null;
  readonly #restarts: boolean;
  readonly #program: readonly [string, ...string[]];
  #isOver = false;
  /** Times that a process ended by itself. */
  ownEnds = 0;

  /** `restarts`: each process that ends is started again, as a service manager does. `program`: another one than the tested. */
  constructor(
    place: DroverPlace,
    args: readonly string[],
    {
      restarts = false,
      program = [process.execPath, MAIN],
    }: { readonly restarts?: boolean; readonly program?: readonly [string, ...string[]] } = {},
  ) {
    this.#restarts = restarts;
    this.#program = program;
    this.#place = place;
    this.#args = args;
  }

  /** Id of the running process; 0: none. */
  get pid(): number {
    return this.#child?.pid ?? 0;
  }

  /** Starts a process, which may not be ready yet on return. */
  start(): void {
    const [command, ...before] = this.#program;
    const child = spawn(command, [...before, ...this.#args, '--json'], {
      ...this.#place,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#child = child;
    this.#isReady = false;
    this.said.push(`--- start ${child.pid}`);
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      // The first line says that the process serves.
      this.#isReady ||= text.includes('"pid"');
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => this.said.push(text.trimEnd()));
    child.on('exit', (code, signal) => {
      this.said.push(`--- end ${child.pid} (${signal ?? code})`);
      if (this.#child === child) {
        this.ownEnds += 1;
        if (!this.#restarts) this.#diedBy = `${this.#args[0]} ended by itself (${signal ?? `status ${code}`})`;
      }
      if (this.#restarts) setTimeout(() => (this.#isOver ? undefined : this.start()), REST_MS);
    });
  }

  /** @throws if a process ended that the test did not kill. */
  expectAlive(): void {
    if (this.#diedBy !== null) throw new Error(`${this.#diedBy}:\n${this.tail()}`);
  }

  async ready(): Promise<void> {
    const ask = (): true | undefined => {
      this.expectAlive();
      return this.#isReady ? true : undefined;
    };
    await until(() => `${this.#args[0]} to be ready:\n${this.tail()}`, ask, READY_MS);
  }

  /** Ends this process with SIGKILL. @returns after the process is gone. */
  async kill(): Promise<void> {
    const child = this.#child;
    this.#child = null;
    if (child === null || child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, 'exit');
    child.kill('SIGKILL');
    await gone;
  }

  /** Returns the last lines of output. */
  tail(lines = 60): string {
    return this.said
      .flatMap((text) => text.split('\n'))
      .slice(-lines)
      .join('\n');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isOver = true;
    await this.kill();
  }
}
