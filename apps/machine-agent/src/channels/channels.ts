/** Keeps the channels of the lives that this agent drives: each is opened when it is first asked for, and closed with its life. */
import type { Duplex } from 'node:stream';
import type { LocalClock, Log } from '@drover/base';
import type { Host } from '@drover/host';
import type { StructuredState } from '@drover/screen';
import { worktreePath } from '@drover/worktree';
import type { Profiles } from '../panes/agent-profile.ts';
import type { KnownWorkers } from '../store/known-workers.ts';
import { addressFile, readAddress } from './address.ts';
import type { Channel } from './channel.ts';
import { CodexChannel } from './codex/codex.ts';
import { OpenCodeChannel } from './opencode/opencode.ts';

interface ChannelsOptions {
  readonly host: Host;
  readonly knownWorkers: Pick<KnownWorkers, 'incarnationOf' | 'settingsOf'>;
  readonly profiles: Pick<Profiles, 'find'>;
  readonly machineDir: string;
  readonly clock: LocalClock;
  readonly log: Log;
}

/** Milliseconds until the way to a program must be open, besides the way there and back. */
const CONNECT_MS = 2_000;
const ROUND_TRIPS = 4;

/** Channels by incarnation. Disposing it closes all. */
export class Channels implements Disposable {
  readonly #options: ChannelsOptions;
  readonly #open = new Map<string, { readonly workerId: string; readonly channel: Promise<Channel | null> }>();
  #onNews: (incarnation: string) => void = () => {};

  constructor(options: ChannelsOptions) {
    this.#options = options;
  }

  /** @param onNews Called when a program told that its state has changed. */
  start(onNews: (incarnation: string) => void): void {
    this.#onNews = onNews;
  }

  /** Channel of a life; null when it has none. Nothing is connected yet. */
  of(incarnation: string): Promise<Channel | null> {
    const known = this.#open.get(incarnation);
    if (known !== undefined) return known.channel;
    const life = this.#options.knownWorkers.incarnationOf(incarnation);
    if (life === undefined) return Promise.resolve(null);
    // A worker has one life at a time.
    for (const [old, { workerId }] of this.#open) if (workerId === life.workerId) this.forget(old);
    const channel = this.#channelOf(incarnation, life);
    this.#open.set(incarnation, { workerId: life.workerId, channel });
    return channel;
  }

  /** State of a life in its program's own words; null when it has no channel or does not answer. */
  async stateOf(incarnation: string): Promise<StructuredState | null> {
    const channel = await this.of(incarnation);
    return (await channel?.state().catch((error: unknown) => this.#tell(incarnation, error))) ?? null;
  }

  forget(incarnation: string): void {
    void this.#open.get(incarnation)?.channel.then((channel) => channel?.[Symbol.dispose]());
    this.#open.delete(incarnation);
  }

  [Symbol.dispose](): void {
    for (const incarnation of this.#open.keys()) this.forget(incarnation);
  }

  async #channelOf(
    incarnation: string,
    { workerId, openedAt }: { readonly workerId: string; readonly openedAt: number },
  ): Promise<Channel | null> {
    const { host, knownWorkers, profiles, machineDir, clock } = this.#options;
    const settings = knownWorkers.settingsOf(workerId);
    const description = settings && profiles.find(settings.profile)?.profile.launch.channel;
    const address = await readAddress(host, addressFile(machineDir, workerId));
    if (settings === undefined || description == null || address === null) return null;
    const worktree = worktreePath(settings.project.root, settings.name);
    const cwd = (await host.realpath(worktree).catch(() => undefined)) ?? worktree;
    const answers = description.decisions;
    if (description.kind === 'codex' && address.kind === 'socket') {
      const connect = (): Promise<Duplex> => this.#connect(address.path);
      const server = async (): Promise<string | null> => {
        const socket = await host.stat(address.path).catch(() => undefined);
        return socket === undefined ? null : `${socket.inode} ${socket.modifiedAt}`;
      };
      return new CodexChannel({ connect, server, cwd, answers, clock, onNews: () => this.#onNews(incarnation) });
    }
    if (description.kind === 'opencode' && address.kind === 'port') {
      const connect = (): Promise<Duplex> => this.#connect(address.port);
      const login = { user: description.user, password: address.password };
      return new OpenCodeChannel({ connect, login, cwd, openedAt: openedAt + host.clockOffsetMs(), answers, clock });
    }
    return null;
  }

  /** Connects in time, or gives the attempt up. */
  async #connect(to: number | string): Promise<Duplex> {
    const { host, clock } = this.#options;
    const asked = host.loopback.connect(to);
    const { promise, reject } = Promise.withResolvers<never>();
    const withinMs = CONNECT_MS + ROUND_TRIPS * host.link.roundTripMs;
    const cancel = clock.after(withinMs, () => {
      reject(new Error(`it was not reached within ${withinMs} ms`));
      asked.then((stream) => stream.destroy()).catch(() => {});
    });
    return Promise.race([asked, promise]).finally(cancel);
  }

  #tell(incarnation: string, error: unknown): null {
    this.#options.log('debug', `Cannot hear ${incarnation} by its channel: ${String(error)}`);
    return null;
  }
}
