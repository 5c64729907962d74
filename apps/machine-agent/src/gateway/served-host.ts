/**
 * Serves one machine over SSH, from its key to its agent: checks the key, connects, examines, then runs the agent's core as long as the link
 * is up. The order is that of recovery: an earlier gateway is fenced and ended before anything is reported about the machine.
 */
import type { Log } from '@drover/base';
import { HOST_KEYS_MAX } from '@drover/protocol';
import type { HostFinding, HostState, ServedMachine } from '@drover/protocol';

/** Open host. */
export interface OpenHost {
  readonly hostId: string;
  /** Keys that the host has proved so far. */
  provenKeys(): readonly string[];
  /** Calls the listener when the link was lost, and when it is up again. */
  onChange(listener: (state: LinkNews) => void): void;
}

/** News of a link. `retry`: the link comes back by itself, if the host does. */
export type LinkNews =
  | { readonly kind: 'up' }
  | { readonly kind: 'down'; readonly code: string; readonly why: string; readonly retry: boolean };

/** Failure to reach a host. */
export interface Unreached {
  readonly code: string;
  readonly why: string;
  readonly retry: boolean;
}

/** Connection to one host, from the first question until it is disposed. Nothing is connected before `examine`. */
export interface Connection<Opened extends OpenHost = OpenHost> extends AsyncDisposable {
  /** Examines the machine's programs and gaps, and changes nothing there. @throws an error that `unreached` explains. */
  examine(): Promise<readonly HostFinding[]>;
  /** Claims the epoch on the link that was examined, and keeps it. @throws as `examine` does. */
  open(): Promise<Opened>;
  /** Ends what Drover has started there and no worker uses. @throws as `examine` does. */
  tidy(): Promise<void>;
}

/** Connections to hosts: real ones in the product, scripted ones in tests. All end soon once their signal fires. */
export interface Reach<Opened extends OpenHost = OpenHost> {
  /** Key that a host shows now, before any login. @throws Error with a message that says why it cannot be read. */
  shownKey(
    machine: ServedMachine,
    signal: AbortSignal,
  ): Promise<{ readonly key: string; readonly trust: 'trusted' | 'unknown' | 'changed' | 'revoked' }>;
  connect(machine: ServedMachine, signal: AbortSignal): Connection<Opened>;
  /** Explains an error of the others. */
  unreached(error: unknown): Unreached;
}

export interface ServedHostOptions<Opened extends OpenHost> {
  readonly machine: ServedMachine;
  readonly reach: Reach<Opened>;
  /** Runs the agent of a host until it is disposed. */
  readonly startAgent: (machine: ServedMachine, host: Opened) => Promise<AsyncDisposable>;
  readonly after: (delayMs: number, run: () => void) => () => void;
  readonly log: Log;
  /** Called after each change of the state. */
  readonly onNews: () => void;
}

/** Milliseconds until a retry after a host could not be reached, or lacked something. */
const AGAIN_MS = 10_000;
/** Milliseconds in which a host that is left must answer: the end of the gateway does not wait for another one. */
const LEAVE_MS = 1_500;

/** Host that is served until it is disposed. */
export class ServedHost<Opened extends OpenHost = OpenHost> implements AsyncDisposable {
  readonly #options: ServedHostOptions<Opened>;
  #state: HostState = { kind: 'connecting' };
  #findings: readonly HostFinding[] = [];
  #connection: Connection<Opened> | undefined;
  #agent: AsyncDisposable | undefined;
  /** Settles when the newest agent that was told to end has ended: its database is in use until then. */
  #agentEnded: Promise<unknown> = Promise.resolve();
  readonly #over = new AbortController();
  #isLeaving = false;
  #cancelAgain = (): void => {};
  /** Queue of actions on this host, which run one after another. */
  #turn: Promise<void> = Promise.resolve();

  constructor(options: ServedHostOptions<Opened>) {
    this.#options = options;
  }

  get machine(): ServedMachine {
    return this.#options.machine;
  }

  get state(): HostState {
    return this.#state;
  }

  get findings(): readonly HostFinding[] {
    return this.#findings;
  }

  start(): this {
    this.#then(() => this.#reach());
    return this;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isLeaving = true;
    await this.#leave();
    // Aborts before it waits for the queue: an attempt that no server answers would delay the end of this process.
    this.#over.abort();
    this.#cancelAgain();
    await this.#turn;
    await this.#close();
  }

