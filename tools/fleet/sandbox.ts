/** A user of tests: a home, a repository, a Drover root, and `drover` as a real process. */
import { spawn } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { removeStagedBelow } from '@drover/embedded-postgres';
import { placeOfTests } from '@drover/embedded-postgres/testing';
import { openTestDatabase } from '@drover/store/testing';
import { endOf, endProcess, finished, output, withDeadline, type Ended } from './processes.ts';
import { endTmux, environmentOf } from './place.ts';
import { DROVER } from './program.ts';
import { until } from './wait.ts';

/** Milliseconds until a worker must be in a state on a loaded machine. */
const STATE_MS = 300_000;

/** Options of a command's run. */
export interface RunOptions {
  readonly cwd?: string;
  /** Added to the user's environment; undefined removes a variable. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly input?: string;
  /** Words before `drover`, such as `setpriv …`. */
  readonly before?: readonly string[];
}

/** A running `drover up`. */
export interface Up {
  readonly url: string;
  readonly pid: number;
  readonly databaseUrl: string;
  /** Output so far, both streams. */
  said(): string;
  /** Presses Ctrl-C. */
  stop(): Promise<Ended>;
}

/** A user of tests. Everything lies in one directory, which disposing removes, with the processes. */
export class Sandbox implements AsyncDisposable {
  readonly directory: string;
  readonly source: string;
  readonly root: string;
  readonly dataDir: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly #stack = new AsyncDisposableStack();

  private constructor(directory: string) {
    this.directory = directory;
    this.source = path.join(directory, 'demo');
    this.root = path.join(directory, 'demo-drover');
    this.dataDir = path.join(directory, 'data');
    this.env = environmentOf(directory);
  }

  /** Makes a repository with one commit, and no root yet. */
  static async open(options: { readonly caged?: boolean } = {}): Promise<Sandbox> {
    // Short, because sockets lie in it and their paths may have 103 bytes.
    const sandbox = new Sandbox(await realpath(await mkdtemp(path.join(placeOfTests(options), 'dc-'))));
    await chmod(sandbox.directory, 0o711); // root starts the database as another user, who must pass
    for (const name of ['home', 'run', 'demo']) await mkdir(path.join(sandbox.directory, name), { mode: 0o700 });
    await writeFile(path.join(sandbox.directory, 'home/.gitconfig'), GIT_CONFIG);
    await sandbox.git('init', '--quiet');
    await writeFile(path.join(sandbox.source, 'a.txt'), 'one\n');
    await sandbox.git('add', '.');
    await sandbox.git('commit', '--quiet', '--message', 'first');
    return sandbox;
  }

  /** Makes a repository with a root, on the simulated agent and a database of its own. */
  static async withRoot(options: { readonly caged?: boolean } = {}): Promise<Sandbox> {
    const sandbox = await Sandbox.open(options);
    const init = await sandbox.drover(['init']);
    if (init.status !== 0) throw new Error(init.stderr);
    await sandbox.configure('[defaults]\nprofile = "sim"\n[coordinator]\nport = 0\n');
    return sandbox;
  }

  /** Writes drover.toml, with the source already in it. `repo`: more of that table. */
  async configure(toml: string, repo = ''): Promise<void> {
    await writeFile(path.join(this.root, 'drover.toml'), `${toml}[repo]\nsource = "${this.source}"\n${repo}`);
  }

  async git(...args: readonly string[]): Promise<string> {
    const { status, stdout, stderr } = await this.#run('git', args, { cwd: this.source });
    if (status !== 0) throw new Error(`git ${args.join(' ')}: ${stderr}`);
    return stdout.trim();
  }

  /** Runs a command to the end; in the root if there is one. */
  async drover(args: readonly string[], options: RunOptions = {}): Promise<Ended> {
    const [program = DROVER, ...before] = [...(options.before ?? []), DROVER];
    return this.#run(program, [...before, ...args], options);
  }

  /** Runs a command that must succeed. @returns the command's output. */
  async done(...args: readonly string[]): Promise<string> {
    const { status, stdout, stderr } = await this.drover(args);
    if (status !== 0) throw new Error(`drover ${args.join(' ')}: ${stderr}`);
    return stdout;
  }

  /** The tested program. */
  readonly program = DROVER;

