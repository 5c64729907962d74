/**
 * Spreads workers over several tmux servers, each for a few workers: one that dies takes only its own panes with it. A worker stays on the
 * server of its session; the servers themselves tell which that is.
 */
import { join } from 'node:path';
import type { Host } from '@drover/host';
import {
  restoreSocket,
  socketName,
  socketNumber,
  TmuxError,
  TmuxServer,
  type PaneAddress,
  type TmuxServerOptions,
} from '@drover/tmux';
import type { Placed, Sessions } from '../servers.ts';
import { OPTIONS, paneOf, workerOf } from '../managed.ts';
import type { ServerRecord } from './server-record.ts';

/** Milliseconds that a server may take to answer. */
const PROBE_MS = 5_000;

/** Milliseconds between two checks of the sockets: a person who attaches waits no longer for a removed one. */
const KEEP_EVERY_MS = 15_000;

interface ShardsOptions extends Pick<TmuxServerOptions, 'clock' | 'log' | 'startedBy' | 'epoch'> {
  readonly host: Host;
  /** Directory of the sockets: short and private. */
  readonly directory: string;
  /** File with the servers' processes. */
  readonly record: ServerRecord;
  /** Workers on one server. */
  readonly size: number;
  /** Makes a word that cannot be guessed, for each server. */
  readonly newSecret: () => string;
}

/** Every tmux server of this machine that Drover drives. The next call retries a server that cannot be opened. */
export class Shards implements Sessions, AsyncDisposable {
  readonly #options: ShardsOptions;
  readonly #open = new Map<number, Promise<TmuxServer>>();
  readonly #opened = new Set<TmuxServer>();
  /** Numbers of known servers, in one set as long as this lives: a server that is added during a search stays known. */
  readonly #numbers = new Set([1]);
  #found: Promise<void> | undefined;
  #onOpened: (server: TmuxServer) => void = () => {};
  #placing: Promise<unknown> = Promise.resolve();
  #cancelKeeping: (() => void) | undefined;

  constructor(options: ShardsOptions) {
    this.#options = options;
  }

