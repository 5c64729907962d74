/**
 * On which tmux server does which worker live? Several servers, each for a few workers: one that dies takes only its own
 * panes with it. A worker stays where its session is; what is where is read from the servers themselves.
 */
import { join } from 'node:path';
import type { Host } from '@drover/host';
import { socketName, socketNumber, TmuxServer, type PaneAddress, type TmuxServerOptions } from '@drover/tmux';
import type { Placed, Sessions } from './servers.ts';
import { OPTIONS, paneOf, workerOf } from './managed.ts';

/** Milliseconds that a server may take to say that it is there. */
const PROBE_MS = 5_000;

/** What the shards of a machine need. */
interface ShardsOptions extends Pick<TmuxServerOptions, 'clock' | 'log'> {
  readonly host: Host;
  /** Where the sockets are: a short private directory. */
  readonly directory: string;
  /** Workers on one server. */
  readonly size: number;
  /** Makes a word that cannot be guessed, for each server. */
  readonly newSecret: () => string;
  /** Variables that no pane may inherit, whatever a server was once started with. Default: none. */
  readonly isWithheld?: (variable: string) => boolean;
}

/** Every tmux server of this machine that Drover drives. A server that cannot be opened is tried again at the next call. */
export class Shards implements Sessions, AsyncDisposable {
  readonly #options: ShardsOptions;
  readonly #open = new Map<number, Promise<TmuxServer>>();
  readonly #opened = new Set<TmuxServer>();
  #numbers: Promise<Set<number>> | undefined;
  #onOpened: (server: TmuxServer) => void = () => {};
  #placing: Promise<unknown> = Promise.resolve();

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
    const numbers = await (this.#numbers ??= this.#find());
    try {
      return await Promise.all([...numbers].map((number) => this.#server(number)));
    } catch (error) {
      // While tmux was missing, Drover could not ask which servers run.
      this.#numbers = undefined;
      throw error;
    }
  }

  /** Every managed pane. @throws TmuxError when one server cannot be asked: what it holds is not gone. */
  async panes(): Promise<readonly Placed<TmuxServer>[]> {
    const servers = await this.servers();
    const lists = await Promise.all(servers.map(placedOn));
    return lists.flat();
  }

  /** The pane of a worker. @throws TmuxError when it was not found, and one server cannot be asked. */
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

  /** The server of this life; undefined when that server is no more, and the life with it. */
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
    const servers = await Promise.allSettled(this.#open.values());
    for (const server of servers) if (server.status === 'fulfilled') await server.value[Symbol.asyncDispose]();
  }

  async #withRoom(): Promise<TmuxServer> {
    const numbers = await (this.#numbers ??= this.#find());
    for (let number = 1; ; number += 1) {
      numbers.add(number);
      const server = await this.#server(number);
      if ((await placedOn(server)).length < this.#options.size) return server;
    }
  }

  /** Numbers of the servers that run, and the first in any case. */
  async #find(): Promise<Set<number>> {
    const { host, directory } = this.#options;
    const entries = (await host.readdir(directory)) ?? [];
    const numbers = entries.flatMap(({ name }) => {
      const number = socketNumber(name);
      return number === undefined ? [] : [number];
    });
    const running = await Promise.all(numbers.map(async (number) => ((await this.#runs(number)) ? [number] : [])));
    return new Set([1, ...running.flat()].toSorted((one, other) => one - other));
  }

  /** A socket without a listener is left over from a server that died. */
  async #runs(number: number): Promise<boolean> {
    const { host } = this.#options;
    const args = ['-S', this.#socket(number), 'list-sessions'];
    const outcome = await host.run('tmux', args, { timeoutMs: PROBE_MS }).catch(() => undefined);
    return outcome?.status === 0;
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

  async #openOne(number: number): Promise<TmuxServer> {
    const { host, clock, log, newSecret, isWithheld } = this.#options;
    const server = await TmuxServer.open({
      host,
      clock,
      socket: { kind: 'path', path: this.#socket(number) },
      secret: newSecret(),
      userOptions: Object.values(OPTIONS),
      ...(log === undefined ? {} : { log }),
    });
    if (isWithheld !== undefined) await server.forget(isWithheld);
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
