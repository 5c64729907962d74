/**
 * The way from an agent to its machine. An agent of the machine is there; a gateway goes by a wire that is late, stuck or cut, so that what it
 * sends may arrive after it has given up, or is dead, and what was done may never be told. The machine obeys the highest epoch that came
 * (docs/adr/0013).
 */
import { messageOf } from '@drover/base';
import type { Unreached } from '@drover/machine-agent/testing';
import { TmuxError } from '@drover/tmux';
import type { VirtualTime } from '@drover/testkit';
import type { SeededRandom } from '@drover/testkit';
import type { AgentProcess } from './agent-process.ts';
import { KeyChanged } from '../coordinator/keys.ts';

/** Connects an agent with its machine. */
export interface Link {
  /** The epoch of the gateway; undefined: it is the machine's own agent. */
  readonly epoch: number | undefined;
  /** Runs an act on the machine, and returns the result. @throws TmuxError `connection-lost`, `fenced`. */
  carry<T>(act: () => T, how?: 'act' | 'read'): Promise<T>;
  /** News of the machine, as soon as the way is free; never where it was lost. */
  hear(news: () => void): void;
}

/** Link of the machine's own agent. */
export const HERE: Link = {
  epoch: undefined,
  carry: (act) => new Promise((resolve) => resolve(act())),
  hear: (news) => news(),
};

/** Wire between one gateway and one host, which outlives the processes of both. */
export class Wire {
  readonly #time: VirtualTime;
  readonly #random: SeededRandom;
  readonly #listeners = new Set<() => void>();
  #cutUntil = 0;
  #stuckUntil = 0;
  #lateUntil = 0;

  constructor(time: VirtualTime, random: SeededRandom) {
    this.#time = time;
    this.#random = random;
  }

  get isCut(): boolean {
    return this.#time.now() < this.#cutUntil;
  }

  get isStuck(): boolean {
    return this.#time.now() < this.#stuckUntil;
  }

  /** Loses what is on its way, and lets nothing through. */
  cut(ms: number): void {
    this.#cutUntil = Math.max(this.#cutUntil, this.#time.now() + ms);
    this.#tell();
  }

  /** Delays what is on its way. */
  stick(ms: number): void {
    this.#stuckUntil = Math.max(this.#stuckUntil, this.#time.now() + ms);
    this.#tell();
  }

  /** Everything takes up to some seconds. */
  slowDown(ms: number): void {
    this.#lateUntil = Math.max(this.#lateUntil, this.#time.now() + ms);
  }

  mend(): void {
    this.#cutUntil = 0;
    this.#stuckUntil = Math.min(this.#stuckUntil, this.#time.now());
    this.#lateUntil = 0;
  }

  /** Calls the listener when the way is not free any more. @returns a function that ends that. */
  onTrouble(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Sends something to the other end: it arrives, or never does. */
  travel(arrive: () => void): void {
    const isLate = this.#time.now() < this.#lateUntil;
    this.#time.after(this.#random.int(0, isLate ? LATE_MAX_MS : USUAL_MAX_MS), () => this.#arriveWhenFree(arrive));
  }

  #arriveWhenFree(arrive: () => void): void {
    if (this.isCut) return;
    const leftMs = this.#stuckUntil - this.#time.now();
    if (leftMs <= 0) return arrive();
    this.#time.after(leftMs, () => this.#arriveWhenFree(arrive));
  }

  #tell(): void {
    for (const listener of this.#listeners) listener();
  }
}

const LATE_MAX_MS = 3_000;
const USUAL_MAX_MS = 20;

/** Connection, as its host has it. */
export interface Connection {
  readonly epoch: number;
  /** The host has ended it: what still arrives does nothing. */
  isOver: boolean;
}

/** A host that gateways reach. */
export interface Reached {
  readonly name: string;
  /**
   * A gateway comes that trusts these keys: what former lives left is ended.
   *
   * @throws TmuxError `fenced` where one with a higher epoch was here. @throws KeyChanged where it shows another key.
   */
  arrive(epoch: number, pinned: readonly string[]): Connection;
  /** Tells whether the host obeys this epoch. `acts` notifies the host of what is done. */
  obeys(epoch: number): boolean;
  acts(epoch: number): void;
}

export interface SshLinkParts {
  readonly wire: Wire;
  readonly host: Reached;
  readonly epoch: number;
  readonly pinned: readonly string[];
  readonly process: AgentProcess;
  readonly random: SeededRandom;
}

/** Change of a link's state. */
export type LinkChange = { readonly kind: 'up' } | ({ readonly kind: 'down' } & Unreached);

/** The link of one service of a gateway to one host: it is made again after each loss. */
export class SshLink implements Link {
  readonly #parts: SshLinkParts;
  readonly #pending = new Set<(error: Error) => void>();
  readonly #unlisten: () => void;
  #connection: Connection | null = null;
  #isClosed = false;
  #listener: (change: LinkChange) => void = () => {};