  /** @param run Called for each server that is open, now and later. */
  forEach(run: (server: TmuxServer) => void): void {
    this.#onOpened = run;
    for (const server of this.#opened) run(server);
  }

  /** Opens all. @throws TmuxError `tmux-missing`, `tmux-too-old`, `server-gone`, `refused`. */
  async servers(): Promise<readonly TmuxServer[]> {
    await this.#findOnce();
    return Promise.all([...this.#numbers].map((number) => this.#server(number)));
  }

  /** Lists every managed pane. @throws TmuxError when one server cannot be asked: its panes are not gone. */
  async panes(): Promise<readonly Placed<TmuxServer>[]> {
    const servers = await this.servers();
    const lists = await Promise.all(servers.map(placedOn));
    return lists.flat();
  }

  /** Finds the pane of a worker. @throws TmuxError when it was not found, and one server cannot be asked. */
  async find(workerId: string): Promise<Placed<TmuxServer> | undefined> {
    const servers = await this.servers();
    const lists = await Promise.allSettled(servers.map(placedOn));
    const own = lists.flatMap((list) => (list.status === 'fulfilled' ? list.value : []));
    const pane = paneOf(
      own.map((one) => one.pane),
      workerId,
    );
    const found = own.find((one) => one.pane === pane);
    const failed = lists.find((list) => list.status === 'rejected');
    if (found === undefined && failed !== undefined) throw failed.reason;
    return found;
  }

  /** Finds the server of this life; undefined when that server has ended, and the life with it. */
  async at({ serverPid, serverStart }: PaneAddress): Promise<TmuxServer | undefined> {
    const servers = await this.servers();
    return servers.find(({ identity }) => identity.pid === serverPid && identity.start === serverStart);
  }

  /** Runs `create` on the first server with room, one at a time, so that none gets more than its share. */
  place<T>(create: (server: TmuxServer) => Promise<T>): Promise<T> {
    const placed = this.#placing.then(async () => create(await this.#withRoom()));
    this.#placing = placed.catch(() => undefined);
    return placed;
  }

  /** Disconnects; the servers and their panes go on. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#cancelKeeping?.();
    this.#cancelKeeping = undefined;
    const servers = await Promise.allSettled(this.#open.values());
    for (const server of servers) if (server.status === 'fulfilled') await server.value[Symbol.asyncDispose]();
  }

  async #withRoom(): Promise<TmuxServer> {
    await this.#findOnce();
    for (let number = 1; ; number += 1) {
      this.#numbers.add(number);
      const server = await this.#server(number);
      if ((await placedOn(server)).length < this.#options.size) return server;
    }
  }

  /** Finds the running servers: once, and after a failure again at the next call. */
  async #findOnce(): Promise<void> {
    this.#found ??= this.#find();
    try {
      await this.#found;
    } catch (error) {
      this.#found = undefined;
      throw error;
    }
  }

  /** Adds the running servers. @throws when one cannot be asked. */
  async #find(): Promise<void> {
    const { host, directory, record } = this.#options;
    for (const number of (await record.servers()).keys()) await this.#restoreSocket(number);
    // The first server always exists, and its opening reports a tmux that is missing or too old.
    await this.#server(1);
    const entries = (await host.readdir(directory)) ?? [];
    const numbers = entries.map(({ name }) => socketNumber(name)).filter((number) => number !== undefined);
    const running = await Promise.all(numbers.map(async (number) => ((await this.#runs(number)) ? [number] : [])));
    for (const number of running.flat()) this.#numbers.add(number);
  }

  /**
   * Tells whether a server runs. A socket without a listener is left over from a server that died. A server that does not answer in time does
   * not count as dead: Drover would miss the sessions on it.
   *
   * @throws TmuxError `timed-out`; HostError when tmux cannot be started.
   */
  async #runs(number: number): Promise<boolean> {
    const { host } = this.#options;
    const socket = this.#socket(number);
    const outcome = await host.run('tmux', ['-S', socket, 'list-sessions'], { timeoutMs: PROBE_MS });
    if (outcome.timedOut) {
      throw new TmuxError('timed-out', `The tmux server at "${socket}" did not answer within ${PROBE_MS} ms`);
    }
    return outcome.status === 0;
  }

  async #server(number: number): Promise<TmuxServer> {
    const opening = this.#open.get(number) ?? this.#openOne(number);
    this.#open.set(number, opening);
    try {
      return await opening;
    } catch (error) {
      if (this.#open.get(number) === opening) this.#open.delete(number);
      throw error;
    }
  }

  /** Restores sockets again and again: people need them to attach, and a cleaner of temporary directories may come at any time. */
  #keepSockets(): void {
    this.#cancelKeeping = this.#options.clock.after(KEEP_EVERY_MS, () => void this.#restoreSockets());
  }

  async #restoreSockets(): Promise<void> {
    const { log } = this.#options;
    const restored = await Promise.allSettled([...this.#open].map(([number, server]) => this.#keepOne(number, server)));
    const failed = restored.find((one) => one.status === 'rejected');
    if (failed !== undefined) log?.('A socket could not be restored', failed.reason);
    if (this.#cancelKeeping !== undefined) this.#keepSockets();
  }

  /** Keeps one socket, with the present process: a server that died and was restarted since it was opened is another process. */
  async #keepOne(number: number, opening: Promise<TmuxServer>): Promise<void> {
    const { record } = this.#options;
    const { pid } = (await opening).identity;
    if ((await record.servers()).get(number)?.pid !== pid) await record.keep(number, pid);
    await this.#restoreSocket(number);
  }

  /** Restores the socket of a server that an earlier agent of this machine opened. */
  async #restoreSocket(number: number): Promise<void> {
    const { host, clock, record } = this.#options;
    const known = (await record.servers()).get(number);
    if (known === undefined) return;
    const { pid, started } = known;
    await restoreSocket(
      { host, clock },
      { socket: this.#socket(number), identity: { pid }, started: started ?? undefined },
    );
  }

  async #openOne(number: number): Promise<TmuxServer> {
    const { host, clock, log, newSecret, startedBy, epoch, record } = this.#options;
    await this.#restoreSocket(number);
    const server = await TmuxServer.open({
      host,
      clock,
      socket: { kind: 'path', path: this.#socket(number) },
      secret: newSecret(),
      epoch,
      userOptions: Object.values(OPTIONS),
      ...(startedBy === undefined ? {} : { startedBy }),
      ...(log === undefined ? {} : { log }),
    });
    await server.setPaneEnvironment(await host.environment());
    // A full disk must not keep agents from starting; the next start writes the process id.
    await record.keep(number, server.identity.pid).catch((cause: unknown) => {
      log?.(`The process id of the tmux server "${server.socket}" could not be kept`, cause);
    });
    if (this.#opened.size === 0) this.#keepSockets();
    this.#opened.add(server);
    this.#onOpened(server);
    return server;
  }

  #socket(number: number): string {
    return join(this.#options.directory, socketName(number));
  }
}

async function placedOn(server: TmuxServer): Promise<readonly Placed<TmuxServer>[]> {
  const panes = await server.listPanes();
  return panes.filter((pane) => workerOf(pane) !== undefined).map((pane) => ({ server, pane }));
}
