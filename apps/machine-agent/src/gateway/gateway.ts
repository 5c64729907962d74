/** Serves machines over SSH: says hello as a gateway, takes the machines that it may, and reports the state of each, until it ends. */
import { type LocalClock, type Log, pause } from '@drover/base';
import type { GatewayAnswer, GatewayRequest, HelloRequest, ServedMachine } from '@drover/protocol';
import { PROTOCOL_VERSION } from '@drover/protocol';
import { CoordinatorApi } from '../sync/api.ts';
import { backoffMs } from '../sync/backoff.ts';
import type { Post } from '../sync/http-adapter.ts';
import { sayHello, type Identity } from '../sync/identity.ts';
import { follow } from '../time.ts';
import { sayable } from './sayable.ts';
import type { ServedHost } from './served-host.ts';

/** Share of an access token's life after which the gateway says hello again. */
const RENEW_AT = 0.8;
/** Seconds that one request waits for news at most. */
const WAIT_SECONDS = 5;
/** Milliseconds until the gateway asks for a machine that it is still leaving. */
const LEFT_MS = 500;
/** Milliseconds for the last message of a gateway that ends. */
const LEAVE_MS = 2_000;

type Served = Pick<ServedHost, 'machine' | 'state' | 'findings' | typeof Symbol.asyncDispose>;

export interface GatewayOptions {
  readonly urls: readonly string[];
  readonly identity: Omit<Identity, 'facts'> & { readonly facts: () => Promise<HelloRequest['facts']> };
  readonly post: Post;
  readonly clock: LocalClock;
  readonly random: () => number;
  readonly log: Log;
  readonly signal: AbortSignal;
  /** Key by which the gateway speaks for a machine: made once, kept in the gateway's directory. */
  readonly keyFor: (machineId: string) => string;
  /** Begins to serve a machine. */
  readonly serve: (machine: ServedMachine, onNews: () => void) => Served;
}

export class Gateway {
  readonly #options: GatewayOptions;
  readonly #hosts = new Map<string, Served>();
  /** Hosts whose links and agents are being closed: their directories are in use until then. */
  readonly #ending = new Map<string, Promise<void>>();
  /** Machines of the newest answer: a machine whose previous service has not ended is this gateway's, too. */
  #wanted: readonly ServedMachine[] = [];
  #revision = '';
  #wake = (): void => {};

  constructor(options: GatewayOptions) {
    this.#options = options;
  }

