// Sets up the place of a trial: a home, a repository, a Drover root, `drover up` on it, and the person at its panes.
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { appendFile, mkdir, mkdtemp, readdir, realpath, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { systemClock } from '@drover/base';
import { startTelegramPeer, type TelegramScript } from '@drover/chat-bot/testing';
import { createLocalHost } from '@drover/host';
import { endServers } from '@drover/tmux';
import { Fleet } from './fleet.ts';
import { LoopbackHost } from '../loopback-host.ts';
import { MockModel, type Place, type Program } from '@drover/real-agents';
import { until } from './until.ts';

const run = promisify(execFile);
const DROVER = path.resolve(import.meta.dirname, '../../bin/drover');
/** Milliseconds between two keys of a person: programs take a quicker burst for a paste. */
const KEY_GAP_MS = 400;
/** Milliseconds in which `drover up` must serve; it makes a database first. */
const UP_MS = 120_000;

/** Agent: the profile's name, its program and its set-up. */
export type Agent = {
  readonly agent: string;
  readonly argv: readonly string[];
  readonly program: Program;
};

/** Agent on trial. */
export type Subject = Agent & {
  /** Agent of the worker `carla`; null: there is only one. */
  readonly reviewer: Agent | null;
  /** Tells whether its program runs on a host that only ssh reaches. */
  readonly isOverSsh: boolean;
};

/** The whole scene of one trial. Disposing ends what it started and removes its directory. */
export class Site implements AsyncDisposable {
  readonly fleet: Fleet;
  readonly model: MockModel;
  /** A chat in which the person is asked, too. */
  readonly telegram: TelegramScript;
  readonly place: Place;
  readonly source: string;
  /** Name of the agent's profile. */
  readonly agent: string;
  readonly #directory: string;
  /** Host that the agent runs on; null: the agent runs where `drover up` does. */
  readonly #far: LoopbackHost | null;
  readonly #up: ChildProcess;
  /** Output of `drover up`, shown when a trial failed. */
  readonly said: string[] = [];

  private constructor(parts: {
    agent: string;
    directory: string;
    far: LoopbackHost | null;
    fleet: Fleet;
    model: MockModel;
    telegram: TelegramScript;
    place: Place;
    up: ChildProcess;
    said: string[];
  }) {
    this.agent = parts.agent;
    this.#directory = parts.directory;
    this.#far = parts.far;
    this.#up = parts.up;
    this.source = path.join(parts.directory, 'demo');
    this.fleet = parts.fleet;
    this.model = parts.model;
    this.telegram = parts.telegram;
    this.place = parts.place;
    this.said = parts.said;
  }

  static async open(subject: Subject, now: () => number): Promise<Site> {
    const { program, reviewer, isOverSsh } = subject;
    // The path is short, because sockets lie in it and their paths may have 103 bytes.
    const directory = await realpath(await mkdtemp('/tmp/dra-'));
    const model = await MockModel.start({ now, isFree: reviewer !== null });
    const telegram = await startTelegramPeer();
    const far = isOverSsh ? await LoopbackHost.start('far') : null;
    const own = path.join(directory, 'home');
    const place = { home: far?.home ?? own, root: path.join(directory, 'demo-drover'), model: model.url };
    for (const name of ['home', 'run', 'demo']) await mkdir(path.join(directory, name), { mode: 0o700 });
    await writeFile(path.join(own, '.gitconfig'), GIT_CONFIG);
    const env = environment(directory);
    await program.settle(place);
    await reviewer?.program.settle(place);
    await repository(path.join(directory, 'demo'), env);
    await run(DROVER, ['init', '--source', path.join(directory, 'demo')], { cwd: directory, env });
    await writeFile(path.join(place.root, 'drover.toml'), configuration(directory, subject, place));
    await appendFile(path.join(place.root, 'drover.toml'), `[chat]\ntelegram_api_url = "${telegram.url}"\n`);
    const token = telegram.options.telegram?.token;
    const withChat = { ...env, DROVER_TELEGRAM_TOKEN: token };
    const up = spawn(DROVER, ['up', '--json'], { cwd: place.root, env: withChat, stdio: ['ignore', 'pipe', 'pipe'] });
    const said: string[] = [];
    for (const stream of [up.stdout, up.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => said.push(text));
    const fleet = await until('"drover up" to serve', () => Fleet.find(path.join(directory, 'data')), UP_MS).catch(
      (error: unknown) => {
        throw new Error(`${String(error)}\n${said.join('')}`);
      },
    );
    if (far !== null) await run(DROVER, ['machine', 'add', ...far.way], { cwd: place.root, env });
    // The mock service is reached by a key, and hooks are the trial's own.
    await run(DROVER, ['project', 'trust', path.basename(place.root), 'api-key', 'hooks'], { cwd: place.root, env });
    return new Site({ agent: subject.agent, directory, far, fleet, model, telegram, place, up, said });
  }

  /** Presses keys in a worker's pane, as a person would; a word with a `/` is typed as it is. */
  async press(worker: string, keys: readonly string[]): Promise<void> {
    for (const [index, key] of keys.entries()) {
      if (index > 0) await delay(KEY_GAP_MS);
      await this.#tmux('send-keys', '-t', `=drover-${worker}:`, ...(key.includes('/') ? ['-l', key] : [key]));
    }
  }

  /** The person sends the bot a code, once: from then on each question has a card. */
  async link(): Promise<void> {
    if (this.telegram.answers().some((words) => words.startsWith('Welcome'))) return;
    const env = environment(this.#directory);
    const { stdout } = await run(DROVER, ['user', 'link', 'ada'], { cwd: this.place.root, env });
    this.telegram.command('link', /\/link (\S+)/u.exec(stdout)?.[1] ?? '');
    const isWelcome = async (): Promise<true | undefined> =>
      this.telegram.answers().some((words) => words.startsWith('Welcome, ada')) || undefined;
    await until('the welcome', isWelcome, UP_MS);
  }

  /** The process of a worker's pane. */
  async pid(worker: string): Promise<number> {
    return Number(await this.#tmux('display-message', '-p', '-t', `=drover-${worker}:`, '#{pane_pid}'));
  }

  /** The screen of a worker's pane with its colours. */
  async screen(worker: string): Promise<string> {
    return this.#tmux('capture-pane', '-e', '-p', '-t', `=drover-${worker}:`);
  }

  /** Adds a worker where agents run. */
  async add(worker: string): Promise<void> {
    await this.fleet.add(worker, this.#far?.name);
  }

  async worktree(worker: string): Promise<string> {
    return (await this.fleet.worker(worker))?.worktree ?? path.join(this.place.root, '.worktrees', worker);
  }

  async git(at: string, ...args: readonly string[]): Promise<string> {
    const env = environment(this.#directory);
    return (await run('git', ['-C', at, ...args], { env })).stdout.trim();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#up.kill('SIGTERM');
    await until('"drover up" to end', async () => (this.#up.exitCode === null ? undefined : true), 20_000).catch(() =>
      this.#up.kill('SIGKILL'),
    );
    await this.#far?.[Symbol.asyncDispose]();
    const runtime = path.join(this.#directory, 'run', 'fleets');
    const tools = { host: createLocalHost({ env: process.env }), clock: systemClock };
    for (const key of await readdir(runtime).catch(() => [])) await endServers(tools, path.join(runtime, key));
    await this.model[Symbol.asyncDispose]();
    await this.telegram[Symbol.asyncDispose]();
    await rm(this.#directory, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
  }

  async #tmux(...args: readonly string[]): Promise<string> {
    const local = path.join(this.#directory, 'run', 'fleets');
    const at = this.#far?.runtime ?? path.join(local, (await readdir(local))[0] ?? '');
    return (await run('tmux', ['-S', path.join(at, 'tmux.sock'), ...args])).stdout.trimEnd();
  }
}

const GIT_CONFIG = '[user]\nname = Ada\nemail = ada@example.org\n[init]\ndefaultBranch = main\n';

/** Builds an environment with nothing of the person who runs the trial but the places of programs. */
function environment(directory: string): Record<string, string> {
  return {
    HOME: path.join(directory, 'home'),
    PATH: process.env['PATH'] ?? '/usr/local/bin:/usr/bin:/bin',
    LANG: 'C.UTF-8',
    // The user who owns nothing has no shell of his own.
    SHELL: '/bin/sh',
    TERM: 'xterm-256color',
    TMPDIR: '/tmp',
    GIT_CONFIG_NOSYSTEM: '1',
    XDG_RUNTIME_DIR: path.join(directory, 'run'),
    DROVER_DATA_DIR: path.join(directory, 'data'),
  };
}

/** A worker asks before each command, unless its name is `bruno` or `carla`. Strings of JSON are strings of TOML. */
function configuration(directory: string, { reviewer, ...author }: Subject, place: Place): string {
  return [
    '[defaults]',
    `profile = "${author.agent}"`,
    'skip_permissions = false',
    'allowed_tools = []',
    'session_width = 200',
    '[repo]',
    `source = "${path.join(directory, 'demo')}"`,
    'default_branch = "main"',
    '[agent]',
    'inherit = ["GIT_CONFIG_NOSYSTEM"]',
    '[coordinator]',
    'port = 0',
    'log_level = "debug"',
    '[workers.bruno]',
    'skip_permissions = true',
    '[workers.carla]',
    'skip_permissions = true',
    ...(reviewer === null ? [] : [`profile = "${reviewer.agent}"`, ...profileOf(reviewer, place)]),
    ...profileOf(author, place),
    '',
  ].join('\n');
}

function profileOf({ agent, argv, program }: Agent, place: Place): readonly string[] {
  const variables = Object.entries(program.env(place)).map(([name, value]) => `${name} = ${JSON.stringify(value)}`);
  return [
    `[profiles.${agent}]`,
    `program = ${JSON.stringify(argv)}`,
    `args = ${JSON.stringify(program.args)}`,
    `env = { ${variables.join(', ')} }`,
  ];
}

async function repository(at: string, env: Record<string, string>): Promise<void> {
  const git = async (...args: readonly string[]): Promise<unknown> => run('git', ['-C', at, ...args], { env });
  await git('init', '--quiet');
  await writeFile(path.join(at, 'README.md'), '# Demo\n\nA repository to try agents in.\n');
  await git('add', '.');
  await git('commit', '--quiet', '--message', 'First');
}
