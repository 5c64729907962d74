// Runs the programs of a demo: commands that a person would type, and processes of Drover that go on behind them.
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { endpointIn, type Endpoint } from '../fleet/fleet.ts';
import { DROVER } from '../fleet/program.ts';
import { until } from '../fleet/wait.ts';
import { Happenings } from './happenings.ts';
import type { Page } from './page.ts';
import type { Place } from './place.ts';
import { inWords } from './sentences.ts';

export interface Stage {
  readonly place: Place;
  readonly page: Page;
  /** Ends the demo before its end. */
  readonly fail: (failure: Error) => void;
  /** Holds what ends with the demo. */
  readonly stack: AsyncDisposableStack;
}

/** A Drover that runs. */
export interface Fleet {
  readonly endpoints: readonly Endpoint[];
  /** Types a `drover` command. @returns what it printed. @throws when it fails. */
  drover(...args: string[]): Promise<string>;
  /** Closes the sessions and ends the processes in order. */
  down(): Promise<void>;
}

/** End of a demo: the fleet that is still up, and what was promised and held. */
export interface Played {
  readonly fleet: Fleet;
  readonly kept: readonly string[];
  /** Directories outside of the demo's in which something of it ran. */
  readonly elsewhere?: readonly string[];
}

/** Milliseconds for one command on a loaded machine; on an idle one most take less than 500. */
const COMMAND_MS = 180_000;
/** Milliseconds for a process to say that it is ready; the first start makes a database. */
const READY_MS = 180_000;
/** Milliseconds for something that a process tells in its log: a lost link, a connection. */
const SAID_MS = 90_000;
/** Milliseconds that a process has to end in order before it is killed. */
const END_MS = 10_000;

/** Status and output of a command that has ended. */
interface Ended {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a program to its end. @throws when it could not be run at all. */
function run(
  [program = '', ...args]: readonly string[],
  options: { readonly env: Place['env']; readonly cwd: string },
): Promise<Ended> {
  return new Promise((resolve, reject) => {
    execFile(program, args, { ...options, timeout: COMMAND_MS }, (error, stdout, stderr) => {
      if (error === null) resolve({ status: 0, stdout, stderr });
      else if (typeof error.code === 'number') resolve({ status: error.code, stdout, stderr });
      else reject(error);
    });
  });
}

/** Runs a program that must succeed. @returns what it printed. */
export async function done(words: readonly string[], options: Parameters<typeof run>[1]): Promise<string> {
  const { status, stdout, stderr } = await run(words, options);
  if (status !== 0) throw new Error(`"${words.join(' ')}" failed: ${stderr}`);
  return stdout.trimEnd();
}

/** Process of Drover that goes on in the background, with its output in files: it outlives a demo that is kept. */
export class Running {
  readonly name: string;
  readonly #child: ChildProcess;
  readonly #log: string;
  #expected = false;
  #hasEnded = false;

  /** That it ends by itself ends the demo. */
  constructor({ place, fail }: Stage, name: string, { args, env }: { args: readonly string[]; env: Place['env'] }) {
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
      if (this.#expected) return;
      const what = `"drover ${args[0] ?? ''}" ended by itself (${String(signal ?? how)})`;
      void this.log().then((lines) => fail(new Error([`${what}:`, ...lines.slice(-8)].join('\n'))));
    };
    this.#child.once('error', ended);
    this.#child.once('exit', ended);
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  /** Waits for the line that says that it is ready. */
  async ready(): Promise<{ readonly url?: string; readonly pid: number }> {
    const first = async (): Promise<string | undefined> => {
      const [line = '', rest] = (await readFile(`${this.#log}.out`, 'utf8')).split('\n', 2);
      return rest === undefined ? undefined : line;
    };
    return JSON.parse(await until(`${this.name} to be ready (see ${this.#log})`, first, READY_MS));
  }

  /** Lines of its log so far. */
  async log(): Promise<readonly string[]> {
    return (await readFile(this.#log, 'utf8').catch(() => '')).trimEnd().split('\n');
  }

  /** Waits until it has logged a line with these words more often than before. */
  async says(words: string, before = 0): Promise<void> {
    await until(`"${words}" in ${this.#log}`, async () => (await this.times(words)) > before, SAID_MS);
  }

  /** Counts the lines of its log with these words, in all its lives. */
  async times(words: string): Promise<number> {
    return (await this.log()).filter((line) => line.includes(words)).length;
  }

  /** Notes that the process may end from now on. */
  expectEnd(): void {
    this.#expected = true;
  }

  /** Waits until it has ended. */
  async ended(): Promise<void> {
    await until(`the end of ${this.name}`, () => this.#hasEnded, END_MS);
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

/** Exit statuses of `drover` that leave it unknown whether the request arrived: no answer, or a database that was away. */
const UNANSWERED: ReadonlySet<number> = new Set([3, 70]);

/** Times that an unanswered command is typed again. A person would not be slower than a restart of the database. */
const ATTEMPTS = 10;

/** Types `drover` commands, again where an answer did not come. `env`: with which variables, by now. */
export function commands({ base }: Place, env: () => Place['env']): Fleet['drover'] {
  return async (...args) => {
    for (let attempt = 1; ; attempt += 1) {
      const { status, stdout, stderr } = await run([DROVER, ...args], { env: env(), cwd: base });
      // The command was refused after an unanswered attempt: that attempt had arrived, as the histories must show.
      if (status === 0 || (attempt > 1 && !UNANSWERED.has(status))) return stdout.trimEnd();
      if (UNANSWERED.has(status) && attempt < ATTEMPTS) continue;
      throw new Error(`"drover ${args.join(' ')}" ended with status ${status}: ${stderr.trim()}`);
    }
  };
}

/** `drover up`: everything in one process, with a Postgres of its own. */
export async function laptop(stage: Stage): Promise<Fleet> {
  const { place, page } = stage;
  page.command('drover up');
  const up = new Running(stage, 'up', { args: ['up', '--port', '0', '--json'], env: place.env });
  const { url, pid } = await up.ready();
  const endpoint = endpointIn(place.dataDir);
  if (endpoint === null) throw new Error(`"drover up" left no address in ${place.dataDir}`);
  page.happened('drover', `is up at ${url ?? ''} (process ${pid}), with a Postgres of its own`, { tone: 'good' });
  const drover = commands(place, () => place.env);
  return {
    endpoints: [endpoint],
    drover,
    down: async () => {
      page.command('drover down');
      up.expectEnd();
      await drover('down');
      await up.ended();
      page.happened('drover', 'is down; its sessions are closed');
    },
  };
}

/** Follows what happens and prints it, until the demo ends. */
export function follow({ page, fail, stack }: Stage, { endpoints }: Fleet): Happenings {
  const happenings = new Happenings(endpoints, (event) => {
    const told = inWords(event);
    if (told !== null) page.happened(event.worker, told.text, { tone: told.tone, at: event.at });
    if (event.to === 'error') fail(new Error(`${event.worker} could not be recovered, which the demo does not expect`));
  });
  return stack.use(happenings);
}
