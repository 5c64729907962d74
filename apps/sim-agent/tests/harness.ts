// Runs the program for real: in a pane of a tmux server of the test's own, with a repository and a home for each pane.

import { execFile, execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { vi } from 'vitest';
import { SIM_AGENT_ENTRY, type WitnessEvent } from '../src/index.ts';

const run = promisify(execFile);

/** Milliseconds that a condition may take to come true; generous, for a loaded machine. */
const DEADLINE_MS = 60_000;

/** Options of one pane. Pastes that matter to a test are sent by the test itself. */
interface PaneOptions {
  readonly args?: readonly string[];
  readonly width?: number;
  readonly height?: number;
  readonly env?: Readonly<Record<string, string>>;
  /** The directory of an earlier pane: same repository, same home, same log. */
  readonly directory?: string;
}

/** A tmux server of its own; disposing it ends every pane and removes every directory. */
export class Terminal implements AsyncDisposable {
  readonly #socket = `drover-test-${randomBytes(6).toString('hex')}`;
  readonly #directories: string[] = [];
  #panes = 0;

  /** Starts the program in a pane. */
  async open(options: PaneOptions = {}): Promise<Pane> {
    const directory = options.directory ?? this.#newDirectory();
    const repo = join(directory, 'repo');
    const env = { SIM_AGENT_HOME: join(directory, 'home'), SIM_AGENT_LOG: join(directory, 'log'), ...options.env };
    const name = `p${(this.#panes += 1)}`;
    const fast = ['--start-swallow-ms', '0', '--tick-ms', '20'];
    const id = await this.tmux(
      ['-f', '/dev/null', 'new-session', '-d', '-P', '-F', '#{pane_id}', '-s', name, '-c', repo],
      ['-x', String(options.width ?? 80), '-y', String(options.height ?? 24)],
      Object.entries(env).flatMap(([key, value]) => ['-e', `${key}=${value}`]),
      ['--', process.execPath, SIM_AGENT_ENTRY, ...fast, ...(options.args ?? [])],
      [';', 'set-option', '-g', 'remain-on-exit', 'on'],
    );
    return new Pane(this, id.trim(), directory);
  }

  /** Runs one tmux command on this server. */
  async tmux(...args: readonly (readonly string[])[]): Promise<string> {
    const { stdout } = await run('tmux', ['-u', '-L', this.#socket, ...args.flat()], { maxBuffer: 64 * 1024 * 1024 });
    return stdout;
  }

  /** Makes the server look for dead children again: Debian's tmux loses the signal that tells it. */
  async wake(): Promise<void> {
    const pid = Number(await this.tmux(['display-message', '-p', '#{pid}']));
    process.kill(pid, 'SIGCHLD');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.tmux(['kill-server']).catch(() => undefined);
    for (const directory of this.#directories) rmSync(directory, { recursive: true, force: true, maxRetries: 3 });
  }

  #newDirectory(): string {
    const directory = mkdtempSync(join(tmpdir(), 'sim-agent-'));
    this.#directories.push(directory);
    mkdirSync(join(directory, 'repo'));
    const git = (...args: readonly string[]): unknown => execFileSync('git', args, { cwd: join(directory, 'repo') });
    git('init', '-q', '-b', 'main');
    git('-c', 'user.name=t', '-c', 'user.email=t@t', 'commit', '-q', '--allow-empty', '-m', 'first');
    return directory;
  }
}

/** Pane with a running program. */
export class Pane {
  readonly id: string;
  readonly directory: string;
  readonly #terminal: Terminal;

  constructor(terminal: Terminal, id: string, directory: string) {
    this.#terminal = terminal;
    this.id = id;
    this.directory = directory;
  }

  get repo(): string {
    return join(this.directory, 'repo');
  }

  /** The screen's rows as text. */
  async rows(): Promise<string[]> {
    return (await this.#terminal.tmux(['capture-pane', '-p', '-t', this.id])).split('\n');
  }

  /** The screen's rows with colours; the Escape of each sequence is shown as `␛`. */
  async colours(): Promise<string[]> {
    const screen = await this.#terminal.tmux(['capture-pane', '-p', '-e', '-t', this.id]);
    return screen.replaceAll('\u001B', '␛').split('\n');
  }

  /** Presses keys by their tmux names. */
  async keys(...names: readonly string[]): Promise<void> {
    await this.#terminal.tmux(['send-keys', '-t', this.id, ...names]);
  }

  /** Types text without brackets, and keys after it, in one tmux command. */
  async type(text: string, ...after: readonly string[]): Promise<void> {
    const then = after.length > 0 ? [';', 'send-keys', '-t', this.id, ...after] : [];
    await this.#terminal.tmux(['send-keys', '-t', this.id, '-l', '--', text], then);
  }

  /** Pastes text with brackets, and keys after it, in one tmux command. */
  async paste(text: string, ...after: readonly string[]): Promise<void> {
    const file = join(this.directory, 'paste');
    writeFileSync(file, text);
    const then = after.length > 0 ? [';', 'send-keys', '-t', this.id, ...after] : [];
    await this.#terminal.tmux(
      ['load-buffer', '-b', this.id, file, ';', 'paste-buffer', '-p', '-r', '-d', '-b', this.id, '-t', this.id],
      then,
    );
  }

  async resize(width: number, height: number): Promise<void> {
    await this.#terminal.tmux(['resize-window', '-t', this.id, '-x', String(width), '-y', String(height)]);
  }

  /** Reads a fact of tmux, by a format such as `#{pane_dead}`. */
  async fact(format: string): Promise<string> {
    return (await this.#terminal.tmux(['display-message', '-p', '-t', this.id, format])).trim();
  }

  /** Waits until the screen, as text, satisfies the condition. */
  async until(what: string, condition: (screen: string) => boolean): Promise<string> {
    return waitFor(async () => {
      const screen = (await this.rows()).join('\n');
      if (!condition(screen)) throw new Error(`waiting for ${what}; the screen is:\n${screen}`);
      return screen;
    });
  }

  /** Waits for the prompt box, idle and empty of a turn. */
  async ready(): Promise<void> {
    await waitFor(async () => {
      const rows = await this.colours();
      if (!rows.some((row) => /^(␛\[(0|39|49)m)*❯\u00A0/.test(row))) throw new Error(`not ready:\n${rows.join('\n')}`);
    });
  }

  /** Waits until the program is dead and tmux knows how. */
  async dead(): Promise<{ status: string; signal: string }> {
    return waitFor(async () => {
      const fact = await this.fact('#{pane_dead}|#{pane_dead_status}|#{pane_dead_signal}');
      const [dead, status = '', signal = ''] = fact.split('|');
      if (dead !== '1') throw new Error(`still alive: ${fact}`);
      if (status === '' && signal === '') await this.#terminal.wake();
      if (status === '' && signal === '') throw new Error('tmux has not learned how it died');
      return { status, signal };
    });
  }

  /** The witness log so far. */
  log(): WitnessEvent[] {
    return jsonLines(join(this.directory, 'log')) as WitnessEvent[];
  }

  /** Waits for so many events of a kind and gives them. */
  async logged<Kind extends WitnessEvent['event']>(
    kind: Kind,
    count = 1,
  ): Promise<Extract<WitnessEvent, { event: Kind }>[]> {
    return waitFor(async () => {
      const events = this.log().filter(
        (event): event is Extract<WitnessEvent, { event: Kind }> => event.event === kind,
      );
      if (events.length < count) throw new Error(`waiting for ${count} "${kind}": ${JSON.stringify(this.log())}`);
      return events;
    });
  }

  /** The lines of this directory's only transcript. */
  transcript(): Record<string, unknown>[] {
    const projects = join(this.directory, 'home', 'projects');
    const project = join(projects, readdirSync(projects)[0] ?? '');
    return readdirSync(project).flatMap((name) => jsonLines(join(project, name)));
  }

  /** The status file of the newest life. */
  status(): Record<string, unknown> {
    const sessions = join(this.directory, 'home', 'sessions');
    const name = readdirSync(sessions).find((file) => file.endsWith('.json'));
    return name === undefined
      ? {}
      : (JSON.parse(readFileSync(join(sessions, name), 'utf8')) as Record<string, unknown>);
  }
}

/** Lines of JSON; a last line that is still being written is left out. */
export function jsonLines(path: string): Record<string, unknown>[] {
  const lines = readFileSync(path, 'utf8').split('\n').slice(0, -1);
  return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
}

/** Tries again until it does not throw, at most to the deadline. */
export async function waitFor<Value>(probe: () => Promise<Value> | Value): Promise<Value> {
  return vi.waitFor(probe, { timeout: DEADLINE_MS, interval: 20 });
}
