/** Keeps a machine reached. Makes one attempt at a time, again after each loss, and runs commands only after the machine was asked who it is. */
import { addAbortListener } from 'node:events';
import { type LocalClock, messageOf } from '@drover/base';

import type { HostLink, LinkState } from '../../port/machine.ts';
import type { Carrier } from '../carrier.ts';
import { ConnectError } from '../connect/errors.ts';
import { type Examination, examineHost, type ExamineTools } from '../examine/examine.ts';
import type { ShellOwner } from '../shell/bootstrap.ts';
import { ShellPool } from '../shell/shell-pool.ts';
import { arrive, type Arrival } from './arrive.ts';
import { readEnvironment } from './environment.ts';

/** Milliseconds before the second attempt; each further one waits twice as long, up to the longest, less chance. */
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 60_000;
/** Round trips of which the shortest counts: the others waited for something. */
const ROUND_TRIPS_KEPT = 10;

export interface LinkOptions {
  /** Makes one connection. `roundTripMs`: as measured on the last one; `signal` fires when the link is closed. @throws ConnectError */
  readonly connect: (known: {
    readonly roundTripMs: number | undefined;
    readonly signal: AbortSignal;
  }) => Promise<Carrier>;
  /** The machine's id: letters, digits and `-`. */
  readonly machine: string;
  readonly epoch: number;
  /** Id that {@link Arrival} told before; undefined for a machine that is new. */
  readonly hostId?: string | undefined;
  /** Names of other machines by their host-id, of which this may be a copy. Default: none. */
  readonly others?: () => ReadonlyMap<string, string>;
  /** Variables that win over those of the machine. */
  readonly env?: Readonly<Record<string, string>>;
  readonly clock: LocalClock;
  /** A number from 0 up to 1. */
  readonly chance: () => number;
  /** A word of letters and digits that is never used twice and that programs on the machine cannot guess. */
  readonly newSecret: () => string;
}

/** A connection that is up. */
export interface Connected {
  readonly carrier: Carrier;
  readonly pool: ShellPool;
  readonly owner: ShellOwner;
  readonly arrival: Arrival;
  readonly environment: Readonly<Record<string, string>>;
}

/** The way to a machine, from the first attempt until it is closed. */
export class Link implements AsyncDisposable {
  readonly #options: LinkOptions;
  readonly #listeners = new Set<(state: LinkState) => void>();
  readonly #roundTrips: number[] = [];
  #state: LinkState = { kind: 'down', why: 'The machine has not been reached yet' };
  /** Connection that was examined and has not ended; the next attempt uses it. */
  #examined: Carrier | undefined;
  #connected: Connected | undefined;
  #failure: ConnectError | undefined;
  #environment: Readonly<Record<string, string>> | undefined;
  #attempts = 0;
  readonly #closing = new AbortController();
  #cancelRetry = (): void => {};
  #attempt: Promise<void> | undefined;

  constructor(options: LinkOptions) {
    this.#options = options;
  }

  /** The connection that is up now. */
  get connected(): Connected | undefined {
    return this.#connected;
  }

  /** Reason why there is no connection, and whether another attempt is made by itself. */
  get failure(): ConnectError | undefined {
    return this.#failure;
  }

  /** The part that every host offers. */
  hostLink(): HostLink {
    const state = (): LinkState => this.#state;
    const roundTripMs = (): number => this.#roundTripMs();
    return {
      get state() {
        return state();
      },
      get roundTripMs() {
        return roundTripMs();
      },
      onChange: (listener) => {
        this.#listeners.add(listener);
        return () => this.#listeners.delete(listener);
      },
    };
  }

