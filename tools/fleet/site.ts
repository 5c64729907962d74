/** A laptop for these tests: a source repository, a Drover root, directories and a tmux server of its own. */
import { execFileSync, spawn } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { placeOfTests } from '@drover/embedded-postgres/testing';
import { readWitness, type WitnessLine } from './witness.ts';
import type { DroverPlace } from './process.ts';
import { endTmux, environmentOf } from './place.ts';
import { MAIN } from './program.ts';
import { until } from './wait.ts';

/** A command that is running, or has ended. */
export interface BegunCommand {
  /** Output so far, both streams. */
  said(): string;
  ended(): true | undefined;
  stop(): void;
}

/** Differences of a laptop from that of most tests. */
export interface SiteOptions {
  /** Directory that is there, and is left; usual: a new one, which goes. */
  readonly dir?: string;
  /** File for the log of the simulated agents. */
  readonly witness?: string;
  /** Further tables of drover.toml. */
  readonly toml?: string;
}

export class Site implements AsyncDisposable {
  readonly dir: string;
  readonly source: string;
  readonly root: string;
  readonly dataDir: string;
  readonly #isOwn: boolean;
  readonly #witness: string;
  readonly #env: Readonly<Record<string, string>>;

  constructor(env: Readonly<Record<string, string>> = {}, { dir, witness, toml = '' }: SiteOptions = {}) {
    this.#isOwn = dir === undefined;
    this.dir = dir ?? realpathSync(mkdtempSync(join(placeOfTests(), 'dkill-')));
    this.source = join(this.dir, 'source');
    this.root = join(this.dir, 'root');
    this.dataDir = join(this.dir, 'data');
    this.#witness = witness ?? join(this.dir, 'witness.jsonl');
    this.#env = { ...environmentOf(this.dir), DROVER_LOG: 'debug', GIT_CONFIG_NOSYSTEM: '1', ...env };
    chmodSync(this.dir, 0o711); // root starts the database as another user, who must pass
    mkdirSync(join(this.dir, 'home'));
    mkdirSync(join(this.dir, 'run'), { mode: 0o700 });
    this.#makeSource();
    this.drover('init', '--source', this.source, '--target', this.root);
    writeFileSync(join(this.root, 'drover.toml'), `${this.#config()}${toml}`);
  }

  /** Place where processes of Drover start. */
  get place(): DroverPlace {
    return { cwd: this.root, env: this.#env };
  }

  /** Runs a command of Drover to its end. */
  drover(...args: readonly string[]): string {
    const cwd = existsSync(this.root) ? this.root : this.dir;
    return execFileSync(process.execPath, [MAIN, ...args], { cwd, env: this.#env, encoding: 'utf8', stdio: 'pipe' });
  }

  /** Begins a command of Drover. */
  begin(...args: readonly string[]): BegunCommand {
    const child = spawn(process.execPath, [MAIN, ...args], { cwd: this.root, env: this.#env, stdio: 'pipe' });
    let said = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => (said += text));
    }
    return {
      said: () => said,
      ended: () => (child.exitCode === null && child.signalCode === null ? undefined : true),
      stop: () => void child.kill('SIGKILL'),
    };
  }

  git(at: string, ...args: readonly string[]): string {
    const settings = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org', '-c', 'maintenance.auto=false'];
    return execFileSync('git', ['-C', at, ...settings, ...args], { encoding: 'utf8', env: this.#env, stdio: 'pipe' });
  }

  /** Path of a worker's worktree. */
  worktree(worker: string): string {
    return join(this.root, '.worktrees', worker);
  }

  /** Path of the repository that keeps checkpoints, trash, and branches as they were last seen. */
  archive(): string {
    const [found] = globSync(join(this.dataDir, '**/depots/*/archive.git'));
    if (found === undefined) throw new Error('there is no archive yet');
    return found;
  }

  /** Lists subjects of the commits that a worker's branch has and the default branch has not. */
  commits(worker: string): readonly string[] {
    const at = existsSync(join(this.worktree(worker), '.git')) ? this.worktree(worker) : this.archive();
    const subjects = this.git(at, 'log', '--format=%s', `drover/${worker}`, '--not', '--remotes=origin');
    return subjects.split('\n').filter((line) => line !== '');
  }

  /** Reads the records of this laptop's simulated agents. */
  witnessed(): readonly WitnessLine[] {
    return readWitness(this.#witness);
  }

  /** Ends the tmux server and with it every agent, and removes the directories. */
  async [Symbol.asyncDispose](): Promise<void> {
    await endTmux(this.dir);
    for (const pointer of globSync(join(this.dataDir, '**/staged-at'))) {
      // The database of root may lie elsewhere; its home's parent was made for it alone.
      await removeCluster(readFileSync(pointer, 'utf8').trim());
    }
    if (this.#isOwn) rmSync(this.dir, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  }

  #makeSource(): void {
    mkdirSync(this.source);
    this.git(this.source, 'init', '-q', '-b', 'main');
    writeFileSync(join(this.source, 'a.txt'), 'one\n');
    this.git(this.source, 'add', '-A');
    this.git(this.source, 'commit', '-q', '-m', 'first');
  }

  #config(): string {
    const args = ['--log', this.#witness, '--start-swallow-ms', '0'];
    return [
      '[defaults]\nprofile = "sim"\nsession_width = 200',
      `[repo]\nsource = ${JSON.stringify(this.source)}\ndefault_branch = "main"`,
      `[profiles.sim]\nargs = ${JSON.stringify(args)}`,
      '',
    ].join('\n\n');
  }
}

/** Removes a cluster; the server of a killed process stops by itself, a moment later. */
async function removeCluster(home: string): Promise<void> {
  const pidFile = join(home, 'pgdata', 'postmaster.pid');
  await until(
    () => `the database in ${home} to end`,
    () => (existsSync(pidFile) ? undefined : true),
    20_000,
  );
  rmSync(dirname(home), { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
}