  constructor(parts: SshLinkParts) {
    this.#parts = parts;
    this.#unlisten = parts.wire.onTrouble(() => this.#suspect());
  }

  get epoch(): number {
    return this.#parts.epoch;
  }

  set onChange(listener: (change: LinkChange) => void) {
    this.#listener = listener;
  }

  /** @throws TmuxError `connection-lost`, `fenced`. @throws KeyChanged. */
  async open(): Promise<void> {
    const { host, epoch, pinned } = this.#parts;
    this.#connection = await this.#ask(null, () => host.arrive(epoch, pinned));
  }

  close(): void {
    this.#isClosed = true;
    this.#unlisten();
    this.#lose();
  }

  carry<T>(act: () => T, how: 'act' | 'read' = 'act'): Promise<T> {
    const connection = this.#connection;
    if (connection === null) return Promise.reject(lost());
    const { host, epoch } = this.#parts;
    return this.#ask(connection, () => {
      if (how === 'read') return act();
      if (!host.obeys(epoch))
        throw new TmuxError('fenced', 'a gateway with a higher epoch has this host: nothing was done');
      host.acts(epoch);
      return act();
    });
  }

  hear(news: () => void): void {
    const connection = this.#connection;
    if (connection === null) return;
    this.#parts.wire.travel(() => {
      if (!connection.isOver && this.#connection === connection) this.#parts.process.after(0, news);
    });
  }

  /** Asks the host and waits for the answer; the process that asked may be dead by then. */
  #ask<T>(connection: Connection | null, act: () => T): Promise<T> {
    const { wire, process } = this.#parts;
    return process.hear(
      new Promise<T>((resolve, reject) => {
        const end = (settle: () => void) => (): void => {
          this.#pending.delete(giveUp);
          settle();
        };
        const giveUp = (error: Error): void => end(() => reject(error))();
        this.#pending.add(giveUp);
        if (wire.isCut) return void process.after(this.#parts.random.int(10, BROKEN_WITHIN_MS), () => giveUp(lost()));
        if (connection === null) process.after(GIVEN_UP_MS, () => giveUp(lost()));
        wire.travel(() => {
          // The host has closed the connection, which the gateway sees as every broken connection is seen.
          if (connection?.isOver === true) return wire.travel(end(() => this.#broken(connection, reject)));
          try {
            const value = act();
            wire.travel(end(() => resolve(value)));
          } catch (error) {
            wire.travel(end(() => reject(error instanceof Error ? error : new Error(String(error)))));
          }
        });
      }),
    );
  }

  /** A cut is seen soon, and silence after a while; what was on its way has an unknown outcome then. */
  #suspect(): void {
    const { wire, process, random } = this.#parts;
    const connection = this.#connection;
    if (connection === null || this.#isClosed) return;
    const ms = wire.isCut ? random.int(10, BROKEN_WITHIN_MS) : SILENT_MS + random.int(0, BROKEN_WITHIN_MS);
    const isStuck = wire.isStuck && !wire.isCut;
    process.after(ms, () => {
      // A stuck wire may be free again by then; a cut one has broken its connection.
      if (isStuck && !wire.isStuck) return;
      this.#broken(connection);
    });
  }

  #broken(connection: Connection, giveUp: (error: Error) => void = () => {}): void {
    giveUp(lost());
    if (this.#connection !== connection) return;
    this.#lose();
    if (this.#isClosed) return;
    this.#listener({ kind: 'down', code: 'unreachable', why: 'the link broke', retry: true });
    this.#again();
  }

  #lose(): void {
    this.#connection = null;
    for (const giveUp of this.#pending) giveUp(lost());
  }

  #again(): void {
    const { process, random } = this.#parts;
    process.after(random.int(500, AGAIN_MAX_MS), () => {
      if (this.#isClosed) return;
      this.open().then(
        () => this.#isClosed || this.#listener({ kind: 'up' }),
        (error: unknown) => {
          if (this.#isClosed) return;
          const known = unreached(error);
          if (known.retry) return this.#again();
          this.#listener({ kind: 'down', ...known });
        },
      );
    });
  }
}

/** Turns an error of a link into its meaning. */
export function unreached(error: unknown): Unreached {
  const why = messageOf(error);
  if (error instanceof KeyChanged) return { code: 'host-key-changed', why, retry: false };
  return isFenced(error) ? { code: 'fenced', why, retry: false } : { code: 'unreachable', why, retry: true };
}

function isFenced(error: unknown): boolean {
  return error instanceof TmuxError && error.code === 'fenced';
}

function lost(): TmuxError {
  return new TmuxError('connection-lost', 'the link broke: what became of it is not known');
}

const BROKEN_WITHIN_MS = 2_000;
/** Silence after which a link counts as lost, in milliseconds: three signs of life. */
const SILENT_MS = 15_000;
/** An attempt to connect ends after this, in milliseconds. */
const GIVEN_UP_MS = 10_000;
const AGAIN_MAX_MS = 5_000;
