/** Machine for tests: a source repository, private directories, a tmux socket, and agents on it. */
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { systemClock } from '@drover/base';
import type { CommandResult } from '@drover/core';
import { createLocalHost } from '@drover/host';
import type { WorkerSettings } from '@drover/protocol';
import { WORKER_SETTINGS } from '@drover/protocol/testing';
import { endServers } from '@drover/tmux';
import { startMachineAgent, type CrashPoint, type MachineAgent, type MachineAgentOptions } from '../../src/index.ts';
import { ScriptedCoordinator } from './scripted-coordinator.ts';
import type { Over, PlainOptions } from './agent-process.ts';
import { answerDialogs } from './start-dialogs.ts';
import { testHost } from './test-host.ts';
import { deliverCommand } from './deliver-command.ts';
import { until } from './until.ts';

const SIM_AGENT = fileURLToPath(new URL('../../../sim-agent/src/main.ts', import.meta.url));
const CHILD = fileURLToPath(new URL('agent-process.ts', import.meta.url));
const PACK = fileURLToPath(new URL('../../../../tools/run-tests/pack-process.ts', import.meta.url));
/** Directory of the test run, which goes with it. */
const PACKED = join(tmpdir(), 'packed-agent');

/** Log entry of the simulated agent itself. */
export interface Witnessed {
  readonly event: string;
  readonly prompt?: string;
  readonly answer?: string;
  readonly resumed?: boolean;
  readonly argv?: readonly string[];
  readonly session?: string;
  readonly pid: number;
}

/** Worker whose agent program is there. */
export interface Place {
  readonly settings: WorkerSettings;
  readonly incarnation: string;
}

export class TestMachine implements AsyncDisposable {
  readonly dir: string;
  readonly source: string;
  readonly root: string;
  readonly witness: string;
  /** Id of its project. */
  readonly project = randomUUID();
  readonly coordinator: ScriptedCoordinator;
  readonly logs: string[] = [];
  /** Arguments of the simulated agent; by default it swallows no Enter just after its start. */
  simArgs: string[] = ['--start-swallow-ms', '0'];
  readonly #agents: AsyncDisposable[] = [];
  readonly #children: ChildProcess[] = [];

  private constructor(coordinator: ScriptedCoordinator, place: string) {
    this.coordinator = coordinator;
    this.dir = realpathSync(mkdtempSync(join(place, 'dma-')));
    this.source = join(this.dir, 'source');
    this.root = join(this.dir, 'root');
    this.witness = join(this.dir, 'witness.jsonl');
    mkdirSync(join(this.dir, 'home'));
    mkdirSync(this.source);
    this.git(this.source, 'init', '-q', '-b', 'main');
    this.commit(this.source, { 'a.txt': 'one\n' }, 'first');
  }

  /** @param caged Whether its agents run in a cage, which has a /dev of its own: others have their files in memory, where there is room. */
  static async start({ caged = false }: { readonly caged?: boolean } = {}): Promise<TestMachine> {
    const place = caged ? tmpdir() : (process.env['TEST_MEMORY_DIR'] ?? tmpdir());
    return new TestMachine(await ScriptedCoordinator.start(), place);
  }

  /** Options of an agent on this machine; serialisable but for ports. */
  get plainOptions(): PlainOptions {
    const home = join(this.dir, 'home');
    return {
      coordinatorUrl: this.coordinator.url,
      dataDir: join(this.dir, 'data'),
      runtimeDir: join(this.dir, 'run'),
      machineName: 'testbox',
      joinToken: this.coordinator.token,
      home,
      version: '0.0.0-test',
      places: { workspace: join(this.dir, 'workspace'), roots: {} },
      env: { ...process.env, HOME: home, GIT_CONFIG_NOSYSTEM: '1' },
      profiles: {
        sim: {
          program: [process.execPath, SIM_AGENT],
          args: ['--log', this.witness, ...this.simArgs],
          env: {},
        },
      },
    };
  }

  /** Starts an agent in this process. */
  async agent(change: Partial<MachineAgentOptions> = {}): Promise<MachineAgent> {
    const agent = await startMachineAgent({
      ...this.plainOptions,
      ...(await testHost(this.plainOptions)),
      log: (level, message) => this.logs.push(`${level} ${message}`),
      clock: systemClock,
      ids: randomUUID,
      random: () => 0.2,
      signal: new AbortController().signal,
      ...change,
    });
    this.#agents.push(agent);
    return agent;
  }