  /** Runs until the signal fires; then leaves every host. Never rejects. */
  async run(): Promise<void> {
    const { urls, clock, random, log, signal } = this.#options;
    let failures = 0;
    while (!signal.aborted) {
      try {
        await this.#talk(urls[failures % urls.length] ?? '', () => (failures = 0));
      } catch (error) {
        if (signal.aborted) break;
        failures += 1;
        const delayMs = backoffMs(failures, random());
        log(
          failures <= 2 || failures % 20 === 0 ? 'warn' : 'debug',
          `The gateway lost its coordinator: ${String(error)}`,
        );
        await pause(clock, delayMs, signal);
      }
    }
    await Promise.all([...this.#hosts.keys()].map((id) => this.#end(id)));
  }

  async #talk(url: string, onWorking: () => void): Promise<void> {
    const { post, clock, identity, signal, log } = this.#options;
    const api = new CoordinatorApi(url, { post, clock, signal });
    const hello = await sayHello(api, identity);
    log('info', `The gateway is connected to ${api.url}`, { epoch: hello.epoch });
    const over = clock.elapsed() + (hello.expiresAt - hello.serverTime) * RENEW_AT;
    const token = hello.accessToken;
    let take: GatewayRequest['take'] = [];
    while (!signal.aborted && clock.elapsed() < over) {
      const answer = await this.#ask(api, token, take);
      if (answer !== undefined) {
        onWorking();
        this.#follow(answer);
        take = answer.free.filter((id) => !this.#ending.has(id)).map((machineId) => this.#keyOf(machineId));
        // A machine that is still being left is asked for in a moment.
        if (take.length < answer.free.length) await pause(clock, LEFT_MS, signal);
      }
    }
    if (signal.aborted) await this.#leave(url, token);
  }

  #keyOf(machineId: string): GatewayRequest['take'][number] {
    return { machineId, publicKey: this.#options.keyFor(machineId) };
  }

  /** Asks the coordinator. @returns undefined when a host had news meanwhile, or the gateway must end: the next request reports that at once. */
  async #ask(api: CoordinatorApi, token: string, take: GatewayRequest['take']): Promise<GatewayAnswer | undefined> {
    const { signal } = this.#options;
    const over = new AbortController();
    const unfollow = follow(over, signal);
    let hasNews = false;
    this.#wake = () => {
      hasNews = true;
      // A request that takes a machine is never aborted: its answer could be lost, and the machine taken once more.
      if (take.length === 0) over.abort();
    };
    const waitSeconds = take.length > 0 ? 0 : WAIT_SECONDS;
    try {
      return await api.gateway(this.#request(take, false), { token, waitSeconds, signal: over.signal });
    } catch (error) {
      if ((hasNews || signal.aborted) && over.signal.aborted) return undefined;
      throw error;
    } finally {
      unfollow();
      this.#wake = () => {};
    }
  }

  #request(take: GatewayRequest['take'], leaving: boolean): GatewayRequest {
    const hosts = this.#wanted.map(({ machineId, epoch }) => {
      const host = this.#hosts.get(machineId);
      const isPresent = host?.machine.epoch === epoch;
      const state = isPresent ? host.state : ({ kind: 'connecting' } as const);
      return sayable({ machineId, epoch, state, findings: isPresent ? [...host.findings] : [] });
    });
    return { proto: PROTOCOL_VERSION, hosts, take, revision: this.#revision, leaving };
  }

  /** Starts and ends hosts until they match the answer. */
  #follow({ serve, revision }: GatewayAnswer): void {
    this.#wanted = serve;
    this.#revision = revision;
    const wanted = new Map(serve.map((machine) => [machine.machineId, machine]));
    for (const [id, host] of this.#hosts) {
      const now = wanted.get(id);
      if (now === undefined || isOther(host.machine, now)) void this.#end(id);
    }
    this.#begin();
  }

  /** Serves machines that are wanted and not served; a machine's previous service ends first. */
  #begin(): void {
    if (this.#options.signal.aborted) return;
    for (const machine of this.#wanted) {
      const { machineId } = machine;
      if (this.#hosts.has(machineId) || this.#ending.has(machineId)) continue;
      this.#hosts.set(
        machineId,
        this.#options.serve(machine, () => this.#wake()),
      );
    }
  }

  #end(id: string): Promise<void> {
    const host = this.#hosts.get(id);
    this.#hosts.delete(id);
    const ending = this.#leaveHost(id, host, this.#ending.get(id));
    this.#ending.set(id, ending);
    return ending;
  }

  async #leaveHost(id: string, host: Served | undefined, before: Promise<void> | undefined): Promise<void> {
    await before;
    try {
      await host?.[Symbol.asyncDispose]();
    } catch (error) {
      this.#options.log('error', `Cannot disconnect from a machine: ${String(error)}`);
    }
    this.#ending.delete(id);
    this.#begin();
    this.#wake();
  }

  /** Gives up all machines, so that others may take them at once. */
  async #leave(url: string, token: string): Promise<void> {
    const { post, clock } = this.#options;
    const request = this.#request([], true);
    await Promise.all([...this.#hosts.keys()].map((id) => this.#end(id)));
    const last = new AbortController();
    const cancel = clock.after(LEAVE_MS, () => last.abort());
    const api = new CoordinatorApi(url, { post, clock, signal: last.signal });
    await api.gateway(request, { token, waitSeconds: 0 }).catch(() => {});
    cancel();
  }
}

/** Tells whether a machine needs another service than now. Reports of the host itself change nothing. */
function isOther(now: ServedMachine, next: ServedMachine): boolean {
  return (
    now.epoch !== next.epoch ||
    JSON.stringify(now.connection) !== JSON.stringify(next.connection) ||
    // Keys that it has proved are added while it is served.
    !now.pinned.every((key) => next.pinned.includes(key)) ||
    (now.pinned.length === 0) !== (next.pinned.length === 0)
  );
}
