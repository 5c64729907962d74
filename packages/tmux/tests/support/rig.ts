/** Rig of every test against a real tmux. */
import { randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { vi } from 'vitest';

import { type Incarnation, TmuxServer, type TmuxServerOptions } from '../../src/index.ts';
import { endServer } from '../../src/server/end-servers.ts';
import { clock, host } from './test-host.ts';

/** Program of tmux under test; another version can be named to run the same tests on it. */
export const TMUX = process.env['TEST_TMUX_PROGRAM'] ?? 'tmux';

/** Server of tmux on its own socket in its own directory; both go when the rig is disposed, and its drivers before them. */
export class Rig implements AsyncDisposable {
  readonly dir: string;
  readonly socket: string;
  /** Drivers to close: a driver that outlived its test would start the server again. */
  readonly #drivers: TmuxServer[] = [];

  private constructor(dir: string, socket: string) {
    this.dir = dir;
    this.socket = join(dir, socket);
  }

  static async make({ socket = 's' } = {}): Promise<Rig> {
    return new Rig(await mkdtemp(join(tmpdir(), 'drover-tmux-')), socket);
  }

  async open(options: Partial<TmuxServerOptions> = {}): Promise<TmuxServer> {
    const driver = await TmuxServer.open({
      host,
      clock,
      socket: { kind: 'path', path: this.socket },
      secret: randomUUID(),
      program: TMUX,
      ...options,
    });
    this.#drivers.push(driver);
    return driver;
  }

  /**
   * Opens two drivers of one server. A server has one driver at a time, so the first driver that connects ends the connection of the other:
   * nothing ends them any more once both have a client.
   */
  async openTwo(): Promise<readonly [TmuxServer, TmuxServer]> {
    const both = await Promise.all([this.open(), this.open()]);
    await eventually(async () => {
      const clients = await this.clients();
      if (clients.length !== 2 || !both.every(({ isConnected }) => isConnected))
        throw new Error('not both are connected');
    });
    return both;
  }

  /** Process ids of the server's clients; none while the server cannot be reached. */
  async clients(): Promise<readonly number[]> {
    const listed = await this.tmux('list-clients', '-F', '#{client_pid}');
    return listed.split('\n').flatMap((line) => (/^\d+$/u.test(line) ? [Number(line)] : []));
  }

  /** Runs tmux as a person would. */
  tmux(...args: readonly string[]): Promise<string> {
    return host.text(TMUX, ['-u', '-S', this.socket, ...args]);
  }

  /** Starts a receiver and waits until it reads. */
  async receiver(server: TmuxServer, name: string): Promise<Receiver> {
    const log = join(this.dir, `${name}.log`);
    const program = fileURLToPath(new URL('receiver.ts', import.meta.url));
    const pane = await this.start(server, name, [process.execPath, program, log]);
    await shows(server, pane, 'READY');
    return { pane, received: () => readFile(log, 'utf8').catch(() => '') };
  }

  async start(server: TmuxServer, name: string, argv: readonly string[]): Promise<Incarnation> {
    const plan = { name, argv, cwd: this.dir, width: 120, height: 12 };
    const outcome = await server.createSession(plan);
    if (outcome.kind !== 'created') throw new Error(`session "${name}": ${outcome.kind}`);
    return outcome.pane.incarnation;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const driver of this.#drivers) await driver[Symbol.asyncDispose]();
    await endServer({ host, program: TMUX, socket: ['-S', this.socket], env: {} }, clock);
    await rm(this.dir, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  }
}

/** Pane that logs what it receives. */
export interface Receiver {
  readonly pane: Incarnation;
  readonly received: () => Promise<string>;
}

/** Waits until a condition holds, polling it. */
export function eventually<T>(condition: () => T | Promise<T>, timeout = 60_000): Promise<T> {
  return vi.waitFor(condition, { timeout, interval: 10 });
}

/** Waits until a pane's screen shows a text. */
export async function shows(server: TmuxServer, pane: Incarnation, text: string): Promise<void> {
  await eventually(async () => {
    const outcome = await server.capture(pane);
    const screen = outcome.kind === 'captured' ? outcome.capture.text : outcome.kind;
    if (!screen.includes(text)) throw new Error(`expected "${text}" on the screen:\n${screen}`);
  });
}

/** A text as a program with bracketed paste receives it. */
export function bracketed(text: string): string {
  return `\u001b[200~${text}\u001b[201~`;
}
