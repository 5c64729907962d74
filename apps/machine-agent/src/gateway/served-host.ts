/**
 * Serves one machine over SSH, from its key to its agent: checks the key, connects, examines, then runs the agent's core as long as the link
 * is up. The order is that of recovery: an earlier gateway is fenced and ended before anything is reported about the machine.
 */
import type { Log } from '@drover/base';
import { HOST_KEYS_MAX } from '@drover/protocol';
import type { HostFinding, HostState, ServedMachine } from '@drover/protocol';

/** Link to an open host. */
export interface OpenHost extends AsyncDisposable {
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

/** Connections to hosts: real ones in the product, scripted ones in tests. All end soon once their signal fires. */
export interface Reach<Opened extends OpenHost = OpenHost> {
  /** Key that a host shows now, before any login. @throws Error with a message that says why it cannot be read. */
  shownKey(
    machine: ServedMachine,
    signal: AbortSignal,
  ): Promise<{ readonly key: string; readonly trust: 'trusted' | 'unknown' | 'changed' | 'revoked' }>;
  /** Examines the machine's programs and gaps, and changes nothing there. @throws as `open` does. */
  examine(machine: ServedMachine, signal: AbortSignal): Promise<readonly HostFinding[]>;
  /** Makes a link and claims the epoch. @throws an error that `unreached` explains. */
  open(machine: ServedMachine, signal: AbortSignal): Promise<Opened>;
  /** Explains an error of the two others. */
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

/** Host that is served until it is disposed. */
export class ServedHost<Opened extends OpenHost = OpenHost> implements AsyncDisposable {
  readonly #options: ServedHostOptions<Opened>;
  #state: HostState = { kind: 'connecting' };
  #findings: readonly HostFinding[] = [];
  #host: Opened | undefined;
  #agent: AsyncDisposable | undefined;
  readonly #over = new AbortController();
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
    // Abort first: else a server that does not answer would delay the end of this process.
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
    if (this.#over.signal.aborted) return;
    try {
      await step();
    } catch (error) {
      if (!this.#over.signal.aborted) await this.#fail(error);
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
    this.#findings = await reach.examine(machine, this.#over.signal);
    if (this.#findings.some(({ level }) => level === 'problem')) {
      this.#tell({ kind: 'lacks' });
      return this.#again(() => this.#reach());
    }
    const host = await reach.open(machine, this.#over.signal);
    this.#host = host;
    host.onChange((news) => this.#then(() => this.#onLink(host, news)));
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
  async #onLink(host: Opened, news: LinkNews): Promise<void> {
    if (this.#host !== host) return;
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

  async #endAgent(): Promise<void> {
    const agent = this.#agent;
    this.#agent = undefined;
    await agent?.[Symbol.asyncDispose]();
  }

  async #close(): Promise<void> {
    this.#cancelAgain();
    await this.#endAgent();
    const host = this.#host;
    this.#host = undefined;
    await host?.[Symbol.asyncDispose]();
  }
}