  /** Starts an agent in its own process, which kills itself with SIGKILL at a crash point of a delivery. */
  agentProcess(crashAt?: CrashPoint, over?: Over): ChildProcess {
    const options = JSON.stringify({ ...this.plainOptions, crashAt, over });
    if (!existsSync(PACKED)) execFileSync(process.execPath, [PACK, CHILD, PACKED]);
    const child = spawn(process.execPath, [join(PACKED, 'program/program.js'), options], {
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    this.#children.push(child);
    return child;
  }

  worker(name = 'alba', change: Partial<WorkerSettings> = {}): WorkerSettings {
    const { root, source } = this;
    const project = { ...WORKER_SETTINGS.project, id: this.project, root, source, validateTimeoutMs: 20_000 };
    return { ...WORKER_SETTINGS, workerId: randomUUID(), name, project, ...change };
  }

  /** Prepares a worktree, opens the session, answers the dialogs of the start and waits until it is ready. */
  async ready(worker: WorkerSettings): Promise<string> {
    const { coordinator } = this;
    await expectKind(
      coordinator.carriedOut(worker, { kind: 'prepare', reset: true, saveAs: randomUUID() }),
      'prepared',
    );
    const from = coordinator.stored.length;
    const opened = await coordinator.carriedOut(worker, {
      kind: 'open',
      launch: { kind: 'fresh', conversation: randomUUID() },
    });
    if (opened.kind !== 'opened') throw new Error(`not opened: ${JSON.stringify(opened)}`);
    await this.answered(worker, from);
    return opened.incarnation;
  }

  /** Starts an agent in this process and opens a worker, up to the prompt of its program. */
  async openWorker(): Promise<Place> {
    await this.agent();
    const settings = this.worker();
    return { settings, incarnation: await this.ready(settings) };
  }

  /**
   * Delivers a text and waits for the program's log to say that its turn is over: on a loaded machine its screen may show the previous prompt
   * when the text is on record already.
   */
  async turn({ settings, incarnation }: Place, text: string): Promise<Extract<CommandResult, { kind: 'delivered' }>> {
    const before = this.#turnsOver();
    const delivered = await expectKind(
      this.coordinator.carriedOut(settings, deliverCommand(incarnation, text)),
      'delivered',
    );
    await until('the end of its turn', () => this.#turnsOver() > before);
    await until('its prompt', async () => {
      const observed = await this.coordinator.carriedOut(settings, { kind: 'observe', base: null, delivery: null });
      return observed.kind === 'observed' && observed.screen?.state.kind === 'ready';
    });
    return delivered;
  }

  #turnsOver(): number {
    return this.witnessed().filter(({ event }) => event === 'turn-ended').length;
  }

  /** Answers dialogs until the worker's screen shows "ready". */
  async answered(worker: WorkerSettings, from: number): Promise<void> {
    await answerDialogs(this.coordinator, worker, from);
  }

  /** Texts that the simulated agents of this machine took, in order. */
  taken(): string[] {
    return this.witnessed().flatMap((entry) => (entry.event === 'taken' ? [entry.prompt ?? ''] : []));
  }

  /** Values of `resumed` at each start of a simulated agent: whether it went on with a conversation. */
  resumed(): unknown[] {
    return this.witnessed().flatMap((entry) => (entry.event === 'started' ? [entry.resumed] : []));
  }

  witnessed(): Witnessed[] {
    if (!existsSync(this.witness)) return [];
    return readFileSync(this.witness, 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Witnessed);
  }

  /** Pin that a reviewer has seen who looks now. */
  pin(name = 'alba'): { readonly head: string; readonly tree: string } {
    const at = this.worktree(name);
    return { head: this.git(at, 'rev-parse', 'HEAD'), tree: this.git(at, 'rev-parse', 'HEAD^{tree}') };
  }

  git(at: string, ...args: string[]): string {
    const settings = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org', '-c', 'maintenance.auto=false'];
    const env = { ...process.env, HOME: join(this.dir, 'home'), GIT_CONFIG_NOSYSTEM: '1' };
    return execFileSync('git', ['-C', at, ...settings, ...args], { encoding: 'utf8', env, stdio: 'pipe' }).trim();
  }

  commit(at: string, files: Record<string, string>, message: string): string {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(at, path)), { recursive: true });
      writeFileSync(join(at, path), text);
    }
    this.git(at, 'add', '-A');
    this.git(at, 'commit', '-q', '-m', message);
    return this.git(at, 'rev-parse', 'HEAD');
  }

  /** Depot of its project: the repository from which clones borrow. */
  get depot(): string {
    return join(this.dir, 'data', 'depots', this.project, 'depot.git');
  }

  /** Archive of its project: the repository that keeps data that workers must not lose. */
  get archive(): string {
    return join(this.dir, 'data', 'depots', this.project, 'archive.git');
  }

  touch(path: string): void {
    writeFileSync(path, '');
  }

  worktree(name = 'alba'): string {
    return join(this.root, '.worktrees', name);
  }

  tmux(...args: string[]): string {
    return this.tmuxAt('tmux.sock', ...args);
  }

  tmuxAt(socket: string, ...args: string[]): string {
    return execFileSync('tmux', ['-S', join(this.dir, 'run', socket), ...args], { encoding: 'utf8', stdio: 'pipe' });
  }

  /** Sockets of the tmux servers that were started, in order. */
  sockets(): string[] {
    const names = existsSync(join(this.dir, 'run')) ? readdirSync(join(this.dir, 'run')) : [];
    return names.filter((name) => name.startsWith('tmux')).toSorted((one, other) => one.length - other.length);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    // A dying program may start a server again with its last command.
    await Promise.all(this.#children.map(killed));
    for (const agent of this.#agents) await agent[Symbol.asyncDispose]();
    await this.coordinator[Symbol.asyncDispose]();
    await endServers({ host: createLocalHost({ env: process.env }), clock: systemClock }, join(this.dir, 'run'));
    rmSync(this.dir, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
  }
}

/** Kills a process. @returns when it is gone. */
async function killed(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill('SIGKILL');
  await gone;
}

/** @throws when the result is of another kind. */
export async function expectKind<T extends { kind: string }, K extends T['kind']>(
  result: Promise<T>,
  kind: K,
): Promise<Extract<T, { kind: K }>> {
  const found = await result;
  if (found.kind !== kind) throw new Error(`Expected "${kind}": ${JSON.stringify(found)}`);
  return found as Extract<T, { kind: K }>;
}
