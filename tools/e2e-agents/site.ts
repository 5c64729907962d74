// Sets up the place of a trial: a home, a repository, a Drover root, `drover up` on it, and the person at its panes.
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, realpath, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { startTelegramPeer, type TelegramScript } from '@drover/chat-bot/testing';
import { MockModel, type Place, type Program } from '@drover/real-agents';
import { endpointIn, Fleet } from '../fleet/fleet.ts';
import { endTmux, environmentOf } from '../fleet/place.ts';
import { DroverProcess } from '../fleet/process.ts';
import { DROVER } from '../fleet/program.ts';
import { until } from '../fleet/wait.ts';
import { LoopbackHost } from '../loopback-host.ts';

const run = promisify(execFile);
/** Milliseconds between two keys of a person: programs take a quicker burst for a paste. */
const KEY_GAP_MS = 400;
/** Milliseconds until the bot has answered. */
const WELCOME_MS = 120_000;

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

interface Parts {
  readonly directory: string;
  readonly env: Record<string, string>;
  readonly model: MockModel;
  /** A chat in which the person is asked, too. */
  readonly telegram: TelegramScript;
  /** Host that the agent runs on; null: the agent runs where `drover up` does. */
  readonly far: LoopbackHost | null;
  readonly place: Place;
  readonly up: DroverProcess;
  /** Name of the agent's profile. */
  readonly agent: string;
}

/** The whole scene of one trial. Disposing ends what it started and removes its directory. */
export class Site implements AsyncDisposable {
  readonly fleet: Fleet;
  readonly model: MockModel;
  readonly telegram: TelegramScript;
  readonly place: Place;
  readonly source: string;
  readonly agent: string;
  readonly #parts: Parts;

  private constructor(parts: Parts) {
    const { agent, directory, model, telegram, place, up } = parts;
    this.#parts = parts;
    this.agent = agent;
    this.source = path.join(directory, 'demo');
    this.model = model;
    this.telegram = telegram;
    this.place = place;
    this.fleet = new Fleet(
      () => endpointIn(path.join(directory, 'data')),
      () => up.expectAlive(),
    );
  }

  static async open(subject: Subject, now: () => number): Promise<Site> {
    const { agent, program, reviewer, isOverSsh } = subject;
    // The path is short, because sockets lie in it and their paths may have 103 bytes.
    const directory = await realpath(await mkdtemp('/tmp/dra-'));
    const model = await MockModel.start({ now, isFree: reviewer !== null });
    const telegram = await startTelegramPeer();
    const far = isOverSsh ? await LoopbackHost.start('far') : null;
    const own = path.join(directory, 'home');
    const place = { home: far?.home ?? own, root: path.join(directory, 'demo-drover'), model: model.url };
    for (const name of ['home', 'run', 'demo']) await mkdir(path.join(directory, name), { mode: 0o700 });
    await writeFile(path.join(own, '.gitconfig'), GIT_CONFIG);
    // The user who owns nothing has no shell of his own.
    const mine = { SHELL: '/bin/sh', TERM: 'xterm-256color', TMPDIR: '/tmp', GIT_CONFIG_NOSYSTEM: '1' };
    const env = { ...environmentOf(directory), ...mine };
    await program.settle(place);
    await reviewer?.program.settle(place);
    await repository(path.join(directory, 'demo'), env);
    await run(DROVER, ['init', '--source', path.join(directory, 'demo')], { cwd: directory, env });
    const toml = `${configuration(directory, subject, place)}[chat]\ntelegram_api_url = "${telegram.url}"\n`;
    await writeFile(path.join(place.root, 'drover.toml'), toml);
    const token = telegram.options.telegram?.token ?? '';
    const up = new DroverProcess({ cwd: place.root, env: { ...env, DROVER_TELEGRAM_TOKEN: token } }, ['up']);
    const site = new Site({ agent, directory, env, far, model, telegram, place, up });
    up.start();
    await up.ready();
    await site.fleet.connected();
    if (far !== null) await run(DROVER, ['machine', 'add', ...far.way], { cwd: place.root, env });
    // The mock service is reached by a key, and hooks are the trial's own.
    await run(DROVER, ['project', 'trust', path.basename(place.root), 'api-key', 'hooks'], { cwd: place.root, env });
    return site;
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
    const { stdout } = await run(DROVER, ['user', 'link', 'ada'], { cwd: this.place.root, env: this.#parts.env });
    this.telegram.command('link', /\/link (\S+)/u.exec(stdout)?.[1] ?? '');
    const isWelcome = (): boolean => this.telegram.answers().some((words) => words.startsWith('Welcome, ada'));
    await until('the welcome', isWelcome, WELCOME_MS);
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
    await this.fleet.add(worker, this.#parts.far?.name);
  }

  /** Conversation of a worker, as a person reads it. */
  async conversation(worker: string): Promise<string> {
    const words = ['logs', worker, '--conversation'];
    return (await run(DROVER, words, { cwd: this.place.root, env: this.#parts.env })).stdout;
  }

  /** Report of the doctor, whatever it found. */
  async doctor(): Promise<string> {
    const { root } = this.place;
    return run(DROVER, ['doctor'], { cwd: root, env: this.#parts.env }).then(
      ({ stdout }) => stdout,
      ({ stdout }: { stdout?: unknown }) => String(stdout),
    );
  }

  async worktree(worker: string): Promise<string> {
    return (await this.fleet.worker(worker))?.worktree ?? path.join(this.place.root, '.worktrees', worker);
  }

  async git(at: string, ...args: readonly string[]): Promise<string> {
    return (await run('git', ['-C', at, ...args], { env: this.#parts.env })).stdout.trim();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const { directory, far, up } = this.#parts;
    await up.kill('SIGTERM');
    await far?.[Symbol.asyncDispose]();
    await endTmux(directory);
    await this.model[Symbol.asyncDispose]();
    await this.telegram[Symbol.asyncDispose]();
    await rm(directory, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
  }

  async #tmux(...args: readonly string[]): Promise<string> {
    const local = path.join(this.#parts.directory, 'run', 'fleets');
    const at = this.#parts.far?.runtime ?? path.join(local, (await readdir(local))[0] ?? '');
    return (await run('tmux', ['-S', path.join(at, 'tmux.sock'), ...args])).stdout.trimEnd();
  }
}

const GIT_CONFIG = '[user]\nname = Ada\nemail = ada@example.org\n[init]\ndefaultBranch = main\n';

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