  #then(step: () => Promise<void>): void {
    const before = this.#turn;
    this.#turn = this.#take(step, before);
  }

  async #take(step: () => Promise<void>, before: Promise<void>): Promise<void> {
    await before;
    if (this.#isLeaving) return;
    try {
      await step();
    } catch (error) {
      if (!this.#isLeaving) await this.#fail(error);
    }
  }

  async #reach(): Promise<void> {
    const { machine, reach } = this.#options;
    if (machine.pinned.length === 0) {
      const { key, trust } = await reach.shownKey(machine, this.#over.signal);
      if (trust === 'revoked') {
        const why = 'its key is revoked in the files of known hosts where the gateway runs';
        return this.#tell({ kind: 'lost', code: 'host-key-changed', why, retry: false });
      }
      if (trust === 'changed') return this.#tell({ kind: 'key-changed', key });
      this.#tell({ kind: 'key-unknown', key, isKnown: trust === 'trusted' });
      // The coordinator reports the confirmation: then this host is served again, with its key.
      return;
    }
    this.#tell({ kind: 'connecting' });
    const connection = reach.connect(machine, this.#over.signal);
    this.#connection = connection;
    this.#findings = await connection.examine();
    if (this.#findings.some(({ level }) => level === 'problem')) {
      this.#tell({ kind: 'lacks' });
      await this.#close();
      return this.#again(() => this.#reach());
    }
    const host = await connection.open();
    host.onChange((news) => this.#then(() => this.#onLink(connection, host, news)));
    await this.#startAgent(host);
  }

  async #startAgent(host: Opened): Promise<void> {
    const { machine, startAgent } = this.#options;
    this.#agent ??= await startAgent(machine, host);
    // Known keys come first: a host with many keys must not push them out.
    const proven = new Set(host.provenKeys());
    const keys = new Set([...machine.pinned.filter((key) => proven.has(key)), ...proven]);
    this.#tell({ kind: 'connected', hostId: host.hostId, keys: [...keys].slice(0, HOST_KEYS_MAX) });
  }

  /** Reports nothing of the machine without a link, so that the coordinator notices the loss; its agents go on. */
  async #onLink(connection: Connection<Opened>, host: Opened, news: LinkNews): Promise<void> {
    if (this.#connection !== connection) return;
    if (news.kind === 'up') return this.#startAgent(host);
    const { machine, log } = this.#options;
    log('warn', `The machine "${machine.name}" is lost: ${news.why}`, { code: news.code });
    this.#cancelAgain();
    await this.#endAgent();
    if (news.retry) return this.#tell({ kind: 'lost', code: news.code, why: news.why, retry: true });
    await this.#close();
    await this.#stopped(news);
  }

  async #fail(error: unknown): Promise<void> {
    const { machine, reach, log } = this.#options;
    const unreached = reach.unreached(error);
    log('warn', `The machine "${machine.name}" is not reached: ${unreached.why}`, { code: unreached.code });
    await this.#close();
    await this.#stopped(unreached);
  }

  async #stopped({ code, why, retry }: Unreached): Promise<void> {
    const { machine, reach } = this.#options;
    if (code === 'host-key-changed') {
      const shown = await reach.shownKey(machine, this.#over.signal).catch((): undefined => undefined);
      // The machine waits for a person's confirmation.
      if (shown !== undefined && shown.trust !== 'trusted') return this.#tell({ kind: 'key-changed', key: shown.key });
    }
    this.#tell({ kind: 'lost', code, why, retry });
    // A person may repair the machine or the connection; if a newer gateway serves it, the coordinator ends this service.
    this.#again(() => this.#reach());
  }

  #again(step: () => Promise<void>): void {
    this.#cancelAgain();
    this.#cancelAgain = this.#options.after(AGAIN_MS, () => this.#then(step));
  }

  #tell(state: HostState): void {
    const before = JSON.stringify(this.#state);
    this.#state = state;
    if (JSON.stringify(state) !== before) this.#options.onNews();
  }

  /** Ends the agent, and what only it used on the host. A host that does not answer in time is left as it is. */
  async #leave(): Promise<void> {
    if (this.#state.kind !== 'connected') return;
    this.#tell({ kind: 'connecting' });
    const { promise: isLate, resolve } = Promise.withResolvers<void>();
    const cancel = this.#options.after(LEAVE_MS, resolve);
    const left = this.#endAgent().then(() => this.#connection?.tidy());
    await Promise.race([isLate, left.catch((error: unknown) => this.#leftAsItIs(error))]);
    cancel();
  }

  #leftAsItIs(error: unknown): void {
    const { machine, reach, log } = this.#options;
    const { code, why } = reach.unreached(error);
    log('info', `The machine "${machine.name}" may keep a tmux without workers: ${why}`, { code });
  }

  async #endAgent(): Promise<void> {
    const agent = this.#agent;
    this.#agent = undefined;
    if (agent === undefined) return;
    const ending = agent[Symbol.asyncDispose]();
    this.#agentEnded = Promise.allSettled([ending]);
    await ending;
  }

  async #close(): Promise<void> {
    this.#cancelAgain();
    await this.#endAgent();
    const connection = this.#connection;
    this.#connection = undefined;
    await connection?.[Symbol.asyncDispose]();
    // An agent that waits for an unresponsive host ends only after the connection has ended.
    await this.#agentEnded;
  }
}
