// Runs programs for the demo: commands that a person would type, and processes that go on behind them.
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { openSync, closeSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { DemoFailure, until } from './failure.ts';
import { DROVER, type Place } from './place.ts';

/** Milliseconds for one command; on an idle machine most take less than 500. */
const COMMAND_MS = 45_000;

/** Milliseconds for a long-running process to say that it is ready; the first start makes a database. */
const READY_MS = 45_000;

/** Milliseconds that a process has to end in order before it is killed. */
const END_MS = 10_000;

/** Status and output of a command that has ended. */
export interface Ended {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a program to its end in the demo's environment. @throws when it could not be run at all. */
export function run(
  program: string,
  args: readonly string[],
  { env, cwd, signal }: { env: Readonly<Record<string, string>>; cwd: string; signal?: AbortSignal | undefined },
): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const options = { env: { ...env }, cwd, timeout: COMMAND_MS, ...(signal === undefined ? {} : { signal }) };
    execFile(program, [...args], options, (error, stdout, stderr) => {
      if (error === null) resolve({ status: 0, stdout, stderr });
      else if (typeof error.code === 'number') resolve({ status: error.code, stdout, stderr });
      else reject(signal?.aborted === true ? signal.reason : error);
    });
  });
}

/** Line that a long-running process prints when it is ready. */
const readyLine = z.object({ url: z.string().optional(), pid: z.number() });

/** A process that is ready: where it listens, if it does, and its id. */
export type Ready = z.infer<typeof readyLine>;

/** Process of Drover that goes on in the background, with its output in files. */
export class Running {
  readonly name: string;
  readonly #child: ChildProcess;
  readonly #log: string;
  #expected = false;
  #hasEnded = false;

  /** @param onDeath called when it ends unasked. */
  constructor(
    name: string,
    {
      args,
      place,
      env,
      onDeath,
    }: {
      args: readonly string[];
      place: Place;
      env: Readonly<Record<string, string>>;
      onDeath: (failure: DemoFailure) => void;
    },
  ) {
    this.name = name;
    this.#log = join(place.base, `${name}.log`);
    const files = [openSync(`${this.#log}.out`, 'a'), openSync(this.#log, 'a')] as const;
    // A session of its own: Ctrl-C reaches the demo alone, which then ends its processes in order.
    const stdio: ['ignore', number, number] = ['ignore', ...files];
    this.#child = spawn(DROVER, [...args], { env: { ...env }, cwd: place.base, stdio, detached: true });
    for (const file of files) closeSync(file);
    this.#child.unref();
    const ended = (how: unknown, signal?: unknown): void => {
      this.#hasEnded = true;
      if (!this.#expected)
        void this.lastWords().then((words) =>
          onDeath(new DemoFailure(`"drover ${args[0] ?? ''}" ended by itself (${String(signal ?? how)}):\n${words}`)),
        );
    };
    this.#child.once('error', ended);
    this.#child.once('exit', ended);
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  /** Waits for the line that says that it is ready. */
  async ready(signal: AbortSignal): Promise<Ready> {
    const ask = async (): Promise<Ready | undefined> => {
      const [line = '', rest] = (await readFile(`${this.#log}.out`, 'utf8')).split('\n', 2);
      return rest === undefined ? undefined : readyLine.parse(JSON.parse(line));
    };
    return until(ask, { what: `${this.name} is ready (see ${this.#log})`, withinMs: READY_MS, signal });
  }

  /** Returns the last lines of its log. */
  async lastWords(): Promise<string> {
    const text = await readFile(this.#log, 'utf8').catch(() => '');
    return text.trimEnd().split('\n').slice(-8).join('\n');
  }

  /** Lines of its log so far. */
  async log(): Promise<readonly string[]> {
    return (await readFile(this.#log, 'utf8')).split('\n');
  }

  /** Notes that the process may end from now on. */
  expectEnd(): void {
    this.#expected = true;
  }

  /** Waits until it has ended. */
  async ended(): Promise<void> {
    await until(() => this.#hasEnded || undefined, { what: `${this.name} has ended`, withinMs: END_MS });
  }

  /** Ends it: by this signal, and after a while by force. */
  async end(signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
    this.expectEnd();
    this.#child.kill(signal);
    await this.ended().catch(async () => {
      this.#child.kill('SIGKILL');
      await this.ended();
    });
  }
}