  /** Runs any program with exactly this environment. */
  async bare(
    [program = '', ...args]: readonly string[],
    { cwd, env }: { cwd: string; env: Readonly<Record<string, string>> },
  ): Promise<Ended> {
    return finished(spawn(program, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] }));
  }

  /** Starts `drover up` on a database of its own, unless `env` names one, and waits until it serves. */
  async up(args: readonly string[] = [], options: RunOptions = {}): Promise<Up> {
    const known = options.env?.['DATABASE_URL'];
    const databaseUrl = known ?? this.#stack.use(await openTestDatabase()).connectionString;
    // The lines of the log are of use to whoever reads a failure.
    const env = { ...this.env, DATABASE_URL: databaseUrl, DROVER_LOG: 'info', ...options.env };
    // A single pipe for both streams keeps their order.
    const words = ['-c', 'exec "$0" "$@" 2>&1', DROVER, 'up', ...args];
    const child = spawn('sh', words, { cwd: this.root, env, stdio: ['ignore', 'pipe', 'ignore'] });
    const said = output(child);
    const ended = endOf(child);
    this.#stack.defer(async () => void (await endProcess(child, 'SIGTERM')));
    const endpoint = await until(`drover up\n${said()}`, async () => {
      if (child.exitCode !== null) throw new Error(`"drover up" ended:\n${said()}`);
      return said().includes('Drover is up') ? this.endpoint() : undefined;
    });
    return {
      ...endpoint,
      databaseUrl,
      said,
      stop: () => (child.kill('SIGINT'), withDeadline(child, ended)),
    };
  }

  /** Starts a command that runs until it is stopped, and stops it after output that matches. @returns all output. */
  async saysBeforeItIsStopped(args: readonly string[], what: RegExp, { env, input = '' }: RunOptions): Promise<string> {
    const child = spawn(DROVER, args, { cwd: this.root, env: { ...this.env, ...env }, stdio: 'pipe' });
    child.stdin.on('error', () => {}); // the process may end without reading
    child.stdin.end(input);
    const said = output(child);
    try {
      return await until(`${String(what)} in:`, () => (what.test(said()) ? said() : undefined));
    } catch (error) {
      throw new Error(`${String(error)}\n${said()}`, { cause: error });
    } finally {
      await endProcess(child, 'SIGTERM');
    }
  }

  /** Reads the endpoint file of `drover up`. */
  async endpoint(): Promise<{ url: string; pid: number; token: string }> {
    return JSON.parse(await readFile(path.join(this.dataDir, 'endpoint.json'), 'utf8'));
  }

  /** Queries the coordinator of `drover up`, such as `workers.list`, without a process for each poll. */
  async ask<T>(query: string, input?: object): Promise<T> {
    const { url, token } = await this.endpoint();
    const given = input === undefined ? '' : `?input=${encodeURIComponent(JSON.stringify(input))}`;
    const answer = await fetch(`${url}/trpc/${query}${given}`, { headers: { authorization: `Bearer ${token}` } });
    if (!answer.ok) throw new Error(`${query}: ${await answer.text()}`);
    return ((await answer.json()) as { result: { data: T } }).result.data;
  }

  /** Waits until a worker is in a state; also for a coordinator that is away. */
  async until(name: string, status: string): Promise<void> {
    let last = '';
    const ask = async (): Promise<true | undefined> => {
      last = await this.#statusOf(name).catch(String);
      return last === status || undefined;
    };
    await until(() => `${name} to be ${status}; it is ${last}`, ask, STATE_MS);
  }

  async #statusOf(name: string): Promise<string> {
    const workers = await this.ask<readonly { name: string; status: string; note: string }[]>('workers.list');
    const worker = workers.find((one) => one.name === name);
    return worker === undefined ? 'gone' : worker.status;
  }

  async #run(program: string, args: readonly string[], { cwd, env, input }: RunOptions): Promise<Ended> {
    const child = spawn(program, args, {
      cwd: cwd ?? ((await exists(this.root)) ? this.root : this.source),
      env: { ...this.env, ...env },
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    child.stdin.on('error', () => {}); // the process may end without reading
    child.stdin.end(input ?? '');
    return finished(child);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (await exists(this.dataDir)) await this.drover(['down', '--force']);
    await this.#stack.disposeAsync();
    await endTmux(this.directory);
    // The database of root lies in the system's directory if the server's user cannot reach the data directory.
    await removeStagedBelow(this.directory);
    // A hook of a program that just ended may still write its last file.
    await rm(this.directory, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  }
}

const GIT_CONFIG = '[user]\nname = Test\nemail = test@example.com\n[init]\ndefaultBranch = main\n';

async function exists(file: string): Promise<boolean> {
  return readFile(file).then(
    () => true,
    (error: unknown) => error instanceof Error && 'code' in error && error.code === 'EISDIR',
  );
}
