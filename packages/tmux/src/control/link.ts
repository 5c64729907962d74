/**
 * Keeps one tmux server within reach although connections end.
 *
 * While there is a control connection, commands go over it; while there is none, each command runs as a process of its own, and the link
 * retries to connect after a growing pause.
 */
import type { Clock } from '@drover/base';
import type { Chain } from '../commands/command.ts';
import { ControlConnection } from './connection.ts';
import { TmuxError } from '../errors.ts';
import { HUB } from '../server/hub.ts';
import type { CommandRunner, Replies } from '../commands/runner.ts';
import type { SpawnedCommands, TmuxAddress } from '../commands/spawned.ts';

/** Milliseconds before the first retry to connect, and the longest pause before any retry. */
const RETRY_FIRST_MS = 50;
const RETRY_MAX_MS = 5_000;

interface LinkOptions {
  readonly address: TmuxAddress;
  readonly clock: Clock;
  readonly secret: string;
  readonly spawned: SpawnedCommands;
  /** Ensures a server with a hub before each connection. */
  readonly prepare: () => Promise<void>;
  /** Sets up settings of the connection; commands use the connection after this resolves. */
  readonly onConnected: (connection: ControlConnection) => Promise<void>;
  readonly onNotification: (line: string) => void;
  readonly log: (message: string, cause?: unknown) => void;
}

/** Connection to one tmux server, with spawned commands as the fallback. */
export class ControlLink implements CommandRunner, AsyncDisposable {
  readonly #options: LinkOptions;
  #connection: ControlConnection | undefined;
  #connecting: Promise<void> | undefined;
  /** Resolves when tmux knows the control client that is just starting. Undefined: none is starting. */
  #starting: Promise<void> | undefined;
  /** Commands under way as processes of their own. */
  readonly #spawnedNow = new Set<Promise<unknown>>();
  #cancelRetry: (() => void) | undefined;
  #failures = 0;
  #closed = false;

  constructor(options: LinkOptions) {
    this.#options = options;
  }

  get via(): CommandRunner['via'] {
    return this.#runner.via;
  }

  /** Connects now. @throws the reason of the failure; the link goes on retrying by itself. */
  async connect(): Promise<void> {
    this.#connecting ??= this.#connectOnce().finally(() => {
      this.#connecting = undefined;
    });
    await this.#connecting;
  }

  /**
   * Runs commands, but none beside a control client that is just starting: until the client has introduced itself, a new session, a detached
   * client or a changed buffer crashes the server with all its panes (tmux before 3.7: issues 4980 and 5004 of tmux).
   */
  async exec(chains: readonly Chain[], options: { timeoutMs: number }): Promise<Replies> {
    while (this.#starting !== undefined) await this.#starting;
    if (this.#closed) throw new TmuxError('closed', 'This tmux driver was closed');
    const runner = this.#runner;
    const running = runner.exec(chains, options);
    if (runner.via === 'control') return running;
    this.#spawnedNow.add(running);
    return running.finally(() => this.#spawnedNow.delete(running));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closed = true;
    this.#cancelRetry?.();
    await this.#connecting?.catch(() => {});
    await this.#connection?.[Symbol.asyncDispose]();
  }

  get #runner(): CommandRunner {
    const connection = this.#connection;
    return connection?.isOpen === true ? connection : this.#options.spawned;
  }

  async #connectOnce(): Promise<void> {
    const { address, clock, secret, prepare, onConnected, onNotification } = this.#options;
    let connection: ControlConnection | undefined;
    const starting = Promise.withResolvers<void>();
    const endStart = (): void => {
      this.#starting = undefined;
      starting.resolve();
    };
    try {
      await prepare();
      this.#starting = starting.promise;
      await Promise.allSettled(this.#spawnedNow);
      const attach = ['-C', 'attach-session', '-t', `=${HUB}`, '-f', 'no-output,ignore-size'];
      const args = ['-u', ...address.socket, ...attach];
      const stream = await address.host.spawnStream(address.program, args, { env: address.env });
      connection = new ControlConnection(stream, {
        clock,
        secret,
        onNotification,
        onAttached: endStart,
        onClosed: (reason) => this.#onClosed(reason),
      });
      await onConnected(connection);
      this.#connection = connection;
      this.#failures = 0;
      if (this.#closed) await connection[Symbol.asyncDispose]();
      else if (!connection.isOpen) this.#retryLater();
    } catch (error) {
      await connection?.[Symbol.asyncDispose]();
      // A replaced driver stays away: it could only disturb the other.
      const isReplaced = error instanceof TmuxError && error.code === 'fenced';
      if (!isReplaced) this.#retryLater();
      throw error;
    } finally {
      endStart();
    }
  }

  #onClosed(reason: TmuxError): void {
    if (this.#closed || this.#connection?.isOpen !== false) return;
    this.#connection = undefined;
    this.#options.log(
      'lost the control connection to tmux; Drover starts a process for each command until it is back',
      reason,
    );
    this.#retryLater();
  }

  #retryLater(): void {
    if (this.#closed || this.#cancelRetry !== undefined) return;
    const delayMs = Math.min(RETRY_FIRST_MS * 2 ** this.#failures, RETRY_MAX_MS);
    this.#failures += 1;
    this.#cancelRetry = this.#options.clock.after(delayMs, () => {
      this.#cancelRetry = undefined;
      this.connect().catch((error: unknown) => {
        this.#options.log('cannot connect to tmux; retrying', error);
      });
    });
  }
}