  /** Examines the machine over the connection that the next attempt uses; claims and changes nothing there. @throws ConnectError */
  async examine(least: ExamineTools['least']): Promise<Examination> {
    const { clock, newSecret, env = {} } = this.#options;
    const carrier = (this.#examined ??= await this.#reach());
    void carrier.closed.then(() => this.#forget(carrier));
    const { signal } = this.#closing;
    const examination = await examineHost(carrier, { signal, clock, newSecret, least, env });
    if (examination.answers?.isFromLogin === true) this.#environment ??= examination.environment;
    return examination;
  }

  /** Makes an attempt now, or waits for the attempt under way. @throws ConnectError of this attempt. */
  async open(): Promise<Connected> {
    this.#cancelRetry();
    this.#attempt ??= this.#connect().finally(() => (this.#attempt = undefined));
    await this.#attempt;
    if (this.#connected !== undefined) return this.#connected;
    throw this.#failure ?? new ConnectError('unreachable', 'The connection was lost immediately');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closing.abort();
    this.#cancelRetry();
    await this.#attempt;
    await (this.#connected?.carrier ?? this.#examined)?.[Symbol.asyncDispose]();
  }

  #reach(): Promise<Carrier> {
    const roundTripMs = this.#roundTrips.length === 0 ? undefined : this.#roundTripMs();
    return this.#options.connect({ roundTripMs, signal: this.#closing.signal });
  }

  async #connect(): Promise<void> {
    if (this.#connected !== undefined || this.#closing.signal.aborted) return;
    let carrier: Carrier | undefined;
    try {
      const { signal } = this.#closing;
      const made = this.#examined ?? (await this.#reach());
      this.#examined = undefined;
      carrier = made;
      // A machine whose shells do not answer would be waited for.
      using _ = addAbortListener(signal, () => made.end('Drover closed the connection'));
      this.#connected = await this.#settle(made);
    } catch (error) {
      carrier?.end('The machine was not what was expected');
      this.#onFailure(error instanceof ConnectError ? error : asFailure(error));
      return;
    }
    this.#failure = undefined;
    this.#attempts = 0;
    void carrier.closed.then((why) => this.#onLost(why));
    this.#tell({ kind: 'up' });
  }

  async #settle(carrier: Carrier): Promise<Connected> {
    const { clock, newSecret, machine, epoch, hostId, others, env = {} } = this.#options;
    const owner: ShellOwner = { machine, connection: newSecret().slice(0, 16) };
    const onRoundTrip = (ms: number): void => this.#measured(ms);
    const pool = new ShellPool({ carrier, owner, clock, newMark: newSecret, onRoundTrip });
    const known = { hostId, others: others?.() ?? new Map<string, string>() };
    await pool.begin();
    const arrival = await arrive(pool, { owner, epoch, ...known, newHostId: newSecret() });
    this.#environment ??= (
      await readEnvironment(pool, { given: env, mark: newSecret(), home: arrival.home })
    ).variables;
    const environment = this.#environment;
    pool.configure({ environment, fence: { file: `${arrival.stateDirectory}/epoch`, epoch } });
    return { carrier, pool, owner, arrival, environment };
  }

  #forget(carrier: Carrier): void {
    if (this.#examined === carrier) this.#examined = undefined;
  }

  #onLost(why: string): void {
    this.#connected = undefined;
    if (this.#closing.signal.aborted) {
      this.#tell({ kind: 'down', why: 'Drover closed the connection' });
      return;
    }
    this.#onFailure(new ConnectError('unreachable', why));
  }

  #onFailure(failure: ConnectError): void {
    this.#failure = failure;
    this.#tell({ kind: 'down', why: failure.message });
    if (!failure.retry || this.#closing.signal.aborted) return;
    const { clock, chance } = this.#options;
    const pause = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** this.#attempts) * (0.5 + chance() / 2);
    this.#attempts += 1;
    this.#cancelRetry = clock.after(pause, () => void this.open().catch(() => {}));
  }

  #roundTripMs(): number {
    return Math.min(...this.#roundTrips, Number.MAX_SAFE_INTEGER);
  }

  #measured(ms: number): void {
    this.#roundTrips.push(ms);
    if (this.#roundTrips.length > ROUND_TRIPS_KEPT) this.#roundTrips.shift();
  }

  #tell(state: LinkState): void {
    this.#state = state;
    for (const listener of this.#listeners) listener(state);
  }
}

function asFailure(error: unknown): ConnectError {
  const message = messageOf(error);
  return new ConnectError('unreachable', `The machine was not reached: ${message}`, { cause: error });
}
